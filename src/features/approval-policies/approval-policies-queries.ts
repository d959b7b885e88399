import sql, { raw, type Sql } from 'sql-template-tag';
import { throwIfInvalid } from '../../api/body.ts';
import { crud } from '../../api/crud.ts';
import { notOfCompany } from '../../api/hierarchy.ts';
import { jsonOfFields, selectFields } from '../../audit/entity-sql.ts';
import type { Transaction } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import { approvalPolicy, approvalPolicyLevel, SCOPE_FIELDS } from '../../entities/approval-policy.ts';
import { band } from '../../entities/band.ts';
import { department } from '../../entities/department.ts';
import type { FieldName, RowOf } from '../../entities/entity.ts';
import {
  type ApprovalPolicyDetail,
  type ApprovalPolicyView,
  LISTED_FIELDS,
  LISTED_LEVEL_FIELDS,
  POLICY_FIELDS,
} from './approval-policies-schemas.ts';
import { type GivenLevel, policyLevels } from './policy-levels.ts';

const WRITABLE = [...POLICY_FIELDS, ...SCOPE_FIELDS] as const;

/** Returns the select list of these policy fields and of the levels in ascending order. */
function policyColumns(names: readonly FieldName<typeof approvalPolicy>[]): Sql {
  return sql`
    ${selectFields(approvalPolicy, names)},
    coalesce(
      (select json_agg(${jsonOfFields(approvalPolicyLevel, LISTED_LEVEL_FIELDS, 'levels')} order by levels.level)
         from approval_policy_levels levels where levels.policy_id = approval_policies.id),
      '[]') as levels`;
}

const ids = (column: string) => raw(`coalesce(to_json(string_to_array(${column}, ' ')), '[]')`);

/** Column with the scope of a policy. */
export const scopeColumn: Sql = sql`
  json_build_object('departmentIds', ${ids('department_ids')}, 'bandIds', ${ids('band_ids')},
                    'conditions', coalesce(conditions, '{}')::json, 'priority', priority, 'active', active) as scope`;

export const approvalPolicies = crud<
  typeof approvalPolicy,
  (typeof WRITABLE)[number],
  ApprovalPolicyDetail,
  GivenLevel,
  ApprovalPolicyView
>({
  entity: approvalPolicy,
  columns: sql`${policyColumns([...LISTED_FIELDS, 'companyId', ...SCOPE_FIELDS])}, ${scopeColumn}`,
  listed: { columns: () => policyColumns(LISTED_FIELDS), searched: sql`name_folded` },
  writable: WRITABLE,
  hidden: SCOPE_FIELDS,
  parts: policyLevels,
  checkRow: assertOfCompany,
});

/** Checks that the departments and bands of a scope belong to the company. @throws ApiError `INVALID_INPUT` */
async function assertOfCompany(
  transaction: Transaction,
  companyId: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { departmentIds, bandIds } = row as Partial<RowOf<typeof approvalPolicy, 'departmentIds' | 'bandIds'>>;
  const given = [
    { field: 'departmentIds', entity: department, ids: departmentIds?.split(' ') ?? [] },
    { field: 'bandIds', entity: band, ids: bandIds?.split(' ') ?? [] },
  ];
  for (const { field, entity, ids: wanted } of given) {
    if (wanted.length === 0) continue;
    const found = await transaction.query<{ id: string }>(sql`
      select id from ${raw(entity.table)}
       where id = ${anyOf(wanted)}
         and company_id = ${companyId}::uuid order by id for key share`);
    const known = new Set(found.map(({ id }) => id));
    throwIfInvalid(
      wanted.flatMap((id) => (known.has(id) ? [] : [notOfCompany(`scope.${field}`, entity.noun)])).slice(0, 1),
    );
  }
}
