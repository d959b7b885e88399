import sql, { raw, type Sql } from 'sql-template-tag';
import { columnOf } from '../audit/entity-sql.ts';
import { advisoryLock, type Transaction } from '../db/database.ts';
import { anyOf } from '../db/sql/sql-fragments.ts';
import { ApiError, apiErrors, type FieldProblem, problemOf } from '../entities/api-error.ts';
import { erasedEmail } from '../entities/characters.ts';
import { type AuditedEntity, fieldOf } from '../entities/entity.ts';
import { user } from '../entities/user.ts';

/** The field by which rows of an entity refer to the row above; undefined where they form no hierarchy. */
export function hierarchyField({ fields }: AuditedEntity): string | undefined {
  return Object.keys(fields).find((name) => fields[name]?.hierarchy !== undefined);
}

/**
 * Serialises changes of a company's hierarchy until the transaction ends: two of them at the same time could form a circle. Precedes all
 * row locks of the transaction.
 *
 * @param ids of rows of the company
 */
export async function lockHierarchy(
  transaction: Transaction,
  entity: AuditedEntity,
  ids: readonly string[],
): Promise<void> {
  await transaction.query(sql`
    select pg_advisory_xact_lock(${advisoryLock('hierarchy')}, hashtext(${`${entity.name} `}::text || company_id))
      from (select distinct company_id from ${raw(entity.table)} where id = ${anyOf(ids)} order by company_id) companies`);
}

/** Serialises changes of the hierarchy like {@link lockHierarchy}, for a company. */
export async function lockHierarchyOf(
  transaction: Transaction,
  entity: AuditedEntity,
  companyId: string,
): Promise<void> {
  await transaction.query(sql`
    select pg_advisory_xact_lock(${advisoryLock('hierarchy')}, hashtext(${`${entity.name} ${companyId}`}::text))`);
}

/**
 * Asserts that written rows form no circle, and that the tree does not become too deep. The hierarchy is locked.
 *
 * @param ids of rows whose row above has changed
 * @param nameOf maps the field of a row to its path in the request
 * @throws ApiError `CIRCLE`, `INVALID_INPUT`
 */
export async function assertHierarchy(
  transaction: Transaction,
  entity: AuditedEntity,
  ids: readonly string[],
  nameOf: (field: string, id: string) => string = (field) => field,
): Promise<void> {
  const field = hierarchyField(entity);
  if (field === undefined || ids.length === 0) return;
  const [table, parent] = [raw(entity.table), columnOf(entity, field)];
  const above = sql`
    above (start, id) as (
      select t.id, t.${parent} from ${table} t where t.id = ${anyOf(ids)} and t.${parent} is not null
      union
      select above.start, t.${parent} from above join ${table} t on t.id = above.id where t.${parent} is not null)`;
  const [circle] = await transaction.query<{ id: string }>(sql`
    with recursive ${above} select id from above where start = id limit 1`);
  if (circle !== undefined)
    throw circleAt(nameOf(field, circle.id), await namesInCircle(transaction, entity, circle.id));
  const { levels = Number.POSITIVE_INFINITY } = fieldOf(entity, field).hierarchy ?? {};
  if (levels === Number.POSITIVE_INFINITY) return;
  const [tooDeep] = await transaction.query<{ id: string }>(sql`
    with recursive ${above},
    below (start, id, level) as (
      select start, start, count(*) + 1 from above group by start
      union all
      select below.start, t.id, below.level + 1 from below join ${table} t on t.${parent} = below.id)
    select start as id from below where level > ${levels}::bigint limit 1`);
  if (tooDeep === undefined) return;
  const name = nameOf(field, tooDeep.id);
  const predicate = `must leave at most ${levels} levels of ${entity.noun}s`;
  throw apiErrors.invalidInput([problemOf(name, 'OUT_OF_RANGE', predicate)]);
}

