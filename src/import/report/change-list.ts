import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { auditedFields } from '../../audit/audit-trail.ts';
import { columnOf } from '../../audit/entity-sql.ts';
import { differs, newValue, type StagedRows } from '../../audit/merge-rows.ts';
import type { Database, Session } from '../../db/database.ts';
import { readByCursor } from '../../db/read-by-cursor.ts';
import { fieldOf } from '../../entities/entity.ts';
import { csvLine } from '../../lib/csv.ts';
import { KEEP } from '../read/import-format.ts';
import { ID_IS_NEW, rowsToMerge, type StagedFile, stagingTable } from '../stage/staging.ts';
import { cellOf } from './cells.ts';
import { manualEditTables, manualRemovalTables } from './manual-edits.ts';
import type { ReportFile } from './report-file.ts';

/** A field that an import would change. */
interface Change {
  line: number;
  /** Id of the row; empty where the import would assign a new one. */
  id: string;
  field: string;
  /** Value as in an export; empty for null, and for a new row. */
  before: string;
  after: string;
  /** Time of the manual edit that the import would overwrite; otherwise empty. */
  undoes: string;
}

const COLUMNS: readonly (keyof Change)[] = ['line', 'id', 'field', 'before', 'after', 'undoes'];

/**
 * Lists the changes that an import of the staged rows would make: the file and a {@link Change} each, in the order of files and lines.
 *
 * @returns the number of manual edits that would be overwritten
 */
export async function writeChanges(
  db: Database,
  session: Session,
  files: readonly StagedFile[],
  list: ReportFile,
): Promise<number> {
  let overwritten = 0;
  await list.append(csvLine(['file', ...COLUMNS]));
  await session.transaction(async (transaction) => {
    for (const file of files) {
      const { entity } = file;
      for await (const changes of readByCursor<Change>(transaction, entity.table, changesOf(file))) {
        db.assertDiskSpace?.(0, list.folder);
        overwritten += changes.filter(({ undoes }) => undoes !== '').length;
        const cells = (change: Change) => [entity.file, ...COLUMNS.map((column) => String(change[column]))];
        await list.append(changes.map((change) => csvLine(cells(change))).join(''));
      }
    }
  });
  return overwritten;
}

/** Selects the changes of a file. */
function changesOf(file: StagedFile): Sql {
  const { entity } = file;
  const staged = rowsToMerge(file);
  const id = columnOf(entity);
  const removals = file.columns.some(({ column }) => column === KEEP) ? removalsOf(file) : empty;
  const when = entity.auditSubject
    ? sql`coalesce(case when is_there then own.changed_at else gone.changed_at end, '')`
    : sql`''`;
  return sql`
    with changed as materialized (
      select s.line, s.${id}::text as id, ${entity.naturalKey ? sql`s.${raw(ID_IS_NEW)} is true` : sql`false`} as id_is_new,
             t.${id} is not null as is_there, each.*, each.field as told_as
        from ${staged.rows} s left join ${raw(entity.table)} t on t.${id} = s.${id}
       cross join lateral (values ${join(auditedFields(entity).map((name, place) => values(staged, name, place)))})
          as each (place, field, is_changed, before, after)
       where (t.${id} is null or ${differs(staged)}) and is_changed${removals})
    ${entity.auditSubject ? sql`, ${manualEditTables(entity)}, ${manualRemovalTables(entity)}` : empty}
    select line, case when id_is_new then '' else id end as id, changed.field, coalesce(before, '') as before, coalesce(after, '') as after,
           ${when} as undoes
      from changed ${
        entity.auditSubject
          ? sql`left join own on own.entity_id = changed.id and own.field = changed.told_as left join gone using (line)`
          : empty
      }
     order by line, place`;
}

/** Returns the tuple of a field: index, name, whether it changes, value before and after. */
function values(staged: StagedRows, name: string, place: number): Sql {
  const field = fieldOf(staged.entity, name);
  const [before, after] = [sql`t.${raw(field.column)}`, newValue(staged, name)];
  // The default that the table will give a new row is not known yet.
  const isChanged = sql`${before} is distinct from ${field.sqlDefault ? raw(`coalesce(s.${field.column}, t.${field.column})`) : after}`;
  return sql`(${raw(String(place))}, ${raw(`'${name}'`)}, ${isChanged}, ${cellOf(field, before)}, ${cellOf(field, after)})`;
}

/** Selects the rows that the file deletes, with the same columns as the changes. */
function removalsOf({ entity }: StagedFile): Sql {
  const id = columnOf(entity);
  return sql`
      union all
      select s.line, s.${id}::text, false, true, 0, ${raw(`'${entity.deleteFlag}'`)}, true, 'true', 'false', ${raw(`'${entity.naturalKey?.fields.at(-1)}'`)}
        from ${stagingTable(entity)} s join ${raw(entity.table)} t on t.${id} = s.${id} where not s.${raw(KEEP)}`;
}
