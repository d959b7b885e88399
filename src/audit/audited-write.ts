import sql, { join, raw, type Sql } from 'sql-template-tag';
import { violatedConstraint } from '../db/database.ts';
import { type AuditedEntity, type FieldName, fieldOf, type NewRowOf, type RowOf } from '../entities/entity.ts';
import { type Actor, auditedFields, auditSubjectColumns, auditTables, differences, given } from './audit-trail.ts';
import { columnOf, updatedAtNow } from './entity-sql.ts';

/*
 * Writes and their audit trail, as common table expressions of one statement. One of them, `written`, has the rows as they are afterwards,
 * with the columns of the entity's own table: the rest of the statement selects from it. Each of these functions puts its text together
 * once, or two where fields are folded; what it gives puts in the values. So the text is the same whatever is written, and the database
 * prepares it once.
 */

/**
 * Changes some fields of the row of an id: those of the patch, and no other. One that changes nothing writes nothing. `written` has the row in
 * either case; none where there is no such row.
 *
 * @param names the fields that may be changed in this way
 * @param only a further condition on the row
 * @param touches the time of the last change moves even where nothing changes
 */
export function auditedUpdate<E extends AuditedEntity, Name extends FieldName<E>>(
  entity: E,
  names: readonly Name[],
  { only = sql`true`, touch = false }: { only?: Sql; touch?: boolean } = {},
): (change: { id: string; patch: Partial<RowOf<E, Name>>; actor: Actor }) => Sql {
  const tablesFor = byPatch(
    entity,
    names,
    (written) =>
      sql`${updateTables(entity, written, only, touch)}${auditTables(
        entity,
        sql`select 'changed' as action, ${auditSubjectColumns(entity, '(new)')},
                 ${differences(entity, auditedAmong(entity, written), '(old)', '(new)')}
            from patched`,
      )}`,
  );
  return ({ id, patch, actor }) =>
    sql`${given(asColumns(entity, { ...patch, [entity.id]: id }), actor)}, ${tablesFor(patch)}`;
}

/** Two texts for all patches: one that writes every field of the names, and one for patches without a folded one. */
function byPatch(
  entity: AuditedEntity,
  names: readonly string[],
  tablesOf: (names: readonly string[]) => Sql,
): (patch: object) => Sql {
  const isFolded = (name: string) => fieldOf(entity, name).folded === true;
  const others = names.filter((name) => !isFolded(name));
  const all = tablesOf(names);
  if (others.length === names.length || others.length === 0) return () => all;
  const withoutFolded = tablesOf(others);
  return (patch) => (Object.keys(patch).some(isFolded) ? all : withoutFolded);
}

/**
 * Changes a row like {@link auditedUpdate}, and what another table keeps beside it, of which the whole row is given: both are one change
 * in the trail. What says nothing new is not written.
 *
 * @param beside whose rows have the id of the row as theirs
 */
