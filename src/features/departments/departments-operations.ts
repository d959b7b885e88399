import sql, { type Sql } from 'sql-template-tag';
import { crud } from '../../api/crud.ts';
import { operationsOf } from '../../api/crud-operations.ts';
import { idsBelow } from '../../api/hierarchy.ts';
import { LIST_OF } from '../../api/input.ts';
import { one, page } from '../../api/output.ts';
import { usesByPeople } from '../../api/uses.ts';
import { jsonOfFields, selectFields } from '../../audit/entity-sql.ts';
import { corporateAdmins, corporateStaff } from '../../auth/callers/access.ts';
import { department } from '../../entities/department.ts';
import type { FieldName } from '../../entities/entity.ts';
import { optional } from '../../entities/field-schemas.ts';
import { user } from '../../entities/user.ts';
import {
  DEPARTMENT_FIELDS,
  DETAIL_FIELDS,
  DepartmentDetail,
  DepartmentView,
  HEAD_FIELDS,
  LISTED_FIELDS,
  STRUCTURED_FIELDS,
} from './departments-schemas.ts';

const peopleOf = (departments: Sql) => sql`(select count(*) from users where users.department_id ${departments})`;
const ownPeople = peopleOf(sql`= departments.id`);

/** Returns the select list of these department fields and of the number of its people. */
function columnsOf(names: readonly FieldName<typeof department>[]): Sql {
  return sql`${selectFields(department, names)}, json_build_object('users', ${ownPeople}) as "_count"`;
}

const head: Sql = sql`
  (select ${jsonOfFields(user, HEAD_FIELDS)} from users where users.id = departments.head_id) as head`;

export const departments = crud<
  typeof department,
  (typeof DEPARTMENT_FIELDS)[number],
  DepartmentDetail,
  never,
  DepartmentView
>({
  entity: department,
  targets: [user],
  columns: sql`
    ${columnsOf(DETAIL_FIELDS)}, ${head},
    json_build_object(
      'own', ${ownPeople},
      'withBelow', ${ownPeople} + ${peopleOf(sql`in (${idsBelow(department, sql`departments.id`)})`)}) as people`,
  listed: {
    columns: ({ include }) => (include ? sql`${columnsOf(STRUCTURED_FIELDS)}, ${head}` : columnsOf(LISTED_FIELDS)),
    searched: sql`search_text`,
  },
  writable: DEPARTMENT_FIELDS,
  uses: usesByPeople('department_id', (id) => [
    sql`select 'department below', 'departments below', count(*)::integer from departments where parent_id = ${id}`,
  ]),
});

const { list, get, create, update, remove } = operationsOf(departments, {
  output: one(DepartmentDetail),
  reads: { access: corporateStaff, scope: 'departments.read' },
  writes: { access: corporateAdmins, scope: 'organization.write' },
});

export const departmentsOperations = [
  list({
    id: 'departments.list',
    ignoresUnknown: true,
    description: 'The departments of a company, sorted by name. For Corporate Admins and Managers of that company.',
    searched: 'name or cost code',
    more: {
      include: optional.text({
        [LIST_OF]: { enum: ['structure'] },
        description: 'structure: adds parentId, headId and head',
      }),
    },
    output: page(DepartmentView),
  }),
  get({ id: 'departments.get' }),
  create({ id: 'departments.create' }),
  update({ id: 'departments.update', errors: ['ALREADY_EXISTS', 'CIRCLE'] }),
  remove({ id: 'departments.delete', errors: ['IN_USE'] }),
];
