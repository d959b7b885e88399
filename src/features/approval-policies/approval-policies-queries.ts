import sql, { type Sql } from 'sql-template-tag';
import { crud } from '../../api/crud.ts';
import { jsonOfFields, selectFields } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../../db/sql/select-page.ts';
import { allOf, byName, contains, isUpdatedSince } from '../../db/sql/sql-fragments.ts';
import { approvalPolicy, approvalPolicyLevel } from '../../entities/approval-policy.ts';
import type { FieldName } from '../../entities/entity.ts';
import {
  type ApprovalPolicyDetail,
  type ApprovalPolicyView,
  LISTED_FIELDS,
  LISTED_LEVEL_FIELDS,
  POLICY_FIELDS,
} from './approval-policies-schemas.ts';
import { type GivenLevel, policyLevels } from './policy-levels.ts';

/** Returns the select list of these policy fields and of the levels in ascending order. */
function policyColumns(names: readonly FieldName<typeof approvalPolicy>[]): Sql {
  return sql`
    ${selectFields(approvalPolicy, names)},
    coalesce(
      (select json_agg(${jsonOfFields(approvalPolicyLevel, LISTED_LEVEL_FIELDS, 'levels')} order by levels.level)
         from approval_policy_levels levels where levels.policy_id = approval_policies.id),
      '[]') as levels`;
}

/** Returns one page of a company's approval policies by name, each with its levels in ascending order. */
export function listApprovalPolicies(
  db: Reader,
  filter: { companyId: string; search?: string; updatedSince?: string },
  page: PageRequest,
): Promise<Page<ApprovalPolicyView>> {
  return selectPage<ApprovalPolicyView>(
    db,
    {
      columns: policyColumns(LISTED_FIELDS),
      from: sql`approval_policies`,
      where: allOf([
        sql`company_id = ${filter.companyId}`,
        contains(sql`name_folded`, filter.search),
        isUpdatedSince(filter.updatedSince),
      ]),
      orderBy: byName(filter.search, { by: sql`id collate "C"`, type: 'text' }),
    },
    page,
  );
}

export const approvalPolicies = crud<
  typeof approvalPolicy,
  (typeof POLICY_FIELDS)[number],
  ApprovalPolicyDetail,
  GivenLevel
>({
  entity: approvalPolicy,
  columns: policyColumns([...LISTED_FIELDS, 'companyId']),
  writable: POLICY_FIELDS,
  parts: policyLevels,
});
