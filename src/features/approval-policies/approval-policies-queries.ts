import sql from 'sql-template-tag';
import type { Executor } from '../../db/database.ts';
import { selectPage } from '../../db/select-page.ts';
import { allOf, contains } from '../../db/sql-fragments.ts';
import type { Page, PageRequest } from '../../http/pagination.ts';
import type { ApprovalPolicyView } from './approval-policies-schemas.ts';

/** One page of a company's approval policies, by name, each with its levels in ascending order. */
export function listApprovalPolicies(
  db: Executor,
  filter: { companyId: string; search?: string },
  page: PageRequest,
): Promise<Page<ApprovalPolicyView>> {
  return selectPage<ApprovalPolicyView>(
    db,
    {
      columns: sql`
        id, name, auto_approval_limit::text as "autoApprovalLimit",
        coalesce(
          (select json_agg(json_build_object('id', levels.id, 'level', levels.level, 'roleRequired', levels.role_required,
                                             'minAmount', levels.min_amount::text) order by levels.level)
             from approval_policy_levels levels where levels.policy_id = approval_policies.id),
          '[]') as levels`,
      from: sql`approval_policies`,
      where: allOf([sql`company_id = ${filter.companyId}`, contains(sql`name_folded`, filter.search)]),
      orderBy: sql`name_folded collate "C", id collate "C"`,
    },
    page,
  );
}
