import { isDeepStrictEqual } from 'node:util';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { crud } from '../../api/crud.ts';
import type { WriteRequest } from '../../api/write-request.ts';
import { jsonOfFields, selectFields } from '../../audit/entity-sql.ts';
import type { Reader, Transaction } from '../../db/database.ts';
import type { SortKey } from '../../db/sql/select-page.ts';
import { ApiError } from '../../entities/api-error.ts';
import { approvalPolicy, approvalPolicyLevel, NESTED_FIELDS, SCOPE_FIELDS } from '../../entities/approval-policy.ts';
import { band } from '../../entities/band.ts';
import { department } from '../../entities/department.ts';
import type { FieldName, RowOf } from '../../entities/entity.ts';
import { areAmbiguous, type PolicyScope, type ScopedPolicy } from '../../entities/policy-scope.ts';
import { user } from '../../entities/user.ts';
import {
  type ApprovalPolicyDetail,
  type ApprovalPolicyView,
  LISTED_FIELDS,
  LISTED_LEVEL_FIELDS,
  POLICY_FIELDS,
} from './approval-policies-schemas.ts';
import { assertGroup, assertThere } from './policy-checks.ts';
import { listOfIds, scopeColumn } from './policy-columns.ts';
import { type GivenLevel, policyLevels } from './policy-levels.ts';

const WRITABLE = [...POLICY_FIELDS, ...SCOPE_FIELDS, ...NESTED_FIELDS] as const;

const DETAIL_FIELDS = [...new Set(['id', 'companyId', ...WRITABLE.filter((name) => name !== 'fields')] as const)];

/** The {@link ApproverChoice} of a level. */
const approver = `
  case levels.role_required
    when 'MANAGEMENT_CHAIN' then json_build_object('chain', true)
    when 'COST_CENTER_OWNER' then json_build_object('costCenterOwner', true)
    when 'USERS' then json_build_object('userIds', coalesce(to_json(string_to_array(levels.user_ids, ' ')), '[]'))
    when 'GROUP' then json_build_object('groupId', levels.group_id)
    when 'ROLE' then json_build_object('roleId', levels.role_id) end`;

/** Returns the select list of these policy fields and of the levels in ascending order. */
function policyColumns(names: readonly FieldName<typeof approvalPolicy>[], level: Sql): Sql {
  return sql`
    ${selectFields(approvalPolicy, names)},
    coalesce(
      (select json_agg(${level} order by levels.level, levels.part)
         from approval_policy_levels levels where levels.policy_id = approval_policies.id),
      '[]') as levels`;
}

const listedLevel = jsonOfFields(approvalPolicyLevel, LISTED_LEVEL_FIELDS, 'levels');
const wholeLevel = raw(`
  json_strip_nulls(json_build_object(
    'id', levels.id, 'level', levels.level, 'roleRequired', levels.role_required, 'minAmount', levels.min_amount::text,
    'maxAmount', levels.max_amount::text, 'minApprovers', nullif(levels.min_approvers, 1), 'mode', nullif(levels.mode, 'ANY'),
    'approver', ${approver}))`);

/** Column with the scope as answers show it: of what is new since the first release only what is set. */
const shownScope: Sql = raw(`
  json_strip_nulls(json_build_object(
    'departmentIds', coalesce(to_json(string_to_array(department_ids, ' ')), '[]'),
    'bandIds', coalesce(to_json(string_to_array(band_ids, ' ')), '[]'), 'userIds', to_json(string_to_array(user_ids, ' ')),
    'costCenters', cost_centers::json, 'jobTitles', job_titles::json, 'countryCodes', country_codes::json,
    'workerTypes', worker_types::json, 'conditions', coalesce(conditions, '{}')::json,
    'from', applies_from::text, 'until', applies_until::text, 'priority', priority, 'active', active)) as scope`);

const rulesColumns: Sql = sql`
  case when default_user_ids is not null or default_group_id is not null then
    json_build_object('userIds', ${listOfIds('default_user_ids')}, 'groupId', default_group_id) end as "defaultApprovers",
  case when reapprove_percent is not null or reapprove_amount is not null then
    json_build_object('percent', reapprove_percent::float, 'amount', reapprove_amount::text) end as "reapproveAbove"`;

/** The depth of the deepest department of a scope. */
const depth = sql`coalesce((
  with recursive line (id, depth) as (
    select department_id, 1 from approval_policy_departments where policy_id = approval_policies.id
    union all
    select parent_id, depth + 1 from line join departments on departments.id = line.id where parent_id is not null and depth < 50)
  select max(depth) from line), 0)`;

