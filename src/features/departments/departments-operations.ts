import sql, { type Sql } from 'sql-template-tag';
import { readCreate } from '../../api/body.ts';
import { crud } from '../../api/crud.ts';
import { operationsOf } from '../../api/crud-operations.ts';
import { idsBelow } from '../../api/hierarchy.ts';
import { INCLUDED_ID } from '../../api/list-schemas.ts';
import { one, page } from '../../api/output.ts';
import { jsonOfFields, selectFields } from '../../audit/entity-sql.ts';
import { corporateAdmins, corporateStaff } from '../../auth/callers/access.ts';
import { department } from '../../entities/department.ts';
import type { FieldName } from '../../entities/entity.ts';
import { newRowFields } from '../../entities/field-schemas.ts';
import { legalEntity } from '../../entities/legal-entity.ts';
import { user } from '../../entities/user.ts';
import { effectiveEntity } from '../legal-entities/effective-entity.ts';
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

/** Returns the select list of these department fields, of the budget of a period and of the number of its people. @param start of the period */
function columnsOf(names: readonly FieldName<typeof department>[], start: Sql): Sql {
  return sql`
    ${selectFields(department, names)}, department_budget(budget_history, ${start})::text as budget,
    json_build_object('users', ${ownPeople}) as "_count"`;
}

/** Returns the first day of the present budget period of a company. */
const presentPeriod = (companyId: Sql) => sql`(select budget_period_start(${companyId}, null))`;

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
  targets: [user, legalEntity],
  columns: sql`
    ${columnsOf(DETAIL_FIELDS, presentPeriod(sql`company_id`))}, budget_history::json as budgets, ${head},
    ${effectiveEntity('departments', sql`legal_entity_of(departments.legal_entity_id, departments.parent_id, departments.company_id)`)},
    json_build_object(
      'own', ${ownPeople},
      'withBelow', ${ownPeople} + ${peopleOf(sql`in (${idsBelow(department, sql`departments.id`)})`)}) as people`,
  listed: {
    columns: ({ companyId, include }) => {
      const start = presentPeriod(sql`${companyId}::uuid`);
      return include?.includes('structure')
        ? sql`${columnsOf(STRUCTURED_FIELDS, start)}, ${head}`
        : columnsOf(LISTED_FIELDS, start);
    },
    searched: sql`search_text`,
    names: [{ column: 'head_id', table: 'users' }],
  },
  writable: DEPARTMENT_FIELDS,
  show: (row) => ({ ...row, legalEntityId: row.legalEntity?.id ?? null }),
  // The column is from the last write: since then another budget may hold.
  async checkChanges(transaction, _request, { id, budget }, changes) {
    if (changes.budget === undefined) return;
    await transaction.query(sql`
      update departments set budget = ${budget}::numeric where id = ${id}::uuid and budget is distinct from ${budget}::numeric`);
  },
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
    includes: { structure: 'adds parentId, headId and head', ...INCLUDED_ID },
    output: page(DepartmentView),
  }),
  get({ id: 'departments.get' }),
  create(
    { id: 'departments.create' },
    {
      properties: newRowFields(department, ['companyId', ...DEPARTMENT_FIELDS]),
      read(raw) {
        const { budget, budgets, ...row } = readCreate(department, ['companyId', ...DEPARTMENT_FIELDS], raw);
        return { ...row, ...(budgets === null ? { budget } : { budgets }) } as typeof row;
      },
      write: departments.create,
    },
  ),
  update({ id: 'departments.update', errors: ['ALREADY_EXISTS', 'CIRCLE'] }),
  remove({ id: 'departments.delete', errors: ['IN_USE'] }),
];
