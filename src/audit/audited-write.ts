import sql, { join, raw, type Sql } from 'sql-template-tag';
import { violatedConstraint, type Writer } from '../db/database.ts';
import { type AuditedEntity, type FieldName, fieldOf, type NewRowOf, type RowOf } from '../entities/entity.ts';
import { type Actor, auditedFields, auditSubjectColumns, auditTables, differences, given } from './audit-trail.ts';
import { columnOf, updatedAtNow } from './entity-sql.ts';

/*
 * Writes with their audit trail, as common table expressions of one statement. The expression `written` has the resulting rows, with the
 * columns of the entity's table, for the rest of the statement.
 *
 * Each function builds its text once, or twice with folded fields, and returns a function that binds the values. The text is constant, so
 * the database prepares it once.
 */

/** Runs a write whose resulting rows nobody needs. @param tables the common tables of the write */
export async function write(db: Writer, tables: Sql): Promise<void> {
  await db.query(sql`with ${tables} select from written`);
}

/**
 * Returns a function that updates the patched fields of a row by id. An update without effect writes nothing; `written` has the row either
 * way, and is empty if there is none.
 *
 * @param names the fields that may be patched
 * @param only a further condition on the row
 * @param touch updates `updated_at` even if nothing changes
 */
export function auditedUpdate<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  { only = sql`true`, touch = false }: { only?: Sql; touch?: boolean } = {},
): (change: { id: string; patch: Partial<RowOf<E, Name>>; actor: Actor }) => Sql {
  const tablesFor = byPatch(entity, names, (written) => updateOf(entity, written, lockedRow(entity, only), touch));
  return ({ id, patch, actor }) =>
    sql`${given(asColumns(entity, { ...patch, [entity.id]: id }), actor)}, ${tablesFor(patch)}`;
}

/**
 * Returns a function that updates the patched fields of several rows, each by its id, in one statement: rows may exchange unique values.
 * `written` has all of them.
 *
 * @param names the fields that may be patched
 */
export function auditedUpdates<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
): (changes: readonly { id: string; patch: Partial<RowOf<E, Name>> }[], actor: Actor) => Sql {
  const column = fieldOf(entity, entity.id).column;
  const previous = sql`
    previous as (
      select stored.old, item from given, jsonb_array_elements(content) item, lateral (
        select ${raw(entity.table)} as old from ${raw(entity.table)}
         where ${raw(column)} = (item ->> '${raw(column)}')::${typeOfId(entity)} for no key update) stored),
    patched as materialized (select old, jsonb_populate_record(old, item) as new from previous)`;
  const tablesFor = byPatch(entity, names, (written) => updateOf(entity, written, previous, false));
  return (changes, actor) => {
    const items = changes.map(({ id, patch }) => asColumns(entity, { ...patch, [entity.id]: id }));
    return sql`${given(items, actor)}, ${tablesFor(...changes.map(({ patch }) => patch))}`;
  };
}

/** Returns the same change of several rows. */
export function patchEach<Patch>(rows: readonly { id: string }[], patch: Patch): { id: string; patch: Patch }[] {
  return rows.map(({ id }) => ({ id, patch }));
}

/** Builds two texts: one that writes all named fields, and one for patches without a folded field. */
function byPatch(
  entity: AuditedEntity,
  names: readonly string[],
  tablesOf: (names: readonly string[]) => Sql,
): (...patches: readonly object[]) => Sql {
  const isFolded = (name: string) => fieldOf(entity, name).folded === true;
  const others = names.filter((name) => !isFolded(name));
  const all = tablesOf(names);
  if (others.length === names.length || others.length === 0) return () => all;
  const withoutFolded = tablesOf(others);
  return (...patches) => (patches.some((patch) => Object.keys(patch).some(isFolded)) ? all : withoutFolded);
}

/** Returns the common tables of an update with its trail. @param previous the tables `previous` and `patched` */
function updateOf(entity: AuditedEntity, names: readonly string[], previous: Sql, touches: boolean): Sql {
  return sql`${updateTables(entity, names, previous, touches)}${auditTables(
    entity,
    // A trigger may have changed more than the patch.
    sql`select 'changed' as action, ${auditSubjectColumns(entity, 'written')},
             ${differences(entity, auditedAmong(entity, names), '(old)', 'written')}
        from previous join written on written.${columnOf(entity)} = (old).${columnOf(entity)}`,
  )}`;
}

/**
 * Like {@link auditedUpdate}, and replaces the extension row in another table: the trail has one change for both. Unchanged rows are not
 * written.
 *
 * @param extension entity whose rows have the id of the extended row
 */
