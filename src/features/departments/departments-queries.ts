import sql, { type Sql } from 'sql-template-tag';
import { crud, usesByPeople } from '../../api/crud.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../../db/sql/select-page.ts';
import { allOf, byName, contains, isUpdatedSince } from '../../db/sql/sql-fragments.ts';
import { department } from '../../entities/department.ts';
import type { FieldName } from '../../entities/entity.ts';
import {
  DEPARTMENT_FIELDS,
  DETAIL_FIELDS,
  type DepartmentDetail,
  type DepartmentView,
  LISTED_FIELDS,
} from './departments-schemas.ts';

/** Returns the select list of these department fields and of the number of its people. */
function departmentColumns(names: readonly FieldName<typeof department>[]): Sql {
  return sql`
    ${selectFields(department, names)},
    json_build_object('users', (select count(*) from users where users.department_id = departments.id)) as "_count"`;
}

/** Returns one page of a company's departments, by name. */
export function listDepartments(
  db: Reader,
  filter: { companyId: string; search?: string; updatedSince?: string },
  page: PageRequest,
): Promise<Page<DepartmentView>> {
  return selectPage<DepartmentView>(
    db,
    {
      columns: departmentColumns(LISTED_FIELDS),
      from: sql`departments`,
      where: allOf([
        sql`company_id = ${filter.companyId}`,
        contains(sql`search_text`, filter.search),
        isUpdatedSince(filter.updatedSince),
      ]),
      orderBy: byName(filter.search),
    },
    page,
  );
}

export const departments = crud<typeof department, (typeof DEPARTMENT_FIELDS)[number], DepartmentDetail>({
  entity: department,
  columns: departmentColumns(DETAIL_FIELDS),
  writable: DEPARTMENT_FIELDS,
  uses: usesByPeople('department_id'),
});
