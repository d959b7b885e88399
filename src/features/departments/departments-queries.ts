import sql from 'sql-template-tag';
import type { Executor } from '../../db/database.ts';
import { selectPage } from '../../db/select-page.ts';
import { allOf, contains } from '../../db/sql-fragments.ts';
import type { Page, PageRequest } from '../../http/pagination.ts';
import type { DepartmentView } from './departments-schemas.ts';

/** One page of a company's departments, by name, as the list shows them. */
export function listDepartments(
  db: Executor,
  filter: { companyId: string; search?: string },
  page: PageRequest,
): Promise<Page<DepartmentView>> {
  return selectPage<DepartmentView>(
    db,
    {
      columns: sql`
        id, name, budget::text as budget, cost_code as "costCode",
        json_build_object(
          'users', (select count(*) from users where users.department_id = departments.id)) as "_count"`,
      from: sql`departments`,
      where: allOf([sql`company_id = ${filter.companyId}`, contains(sql`search_text`, filter.search)]),
      orderBy: sql`name_folded collate "C", id`,
    },
    page,
  );
}