export function auditedUpdateWithExtension<E extends AuditedEntity, Name extends FieldName<E>, X extends AuditedEntity>(
  entity: E,
  names: readonly Name[],
  extension: X,
): (change: { id: string; patch: Partial<RowOf<E, Name>>; extension: NewRowOf<X>; actor: Actor }) => Sql {
  const table = raw(extension.table);
  const column = columnOf(extension);
  const columns = Object.values(extension.fields).map((field) => raw(field.column));
  const assignments = columns.map((each) => sql`${each} = excluded.${each}`);
  if (extension.hasTimestamps) assignments.push(sql`updated_at = ${updatedAtNow(extension.table)}`);
  const ownFields = fieldsOfExtension(extension);
  const company = extension.auditSubject?.company && columnOf(extension, extension.auditSubject.company);
  const isMoved = company ? sql`(old).${company} <> (new).${company}` : sql`false`;
  const tablesFor = byPatch(
    entity,
    names,
    (written) => sql`${updateTables(entity, written, lockedRow(entity, sql`true`), false)},
    patched_extension as materialized (
      select ${table} as old, jsonb_populate_record(null::${table}, content -> 'extension') as new
        from given left join ${table} on ${table}.${column} = (content -> 'extension' ->> '${column}')::${typeOfId(extension)}),
    written_extension as (
      insert into ${table} (${join(columns)}) select ${join(columns.map((each) => sql`(new).${each}`))} from patched_extension
       where ${differ(ownFields.map((name) => columnOf(extension, name)))} or ${isMoved}
          on conflict (${column}) do update set ${join(assignments)})${auditTables(
            entity,
            changeOfBoth(
              'changed',
              sql`select ${auditSubjectColumns(entity, '(new)')}, ${differences(entity, auditedAmong(entity, written), '(old)', '(new)')}
                    from patched`,
              sql`select ${differences(extension, auditedAmong(extension, ownFields), '(old)', '(new)')} from patched_extension`,
            ),
          )}`,
  );
  return ({ id, patch, extension: row, actor }) => {
    const content = { ...asColumns(entity, { ...patch, [entity.id]: id }), extension: asColumns(extension, row) };
    return sql`${given(content, actor)}, ${tablesFor(patch)}`;
  };
}

/** Returns the tables `previous` and `patched` of a row by its id. @param only a further condition on it */
function lockedRow(entity: AuditedEntity, only: Sql): Sql {
  const [table, column] = [raw(entity.table), columnOf(entity)];
  return sql`
    previous as (
      select ${table} as old from ${table}
       where ${column} = (select (content ->> '${column}')::${typeOfId(entity)} from given) and ${only} for no key update),
    patched as materialized (
      select old, jsonb_populate_record(old, content) as new from previous, given)`;
}

/**
 * Returns the common tables of an update: `previous`, `patched` with the old and new rows, and `written`. The update runs after the locks
 * of `previous` are acquired: the old values logged are those overwritten.
 */
function updateTables(entity: AuditedEntity, names: readonly string[], previous: Sql, touches: boolean): Sql {
  const [table, column] = [raw(entity.table), columnOf(entity)];
  const columns = names.map((name) => columnOf(entity, name));
  const assignments = columns.map((each) => sql`${each} = (new).${each}`);
  if (entity.hasTimestamps) assignments.push(sql`updated_at = ${updatedAtNow(entity.table)}`);
  return sql`${previous},
    updated as (
      update ${table} set ${join(assignments)} from patched
       where ${table}.${column} = (old).${column} and (${touches ? sql`true` : differ(columns)})
      returning ${table}.*),
    written as (
      select * from updated union all select (old).* from previous where (old).${column} not in (select ${column} from updated))`;
}

/** Returns a function that inserts rows. Rows with an existing id are skipped, and missing from `written`. */
export function auditedInsert<E extends AuditedEntity>(entity: E): (rows: readonly NewRowOf<E>[], actor: Actor) => Sql {
  const tables = insertedRows(entity, sql`given, jsonb_populate_recordset(null::${raw(entity.table)}, content)`);
  return (rows, actor) => {
    const content = rows.map((row) => asColumns(entity, row));
    return sql`${given(content, actor)}, ${tables}`;
  };
}

/**
 * Returns the common tables of {@link auditedInsert} that follow `given`.
 *
 * @param source has the rows, by the columns of the entity's fields
 */
export function insertedRows(entity: AuditedEntity, source: Sql): Sql {
  const columns = Object.values(entity.fields).map(({ column }) => raw(column));
  return sql`
    written as (
      insert into ${raw(entity.table)} (${join(columns)})
      select ${newValues(entity)} from ${source}
          on conflict (${columnOf(entity)}) do nothing
      returning *)${auditTables(entity, written(entity, 'added'))}`;
}

/** Returns the select list of new rows: each column with the default of the table. */
export function newValues({ fields }: AuditedEntity): Sql {
  const values = Object.values(fields).map(({ column, sqlDefault }) =>
    raw(sqlDefault ? `coalesce(${column}, ${sqlDefault})` : column),
  );
  return join(values);
}

/**
 * Returns a function that inserts a row and its extension row: the trail has one change for both. If the id exists, neither is inserted and
 * `written` is empty.
 *
 * @param extension entity whose rows have the id of the extended row
 */
