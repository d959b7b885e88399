import sql, { type Sql } from 'sql-template-tag';
import { type Static, Type } from 'typebox';
import { readCreate } from '../../api/body.ts';
import { crud } from '../../api/crud.ts';
import { operationsOf } from '../../api/crud-operations.ts';
import { idsBelow } from '../../api/hierarchy.ts';
import { fieldsView, INCLUDED_ID, includedTimes, timeFields } from '../../api/list-schemas.ts';
import { one, page } from '../../api/output.ts';
import { jsonOfFields, selectFields } from '../../audit/entity-sql.ts';
import { corporateAdmins, corporateStaff } from '../../auth/callers/access.ts';
import { department } from '../../entities/department.ts';
import { type FieldName, fieldsBut } from '../../entities/entity.ts';
import { answeredFields, newRowFields, nullable, titled } from '../../entities/field-schemas.ts';
import { legalEntity } from '../../entities/legal-entity.ts';
import { user } from '../../entities/user.ts';
import { EffectiveEntityView, effectiveEntity } from '../legal-entities/effective-entity.ts';

/** Fields of a department in the list, and in the answers of a single one. */
const SHOWN_FIELDS = ['id', 'name', 'budget', 'costCode'] as const;
/** Those that are columns; the budget is that of the present period. */
const LISTED_FIELDS = ['id', 'name', 'costCode'] as const;
const STRUCTURE_FIELDS = ['parentId', 'headId'] as const;
const DETAIL_FIELDS = [...LISTED_FIELDS, ...fieldsBut(department, ...SHOWN_FIELDS, 'budgets', 'fields')] as const;
const STRUCTURED_FIELDS = [...LISTED_FIELDS, ...STRUCTURE_FIELDS] as const;
const HEAD_FIELDS = ['id', 'firstName', 'lastName'] as const;

const structure = answeredFields(department, STRUCTURE_FIELDS);
const someone = Type.Object(answeredFields(user, HEAD_FIELDS), { description: 'The person of headId' });
const head = nullable<Static<typeof someone>>(someone);

export const DepartmentView = titled('Department', {
  ...answeredFields(department, SHOWN_FIELDS),
  ...Type.Partial(Type.Object({ ...structure, head, ...answeredFields(department, ['externalId']) })).properties,
  ...includedTimes,
  ...fieldsView,
  _count: Type.Object({
    users: Type.Integer({ description: 'People of the department, including deactivated ones', examples: [12] }),
  }),
});
export type DepartmentView = Static<typeof DepartmentView>;

/** A single department in responses. */
export const DepartmentDetail = titled('DepartmentDetail', {
  ...answeredFields(department, [...SHOWN_FIELDS, ...DETAIL_FIELDS, 'budgets']),
  head,
  legalEntity: EffectiveEntityView,
  people: Type.Object(
    {
      own: Type.Integer({ description: 'In the department', examples: [12] }),
      withBelow: Type.Integer({ description: 'In the department and those below it', examples: [40] }),
    },
    { description: 'Number of people, including deactivated ones; the ETag does not cover it' },
  ),
  ...timeFields,
  ...fieldsView,
  _count: DepartmentView.properties._count,
});
export type DepartmentDetail = Static<typeof DepartmentDetail>;

/** Fields that a request may set besides the id and the company. */
const DEPARTMENT_FIELDS = fieldsBut(department, 'id', 'companyId');

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

const headColumn: Sql = sql`
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
    ${columnsOf(DETAIL_FIELDS, presentPeriod(sql`company_id`))}, budget_history::json as budgets, ${headColumn},
    ${effectiveEntity('departments', sql`legal_entity_of(departments.legal_entity_id, departments.parent_id, departments.company_id)`)},
    json_build_object(
      'own', ${ownPeople},
      'withBelow', ${ownPeople} + ${peopleOf(sql`in (${idsBelow(department, sql`departments.id`)})`)}) as people`,
  listed: {
    columns: ({ companyId, include }) => {
      const start = presentPeriod(sql`${companyId}::uuid`);
      return include?.includes('structure')
        ? sql`${columnsOf(STRUCTURED_FIELDS, start)}, ${headColumn}`
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
