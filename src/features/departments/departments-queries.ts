import sql from 'sql-template-tag';
import type { Executor } from '../../db/database.ts';
import { selectPage } from '../../db/select-page.ts';
import { allOf, contains } from '../../db/sql-fragments.ts';
import type { Page, PageRequest } from '../../http/pagination.ts';

export interface DepartmentRow {
  id: string;
  name: string;
  budget: string;
  costCode: string;
  userCount: number;
}

/** One page of a company's departments, by name. */
export function listDepartments(
  db: Executor,
  filter: { companyId: string; search?: string },
  page: PageRequest,
): Promise<Page<DepartmentRow>> {
  return selectPage<DepartmentRow>(
    db,
    {
      columns: sql`
        id, name, budget::text, cost_code as "costCode",
        (select count(*)::integer from users where users.department_id = departments.id) as "userCount"`,
      from: sql`departments`,
      where: allOf([sql`company_id = ${filter.companyId}`, contains(sql`search_text`, filter.search)]),
      orderBy: sql`name_folded collate "C", id`,
    },
    page,
  );
}