export function auditedInsertWithExtension<E extends AuditedEntity, X extends AuditedEntity>(
  entity: E,
  extension: X,
): (added: { row: NewRowOf<E>; extension: NewRowOf<X>; actor: Actor }) => Sql {
  const [table, extensionTable] = [raw(entity.table), raw(extension.table)];
  const [columns, extensionColumns] = [entity, extension].map(({ fields }) =>
    join(Object.values(fields).map(({ column }) => raw(column))),
  );
  const tables = sql`
    written as (
      insert into ${table} (${columns}) select ${columns} from given, jsonb_populate_record(null::${table}, content -> 'row')
          on conflict (${columnOf(entity)}) do nothing
      returning *),
    extended as (
      insert into ${extensionTable} (${extensionColumns})
      select ${extensionColumns} from given, jsonb_populate_record(null::${extensionTable}, content -> 'extension')
       where exists (select from written)
      returning *)${auditTables(
        entity,
        changeOfBoth(
          'added',
          sql`select ${auditSubjectColumns(entity, 'written')}, ${differences(entity, auditedFields(entity), undefined, 'written')}
                from written`,
          sql`select ${differences(extension, auditedAmong(extension, fieldsOfExtension(extension)), undefined, 'extended')}
                from extended`,
        ),
      )}`;
  return ({ row, extension: extensionRow, actor }) =>
    sql`${given({ row: asColumns(entity, row), extension: asColumns(extension, extensionRow) }, actor)}, ${tables}`;
}

/** Returns the fields of an extension row, without the subject, which the extended row identifies already. */
function fieldsOfExtension({ fields, auditSubject }: AuditedEntity): string[] {
  const subject: string[] = Object.values(auditSubject ?? {});
  return Object.keys(fields).filter((name) => !subject.includes(name));
}

/** Selects one change from those of a row and of its extension row. */
function changeOfBoth(action: 'added' | 'changed', own: Sql, others: Sql): Sql {
  const both = (column: string) =>
    raw(`nullif(coalesce(own.${column}, '{}') || coalesce(others.${column}, '{}'), '{}')`);
  return sql`select ${raw(`'${action}'`)} as action, entity_id, user_id, company_id, own.fields || others.fields as fields,
                    ${both('field_values')} as field_values, ${both('personal_values')} as personal_values
               from (${own}) own, (${others}) others`;
}

/** Returns a function that deletes rows by id. `written` has their last state. */
export function auditedDelete(entity: AuditedEntity): (ids: readonly string[], actor: Actor) => Sql {
  const tables = deletedRows(entity, sql`select jsonb_array_elements_text(content)::${typeOfId(entity)} from given`);
  return (ids, actor) => sql`${given(ids, actor)}, ${tables}`;
}

/** Returns the common tables of {@link auditedDelete} that follow `given`. @param ids selects the ids of the rows */
export function deletedRows(entity: AuditedEntity, ids: Sql): Sql {
  return sql`
    written as (
      delete from ${raw(entity.table)} where ${columnOf(entity)} in (${ids})
      returning *)${auditTables(entity, written(entity, 'removed'))}`;
}

/** Returns the field of a violated unique key, the last one of a composite key; undefined for any other error. */
export function takenField(entity: AuditedEntity, error: unknown): string | undefined {
  const constraint = violatedConstraint(error);
  const keys = [{ fields: [entity.id], constraint: `${entity.table}_pkey` }, ...entity.unique];
  return keys.find((key) => key.constraint === constraint)?.fields.at(-1);
}

/** Selects a change with this action for each row of `written`. */
export function written(entity: AuditedEntity, action: 'added' | 'removed'): Sql {
  const [before, after] = action === 'added' ? [undefined, 'written'] : ['written', undefined];
  return sql`
    select ${raw(`'${action}'`)} as action, ${auditSubjectColumns(entity, 'written')},
           ${differences(entity, auditedFields(entity), before, after)} from written`;
}

/** Returns the SQL condition that `(old)` and `(new)` differ in these columns. */
function differ(columns: readonly Sql[]): Sql {
  const differing = columns.map((each) => sql`(old).${each} is distinct from (new).${each}`);
  return sql`(${join(differing, ' or ')})`;
}

/** Returns those of the fields whose values the trail keeps. */
function auditedAmong(entity: AuditedEntity, names: readonly string[]): string[] {
  return names.filter((name) => name !== entity.id && fieldOf(entity, name).retention !== 'none');
}

function typeOfId(entity: AuditedEntity): Sql {
  return raw(fieldOf(entity, entity.id).kind.sqlType);
}

/** Returns a row by its columns, as JSON. */
export function asColumns(entity: AuditedEntity, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const { column, kind } = fieldOf(entity, name);
      return [column, kind.sqlType === 'jsonb' && typeof value === 'string' ? JSON.parse(value) : value];
    }),
  );
}
