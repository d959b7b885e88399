import { checkCreate, checkObject, checkUpdate, checkValue, parseBody, validOrThrow } from '../../api/body.ts';
import { approvalPolicy, type NESTED_FIELDS, SCOPE_FIELDS } from '../../entities/approval-policy.ts';
import {
  allOf,
  type Checked,
  checkNewRow,
  checkPatch,
  invalid,
  mapValid,
  noProblems,
  type RawFields,
  valid,
} from '../../entities/check-fields.ts';
import { checkConditions } from '../../entities/conditions.ts';
import type { NewRowOf, RowOf } from '../../entities/entity.ts';
import { uuidList } from '../../entities/formed-values.ts';
import { money, uuid } from '../../entities/values.ts';
import { ID_LISTS, MAX_APPROVERS, POLICY_FIELDS, TEXT_LISTS } from './approval-policies-schemas.ts';
import { listProblems } from './policy-checks.ts';
import { checkLevels, type GivenLevel } from './policy-levels.ts';

type Nested = Partial<RowOf<typeof approvalPolicy, (typeof NESTED_FIELDS)[number]>>;
type PolicyPatch = Partial<RowOf<typeof approvalPolicy, (typeof POLICY_FIELDS)[number] | ScopeField>> & Nested;
type ScopeField = (typeof SCOPE_FIELDS)[number];

export interface NewPolicy extends NewRowOf<typeof approvalPolicy> {
  id: string;
  levels: readonly GivenLevel[];
}

/** Names in a body that are no fields of the entity. */
const PARTS = ['levels', 'scope', 'defaultApprovers', 'reapproveAbove'] as const;

/** Parses the body of a create. @throws ApiError `INVALID_INPUT` with every invalid field */
export function readNewPolicy(raw: unknown): NewPolicy {
  const given = parseBody(raw);
  const row = checkCreate(approvalPolicy, ['companyId', ...POLICY_FIELDS], given, PARTS);
  const [values, scope, nested, levels] = validOrThrow(
    allOf(row, readScope(given, checkNewRow), readNested(given), checkLevels(given.levels, true)),
  );
  return { ...values, ...scope, ...nested, levels };
}

/** Parses the body of an update; without `levels` the present ones stay. @throws ApiError `INVALID_INPUT` with every invalid field */
export function readPolicyUpdate(raw: unknown): { id: string; patch: PolicyPatch; levels?: readonly GivenLevel[] } {
  const given = parseBody(raw);
  const row = checkUpdate(approvalPolicy, POLICY_FIELDS, given, PARTS);
  const hasLevels = given.levels !== undefined;
  const checked = allOf(
    row,
    readScope(given, checkPatch),
    readNested(given),
    hasLevels ? checkLevels(given.levels, false) : valid(undefined),
  );
  const [{ id, patch }, scope, nested, levels] = validOrThrow(checked);
  return { id, patch: { ...patch, ...scope, ...nested }, ...(levels === undefined ? {} : { levels }) };
}

/** Checks the scope in a request. @param check what becomes of absent fields: `checkNewRow` or `checkPatch` */
function readScope<Values extends Partial<RowOf<typeof approvalPolicy, ScopeField>>>(
  { scope = {} }: RawFields,
  check: (entity: typeof approvalPolicy, names: typeof SCOPE_FIELDS, given: RawFields) => Checked<Values>,
): Checked<Values> {
  return checkObject('scope', scope, SCOPE_FIELDS, (given) => {
    const { conditions } = given;
    const idProblems = ID_LISTS.flatMap((field) => listProblems(field, given[field], uuid));
    const textProblems = TEXT_LISTS.flatMap((field) =>
      listProblems(field, given[field], approvalPolicy.fields[field].kind),
    );
    const problems = [
      ...idProblems,
      ...textProblems,
      ...(conditions === undefined ? [] : checkConditions('conditions', conditions)),
    ];
    if (problems.length > 0) return invalid(...problems);
    const listed = (names: readonly string[], written: (list: readonly unknown[]) => string) =>
      Object.fromEntries(
        names.flatMap((name) => (Array.isArray(given[name]) ? [[name, written(given[name])] as const] : [])),
      );
    return check(approvalPolicy, SCOPE_FIELDS, {
      ...given,
      ...listed(ID_LISTS, (ids) => ids.join(' ')),
      ...listed(TEXT_LISTS, (texts) => JSON.stringify(texts)),
      ...(conditions === undefined ? {} : { conditions: JSON.stringify(conditions) }),
    });
  });
}

/** Checks the default approvers and the tolerance in a request; null takes them away. */
function readNested({ defaultApprovers, reapproveAbove }: RawFields): Checked<Nested> {
  const approvers = checkPart(
    'defaultApprovers',
    defaultApprovers,
    ['userIds', 'groupId'],
    ({ userIds: people = [], groupId }) => {
      const checked = allOf(
        noProblems(...listProblems('userIds', people, uuid, MAX_APPROVERS)),
        groupId === null || groupId === undefined ? valid(null) : checkValue('groupId', uuid, groupId),
      );
      return mapValid(checked, ([, defaultGroupId]): Nested => {
        const defaultUserIds = uuidList.check((people as string[]).join(' '));
        return { defaultUserIds: 'value' in defaultUserIds ? defaultUserIds.value || null : null, defaultGroupId };
      });
    },
  );
  const tolerance = checkPart('reapproveAbove', reapproveAbove, ['percent', 'amount'], ({ percent, amount }) => {
    const read = (name: string, value: unknown) =>
      value === null || value === undefined ? valid(null) : checkValue(name, money, value);
    const text = typeof percent === 'number' ? String(percent) : percent;
    return mapValid(
      allOf(read('percent', text), read('amount', amount)),
      ([reapprovePercent, reapproveAmount]): Nested => {
        return { reapprovePercent, reapproveAmount };
      },
    );
  });
  const none: Nested = {
    ...(defaultApprovers === null ? { defaultUserIds: null, defaultGroupId: null } : {}),
    ...(reapproveAbove === null ? { reapprovePercent: null, reapproveAmount: null } : {}),
  };
  return mapValid(allOf(approvers, tolerance), ([one, other]) => ({ ...none, ...one, ...other }));
}

function checkPart(
  field: string,
  given: unknown,
  names: readonly string[],
  check: (given: RawFields) => Checked<Nested>,
): Checked<Nested> {
  return given === undefined || given === null ? valid({}) : checkObject(field, given, names, check);
}
