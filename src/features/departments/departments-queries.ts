import sql, { type Sql } from 'sql-template-tag';
import { crud, usesByPeople } from '../../api/crud.ts';
import { idsBelow } from '../../api/hierarchy.ts';
import { jsonOfFields, selectFields } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../../db/sql/select-page.ts';
import { allOf, byName, contains, isUpdatedSince } from '../../db/sql/sql-fragments.ts';
import { department } from '../../entities/department.ts';
import type { FieldName } from '../../entities/entity.ts';
import { user } from '../../entities/user.ts';
import {
  DEPARTMENT_FIELDS,
  DETAIL_FIELDS,
  type DepartmentDetail,
  type DepartmentListInput,
  type DepartmentView,
  HEAD_FIELDS,
  LISTED_FIELDS,
  STRUCTURED_FIELDS,
} from './departments-schemas.ts';

const peopleOf = (departments: Sql) => sql`(select count(*) from users where users.department_id ${departments})`;
const ownPeople = peopleOf(sql`= departments.id`);

/** Returns the select list of these department fields and of the number of its people. */
function departmentColumns(names: readonly FieldName<typeof department>[]): Sql {
  return sql`${selectFields(department, names)}, json_build_object('users', ${ownPeople}) as "_count"`;
}

const head: Sql = sql`
  (select ${jsonOfFields(user, HEAD_FIELDS)} from users where users.id = departments.head_id) as head`;

const below = idsBelow(department, sql`departments.id`);
const detailColumns: Sql = sql`
  ${departmentColumns(DETAIL_FIELDS)}, ${head},
  json_build_object('own', ${ownPeople}, 'withBelow', ${ownPeople} + ${peopleOf(sql`in (${below})`)}) as people`;

/** Returns one page of a company's departments, by name. */
export function listDepartments(
  db: Reader,
  filter: DepartmentListInput,
  page: PageRequest,
): Promise<Page<DepartmentView>> {
  return selectPage<DepartmentView>(
    db,
    {
      columns: filter.include
        ? sql`${departmentColumns(STRUCTURED_FIELDS)}, ${head}`
        : departmentColumns(LISTED_FIELDS),
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
  columns: detailColumns,
  writable: DEPARTMENT_FIELDS,
  uses: usesByPeople('department_id', (id) => [
    sql`select 'department below', 'departments below', count(*)::integer from departments where parent_id = ${id}`,
  ]),
});