export function auditedUpdateWithExtension<E extends AuditedEntity, Name extends FieldName<E>, B extends AuditedEntity>(
  entity: E,
  names: readonly Name[],
  beside: B,
): (change: { id: string; patch: Partial<RowOf<E, Name>>; beside: NewRowOf<B>; actor: Actor }) => Sql {
  const table = raw(beside.table);
  const column = columnOf(beside);
  const columns = Object.values(beside.fields).map((field) => raw(field.column));
  const assignments = columns.map((each) => sql`${each} = excluded.${each}`);
  if (beside.hasTimestamps) assignments.push(sql`updated_at = ${updatedAtNow(beside.table)}`);
  // Whom the row is of, and in which company, is told already.
  const ofItself = Object.keys(beside.fields).filter(
    (name) => !Object.values(beside.auditSubject ?? {}).includes(name),
  );
  const others = differences(beside, auditedAmong(beside, ofItself), '(old)', '(new)');
  const isNew = differ(ofItself.map((name) => columnOf(beside, name)));
  const isMoved = beside.auditSubject?.company
    ? raw(
        `(old).${fieldOf(beside, beside.auditSubject.company).column} <> (new).${fieldOf(beside, beside.auditSubject.company).column}`,
      )
    : sql`false`;
  const tablesFor = byPatch(
    entity,
    names,
    (written) => sql`${updateTables(entity, written, sql`true`, false)},
    patched_beside as materialized (
      select ${table} as old, jsonb_populate_record(null::${table}, content -> 'beside') as new
        from given left join ${table} on ${table}.${column} = (content -> 'beside' ->> '${column}')::${typeOfId(beside)}),
    written_beside as (
      insert into ${table} (${join(columns)}) select ${join(columns.map((each) => sql`(new).${each}`))} from patched_beside
       where ${isNew} or ${isMoved}
          on conflict (${column}) do update set ${join(assignments)})${auditTables(
            entity,
            sql`select 'changed' as action, entity_id, user_id, company_id, own.fields || others.fields as fields,
                       ${bothValues('field_values')} as field_values, ${bothValues('personal_values')} as personal_values
                  from (select ${auditSubjectColumns(entity, '(new)')}, ${differences(entity, auditedAmong(entity, written), '(old)', '(new)')}
                          from patched) own,
                       (select ${others} from patched_beside) others`,
          )}`,
  );
  return ({ id, patch, beside: row, actor }) => {
    const content = { ...asColumns(entity, { ...patch, [entity.id]: id }), beside: asColumns(beside, row) };
    return sql`${given(content, actor)}, ${tablesFor(patch)}`;
  };
}

/** The tables that change a row of an entity: `previous`, `patched` with the row as it was and is, `written`. */
function updateTables(entity: AuditedEntity, names: readonly string[], only: Sql, touches: boolean): Sql {
  const table = raw(entity.table);
  const [column, type] = [columnOf(entity), typeOfId(entity)];
  const columns = names.map((name) => columnOf(entity, name));
  const assignments = columns.map((each) => sql`${each} = (new).${each}`);
  if (entity.hasTimestamps) assignments.push(sql`updated_at = ${updatedAtNow(entity.table)}`);
  // The update waits for the lock that `previous` takes: what is found then is what is overwritten.
  return sql`
    previous as (
      select ${table} as old from ${table}
       where ${column} = (select (content ->> '${column}')::${type} from given) and ${only} for no key update),
    patched as materialized (
      select old, jsonb_populate_record(old, content) as new from previous, given),
    updated as (
      update ${table} set ${join(assignments)} from patched
       where ${table}.${column} = (old).${column} and (${touches ? sql`true` : differ(columns)})
      returning ${table}.*),
    written as (
      select * from updated union all select (old).* from previous where not exists (select from updated))`;
}

/** Adds rows. Those of an id that is there already are left alone, and not in `written`. */
export function auditedInsert<E extends AuditedEntity>(entity: E): (rows: readonly NewRowOf<E>[], actor: Actor) => Sql {
  const tables = insertedRows(entity, sql`given, jsonb_populate_recordset(null::${raw(entity.table)}, content)`);
  return (rows, actor) =>
    sql`${given(
      rows.map((row) => asColumns(entity, row)),
      actor,
    )}, ${tables}`;
}

/** The common tables of {@link auditedInsert} that follow on `given`. @param source has the rows, by the columns of the entity's fields */
export function insertedRows(entity: AuditedEntity, source: Sql): Sql {
  const fields = Object.values(entity.fields);
  const values = fields.map(({ column, sqlDefault }) =>
    raw(sqlDefault ? `coalesce(${column}, ${sqlDefault})` : column),
  );
  return sql`
    written as (
      insert into ${raw(entity.table)} (${join(fields.map((field) => raw(field.column)))})
      select ${join(values)} from ${source}
          on conflict (${columnOf(entity)}) do nothing
      returning *)${auditTables(entity, written(entity, 'added'))}`;
}

