import { checkCreate, checkObject, checkUpdate, checkValue, parseBody, validOrThrow } from '../../api/body.ts';
import { approvalPolicy, SCOPE_FIELDS } from '../../entities/approval-policy.ts';
import {
  allOf,
  type Checked,
  checkNewRow,
  checkPatch,
  invalid,
  type RawFields,
  valid,
} from '../../entities/check-fields.ts';
import type { NewRowOf, RowOf } from '../../entities/entity.ts';
import { type FieldProblem, problemOf } from '../../entities/field-problem.ts';
import { checkFacts } from '../../entities/policy-scope.ts';
import { uuid } from '../../entities/values.ts';
import { MAX_SCOPE_IDS, POLICY_FIELDS } from './approval-policies-schemas.ts';
import { checkLevels, type GivenLevel } from './policy-levels.ts';

type PolicyPatch = Partial<RowOf<typeof approvalPolicy, (typeof POLICY_FIELDS)[number] | ScopeField>>;
type ScopeField = (typeof SCOPE_FIELDS)[number];

export interface NewPolicy extends NewRowOf<typeof approvalPolicy> {
  id: string;
  levels: readonly GivenLevel[];
}

/** Parses the body of a create. @throws ApiError `INVALID_INPUT` with every invalid field */
export function readNewPolicy(raw: unknown): NewPolicy {
  const given = parseBody(raw);
  const row = checkCreate(approvalPolicy, ['companyId', ...POLICY_FIELDS], given, ['levels', 'scope']);
  const [values, scope, levels] = validOrThrow(
    allOf(row, readScope(given, checkNewRow), checkLevels(given.levels, true)),
  );
  return { ...values, ...scope, levels };
}

/** Parses the body of an update; without `levels` the present ones stay. @throws ApiError `INVALID_INPUT` with every invalid field */
export function readPolicyUpdate(raw: unknown): { id: string; patch: PolicyPatch; levels?: readonly GivenLevel[] } {
  const given = parseBody(raw);
  const row = checkUpdate(approvalPolicy, POLICY_FIELDS, given, ['levels', 'scope']);
  const hasLevels = given.levels !== undefined;
  const checked = allOf(
    row,
    readScope(given, checkPatch),
    hasLevels ? checkLevels(given.levels, false) : valid(undefined),
  );
  const [{ id, patch }, scope, levels] = validOrThrow(checked);
  return { id, patch: { ...patch, ...scope }, ...(levels === undefined ? {} : { levels }) };
}

/** Checks the scope in a request. @param check what becomes of absent fields: `checkNewRow` or `checkPatch` */
function readScope<Values extends Partial<RowOf<typeof approvalPolicy, ScopeField>>>(
  { scope = {} }: RawFields,
  check: (entity: typeof approvalPolicy, names: typeof SCOPE_FIELDS, given: RawFields) => Checked<Values>,
): Checked<Values> {
  return checkObject('scope', scope, SCOPE_FIELDS, (given) => {
    const { departmentIds, bandIds, conditions } = given;
    const problems = [
      ...listProblems('departmentIds', departmentIds),
      ...listProblems('bandIds', bandIds),
      ...(conditions === undefined ? [] : checkFacts('conditions', conditions, true)),
    ];
    if (problems.length > 0) return invalid(...problems);
    return check(approvalPolicy, SCOPE_FIELDS, {
      ...given,
      ...(Array.isArray(departmentIds) ? { departmentIds: departmentIds.join(' ') } : {}),
      ...(Array.isArray(bandIds) ? { bandIds: bandIds.join(' ') } : {}),
      ...(conditions === undefined ? {} : { conditions: JSON.stringify(conditions) }),
    });
  });
}

function listProblems(field: string, given: unknown): FieldProblem[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return [problemOf(field, 'INVALID_TYPE', 'must be a list of ids')];
  if (given.length > MAX_SCOPE_IDS) {
    return [problemOf(field, 'TOO_LONG', `must have at most ${MAX_SCOPE_IDS} ids`)];
  }
  return given.flatMap((id, index) => {
    const checked = checkValue(`${field}[${index}]`, uuid, id);
    return checked.ok ? [] : checked.problems;
  });
}