/** Selects the ids of the rows below a row, however deep. @param id in SQL, or {@link anyOf} */
export function idsBelow(entity: AuditedEntity, id: Sql): Sql {
  const [table, parent] = [raw(entity.table), columnOf(entity, hierarchyField(entity))];
  return sql`
    with recursive below as (
      select child.id from ${table} child where child.${parent} = ${id}
      union
      select child.id from ${table} child join below on child.${parent} = below.id)
    select id from below`;
}

/** Names of a circle that are told. */
const MAX_TOLD = 10;

/** Returns the names of the rows of a circle, from one row upwards. */
async function namesInCircle(transaction: Transaction, entity: AuditedEntity, id: string): Promise<string[]> {
  const [table, parent] = [raw(entity.table), columnOf(entity, hierarchyField(entity))];
  const title = 'name' in entity.fields ? sql`t.name` : sql`trim(t.first_name || ' ' || t.last_name)`;
  const rows = await transaction.query<{ name: string }>(sql`
    with recursive circle (id, above, name, step) as (
      select t.id, t.${parent}, ${title}, 1 from ${table} t where t.id = ${id}::uuid
      union all
      select t.id, t.${parent}, ${title}, step + 1 from circle join ${table} t on t.id = circle.above
       where t.id <> ${id}::uuid and step < ${MAX_TOLD}::integer)
    select name from circle order by step`);
  return rows.map(({ name }) => name);
}

/** Returns the error for a row that would be above itself. @param names of the circle, upwards */
export function circleAt(field: string, names: readonly string[]): ApiError {
  const circle = [...names, names.length < MAX_TOLD ? names[0] : '…'].join(' → ');
  const problem = problemOf(field, 'CIRCLE', `must not be the row itself, nor one below it: ${circle}`);
  return new ApiError('CIRCLE', problem.message, { problems: [problem] });
}

/**
 * Checks that changed references to rows of the same company exist there, and locks these rows.
 *
 * @param targets the entities to which the changes may refer; the entity itself is one
 * @throws ApiError `INVALID_INPUT`
 */
export async function checkReferences(
  transaction: Transaction,
  entity: AuditedEntity,
  targets: readonly AuditedEntity[],
  companyId: string,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const problems: FieldProblem[] = [];
  for (const [field, id] of Object.entries(changes)) {
    const { references, ofSameCompany } = entity.fields[field] ?? {};
    if (references === undefined || !ofSameCompany || typeof id !== 'string') continue;
    const target = [entity, ...targets].find(({ name }) => name === references);
    if (target === undefined)
      throw new TypeError(`${entity.name}.${field} refers to ${references}, which is no target`);
    const found = await transaction.query<{ isErased: boolean }>(sql`
      select ${isErased(target.table)} as "isErased" from ${raw(target.table)}
       where id = ${id}::uuid and ${isOfCompany(target, companyId)} for key share`);
    if (found[0]?.isErased) throw erased();
    if (found.length === 0) problems.push(notOfCompany(field, target.noun));
  }
  if (problems.length > 0) throw apiErrors.invalidInput(problems);
}

/** Returns the condition that rows of a company may refer to a row of this entity. */
export function isOfCompany({ ofPlatform }: AuditedEntity, companyId: string): Sql {
  return ofPlatform
    ? sql`(company_id is null or company_id = ${companyId}::uuid)`
    : sql`company_id = ${companyId}::uuid`;
}

/** Returns the condition that a row is that of a person whom the operator has erased. @param row table or its alias; of another table: false */
export function isErased(row: string, table = row): Sql {
  return raw(table === user.table ? `${row}.email = ${row}.id || '${erasedEmail('')}'` : 'false');
}

/** Returns the error for a write about a person whom the operator has erased. */
export function erased(): ApiError {
  return new ApiError('ERASED', 'This person was erased: nothing about them can change.');
}

/** Returns the problem of an id that belongs to no row of the company. */
export function notOfCompany(field: string, noun: string): FieldProblem {
  return problemOf(field, 'INVALID_VALUE', `must be the id of a ${noun} of this company`);
}