/** The order in which policies are asked, as far as it does not depend on the person. */
const BY_PRECEDENCE: readonly SortKey[] = [
  { by: sql`priority`, type: 'bigint' },
  {
    by: sql`(select count(*) from json_object_keys(coalesce(conditions, '{}')::json))`,
    type: 'bigint',
    descending: true,
  },
  { by: depth, type: 'bigint', descending: true },
  { by: sql`band_ids is null`, type: 'boolean' },
  {
    by: sql`num_nonnulls(cost_centers, job_titles, country_codes, worker_types, user_ids, coalesce(applies_from, applies_until))`,
    type: 'bigint',
    descending: true,
  },
  { by: sql`id collate "C"`, type: 'text' },
];

export const approvalPolicies = crud<
  typeof approvalPolicy,
  (typeof WRITABLE)[number],
  ApprovalPolicyDetail,
  GivenLevel,
  ApprovalPolicyView
>({
  entity: approvalPolicy,
  columns: sql`${policyColumns(DETAIL_FIELDS, wholeLevel)}, ${shownScope}, ${rulesColumns}`,
  listed: {
    columns: ({ include = [] }) => sql`
      ${policyColumns(LISTED_FIELDS, include.includes('levels') ? wholeLevel : listedLevel)}
      ${include.includes('scope') ? sql`, ${shownScope}` : empty}${include.includes('active') ? sql`, active` : empty}`,
    searched: sql`name_folded`,
    orderBy: ({ sort }) => (sort === undefined ? undefined : BY_PRECEDENCE),
  },
  writable: WRITABLE,
  hidden: [...SCOPE_FIELDS, ...NESTED_FIELDS],
  parts: policyLevels,
  checkRow: assertOfCompany,
});

/** Checks that what a policy names belongs to the company, and that it is not ambiguous. @throws ApiError `INVALID_INPUT`, `AMBIGUOUS` */
async function assertOfCompany(
  transaction: Transaction,
  companyId: string,
  row: Readonly<Record<string, unknown>>,
  _request: WriteRequest,
  present: ApprovalPolicyDetail | undefined,
): Promise<void> {
  const policy = row as RowOf<typeof approvalPolicy>;
  const { departmentIds, bandIds, userIds, defaultUserIds, defaultGroupId } = policy;
  const given = [
    { field: 'scope.departmentIds', entity: department, ids: departmentIds?.split(' ') ?? [] },
    { field: 'scope.bandIds', entity: band, ids: bandIds?.split(' ') ?? [] },
    { field: 'scope.userIds', entity: user, ids: userIds?.split(' ') ?? [] },
    { field: 'defaultApprovers.userIds', entity: user, ids: defaultUserIds?.split(' ') ?? [] },
  ];
  for (const { field, entity, ids: wanted } of given) await assertThere(transaction, companyId, field, entity, wanted);
  await assertGroup(transaction, companyId, 'defaultApprovers.groupId', defaultGroupId);
  await assertUnambiguous(transaction, policy, present === undefined);
}

/** Returns the policies of a company with their scopes. */
export function findScopes(db: Reader, companyId: string): Promise<ScopedPolicy[]> {
  return db.query<ScopedPolicy>(sql`
    select id, name, ${scopeColumn} from approval_policies where company_id = ${companyId}::uuid`);
}

/** Asserts that a policy whose scope is new or changes is equal in precedence to none that may apply too. @throws ApiError `AMBIGUOUS` */
async function assertUnambiguous(
  transaction: Transaction,
  row: RowOf<typeof approvalPolicy>,
  isNew: boolean,
): Promise<void> {
  const list = (text: string | null | undefined) => text?.split(' ') ?? [];
  const texts = (text: string | null | undefined): string[] => JSON.parse(text ?? '[]');
  const { conditions, costCenters, jobTitles, countryCodes, workerTypes, from = null, until = null } = row;
  const scope: PolicyScope = {
    ...{ departmentIds: list(row.departmentIds), bandIds: list(row.bandIds), userIds: list(row.userIds) },
    ...{ costCenters: texts(costCenters), jobTitles: texts(jobTitles), countryCodes: texts(countryCodes) },
    ...{ workerTypes: texts(workerTypes), conditions: JSON.parse(conditions ?? '{}') },
    ...{ from, until, priority: row.priority, active: row.active },
  };
  // Two that are saved at once see each other.
  await transaction.query(sql`select from companies where id = ${row.companyId}::uuid for no key update`);
  const all = await findScopes(transaction, row.companyId);
  const stored = all.find(({ id }) => id === row.id);
  if (isDeepStrictEqual(stored?.scope, scope)) return;
  const equal = all.find((other) => other.id !== row.id && areAmbiguous({ ...row, scope }, other));
  if (equal === undefined) return;
  // What exists already is not created again.
  if (isNew && (await transaction.query(sql`select from approval_policies where id = ${row.id}`)).length > 0) return;
  const message = `"${row.name}" and "${equal.name}" (${equal.id}) are equal in precedence, and both apply to some bookings: give one of them another priority or scope.`;
  throw new ApiError('AMBIGUOUS', message);
}