/**
 * Adds a row, and what another table keeps beside it: both are one change in the trail. Where there is a row of that id already, neither is
 * added, and `written` is empty.
 *
 * @param extension whose rows have the id of the row as theirs
 */
export function auditedInsertWithExtension<E extends AuditedEntity, X extends AuditedEntity>(
  entity: E,
  extension: X,
): (added: { row: NewRowOf<E>; extension: NewRowOf<X>; actor: Actor }) => Sql {
  const [table, extensionTable] = [raw(entity.table), raw(extension.table)];
  const [columns, extensionColumns] = [entity, extension].map(({ fields }) =>
    join(Object.values(fields).map(({ column }) => raw(column))),
  );
  const own = differences(entity, auditedFields(entity), undefined, 'written');
  const subject = Object.values(extension.auditSubject ?? {}) as string[];
  const names = auditedFields(extension).filter((name) => !subject.includes(name));
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
        sql`select 'added' as action, entity_id, user_id, company_id, own.fields || others.fields as fields,
                   ${bothValues('field_values')} as field_values, ${bothValues('personal_values')} as personal_values
              from (select ${auditSubjectColumns(entity, 'written')}, ${own} from written) own,
                   (select ${differences(extension, names, undefined, 'extended')} from extended) others`,
      )}`;
  return ({ row, extension: beside, actor }) =>
    sql`${given({ row: asColumns(entity, row), extension: asColumns(extension, beside) }, actor)}, ${tables}`;
}

/** The values of a change of a row and of its extension, together. */
function bothValues(column: 'field_values' | 'personal_values'): Sql {
  return raw(`nullif(coalesce(own.${column}, '{}') || coalesce(others.${column}, '{}'), '{}')`);
}

/** Removes the rows of these ids. `written` has them as they were. */
export function auditedDelete(entity: AuditedEntity): (ids: readonly string[], actor: Actor) => Sql {
  const tables = deletedRows(entity, sql`select jsonb_array_elements_text(content)::${typeOfId(entity)} from given`);
  return (ids, actor) => sql`${given(ids, actor)}, ${tables}`;
}

/** The common tables of {@link auditedDelete} that follow on `given`. @param ids selects those of the rows */
export function deletedRows(entity: AuditedEntity, ids: Sql): Sql {
  return sql`
    written as (
      delete from ${raw(entity.table)} where ${columnOf(entity)} in (${ids})
      returning *)${auditTables(entity, written(entity, 'removed'))}`;
}

/** Returns the field whose value another row has already, of a key of several fields the last; undefined where that is not why a statement failed. */
export function takenField(entity: AuditedEntity, error: unknown): string | undefined {
  const constraint = violatedConstraint(error);
  const keys = [{ fields: [entity.id], constraint: `${entity.table}_pkey` }, ...entity.unique];
  return keys.find((key) => key.constraint === constraint)?.fields.at(-1);
}

/** A change of that kind for each row of `written`. */
function written(entity: AuditedEntity, action: 'added' | 'removed'): Sql {
  const [before, after] = action === 'added' ? [undefined, 'written'] : ['written', undefined];
  return sql`
    select ${raw(`'${action}'`)} as action, ${auditSubjectColumns(entity, 'written')},
           ${differences(entity, auditedFields(entity), before, after)} from written`;
}

/** Whether `(old)` and `(new)` have other values there. */
function differ(columns: readonly Sql[]): Sql {
  const differing = columns.map((each) => sql`(old).${each} is distinct from (new).${each}`);
  return sql`(${join(differing, ' or ')})`;
}

/** Those of the names of whose values the trail knows. */
function auditedAmong(entity: AuditedEntity, names: readonly string[]): string[] {
  return names.filter((name) => name !== entity.id && fieldOf(entity, name).retention !== 'none');
}

function typeOfId(entity: AuditedEntity): Sql {
  return raw(fieldOf(entity, entity.id).kind.sqlType);
}

function asColumns(entity: AuditedEntity, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [fieldOf(entity, name).column, value]));
}
