import { checkCreate, checkUpdate, parseBody, validOrThrow } from '../../api/body.ts';
import { approvalPolicy } from '../../entities/approval-policy.ts';
import { allOf } from '../../entities/check-fields.ts';
import type { NewRowOf, RowOf } from '../../entities/entity.ts';
import { POLICY_FIELDS } from './approval-policies-schemas.ts';
import { checkLevels, type GivenLevel } from './policy-levels.ts';

type PolicyPatch = Partial<RowOf<typeof approvalPolicy, (typeof POLICY_FIELDS)[number]>>;

export interface NewPolicy extends NewRowOf<typeof approvalPolicy> {
  id: string;
  levels: readonly GivenLevel[];
}

/** Parses the body of a create. @throws ApiError `INVALID_INPUT` with every invalid field */
export function readNewPolicy(raw: unknown): NewPolicy {
  const given = parseBody(raw);
  const row = checkCreate(approvalPolicy, ['companyId', ...POLICY_FIELDS], given, ['levels']);
  const [values, levels] = validOrThrow(allOf(row, checkLevels(given.levels, true)));
  return { ...values, levels };
}

/** Parses the body of an update; without `levels` the present ones stay. @throws ApiError `INVALID_INPUT` with every invalid field */
export function readPolicyUpdate(raw: unknown): { id: string; patch: PolicyPatch; levels?: readonly GivenLevel[] } {
  const given = parseBody(raw);
  const row = checkUpdate(approvalPolicy, POLICY_FIELDS, given, ['levels']);
  if (!Object.hasOwn(given, 'levels')) return validOrThrow(row);
  const [values, levels] = validOrThrow(allOf(row, checkLevels(given.levels, false)));
  return { ...values, levels };
}
