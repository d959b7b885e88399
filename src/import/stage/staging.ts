import sql, { join, raw, type Sql } from 'sql-template-tag';
import { mergeRows, type StagedRows } from '../../audit/merge-rows.ts';
import type { Database, Session, Writer } from '../../db/database.ts';
import { company } from '../../entities/company.ts';
import { type Entity, fieldOf } from '../../entities/entity.ts';
import { homeCountry, readPhone } from '../../entities/phone.ts';
import { user } from '../../entities/user.ts';
import { type ProblemList, quoted } from '../check/problems.ts';
import { type Column, type FileFormat, KEEP } from '../read/import-format.ts';
import { openRows, type RowPiece, type TableSource } from '../read/record-reader.ts';

/** A file whose rows are in its entity's staging table. */
export interface StagedFile {
  entity: Entity;
  format: FileFormat;
  /** Columns present in the file. */
  columns: readonly Column[];
  rows: number;
}

/** Column of staging tables with a natural key: true for rows that had no id, matched no stored row, and were assigned a new id. */
export const ID_IS_NEW = 'id_is_new';

/** Returns the temporary table with the rows of a file, each with its `line`. */
export function stagingTable({ table }: Entity): Sql {
  return raw(`import_${table}`);
}

/** Returns whether the file sets a field, by value or by reference. */
export function gives({ columns }: Pick<StagedFile, 'columns'>, name: string): boolean {
  return columns.some(({ field }) => field === name);
}

/** Returns the rows to insert or update. */
export function rowsToMerge({ entity, columns }: StagedFile): StagedRows {
  const given = new Set(columns.flatMap(({ field }) => field ?? []));
  const staged = stagingTable(entity);
  return { entity, given, rows: deletesRows(columns) ? sql`(select * from ${staged} where ${raw(KEEP)})` : staged };
}

/** Selects the ids of the rows to delete; undefined where the file has no column for that. */
export function idsToRemove({ entity, columns }: StagedFile): Sql | undefined {
  if (!deletesRows(columns)) return undefined;
  return sql`select ${raw(fieldOf(entity, entity.id).column)} from ${stagingTable(entity)} where not ${raw(KEEP)}`;
}

/**
 * Creates the staging tables of the formats, and drops those left by an earlier import on the same session. Columns that a file lacks have
 * the default of new rows.
 */
export async function createStagingTables(session: Session, formats: readonly FileFormat[]): Promise<void> {
  await dropStagingTables(session);
  const statements = formats.map(({ entity, columns }) => {
    const definitions = columns.map(({ column, kind, whenAbsent, field }) => {
      const hasDefault = field !== undefined && whenAbsent !== undefined && whenAbsent !== null;
      return `${column} ${kind.sqlType}${hasDefault ? ` default '${whenAbsent}'` : ''}`;
    });
    if (entity.naturalKey) definitions.push(`${ID_IS_NEW} boolean`);
    return `create temporary table ${stagingTable(entity).text} (line integer, ${definitions.join()});`;
  });
  await session.transaction((transaction) => transaction.run(statements.join('\n')));
}

/** Drops the staging tables, even while writes are refused for lack of disk space. */
export async function dropStagingTables(session: Session): Promise<void> {
  const tables = await session.query<{ name: string }>(sql`
    select 'pg_temp.' || quote_ident(relname) as name from pg_class
     where relnamespace = pg_my_temp_schema() and relkind = 'r' and relname like 'import\\_%'`);
  if (tables.length === 0) return;
  await session.transaction(async (transaction) => {
    await transaction.run('set transaction read write');
    await transaction.query(sql`drop table ${raw(tables.map(({ name }) => name).join())}`);
  });
}

/** Updates the planner's statistics of staged rows, without which checks and writes could take hours. */
export async function analyzeStagedRows(db: Writer, files: readonly StagedFile[]): Promise<void> {
  for (const { entity } of files) await db.query(sql`analyze ${stagingTable(entity)}`);
}

function deletesRows(columns: readonly Column[]): boolean {
  return columns.some(({ column }) => column === KEEP);
}

/**
 * Copies the rows of a file to its staging table.
 *
 * @param isWanted called with each piece; returns whether to copy its rows
 * @returns undefined where the header is invalid, or the file has more rows than the format allows
 */
export async function stageRows(
  session: Session,
  source: TableSource,
  format: FileFormat,
  problems: ProblemList,
  isWanted: (piece: RowPiece) => boolean = () => true,
): Promise<StagedFile | undefined> {
  const { entity, maxRows = Number.POSITIVE_INFINITY } = format;
  await using file = await openRows(source, format, problems);
  if (file === undefined) return undefined;
  const { columns, pieces } = file;
  let rows = 0;
  async function* copyRows(): AsyncGenerator<string> {
    for await (const piece of pieces) {
      rows += piece.rows;
      if (rows > maxRows) return;
      if (isWanted(piece) && piece.rows > 0) yield piece.copyRows;
    }
  }
  const target = sql`${stagingTable(entity)} (line, ${join(columns.map(({ column }) => raw(column)))})`;
  await session.copyInto(target, copyRows());
  if (rows <= maxRows) return { entity, format, columns, rows };
  const reason = `there are more than ${maxRows} rows: split the file`;
  problems.add({ file: entity.file, reason });
  return undefined;
}

/**
 * Bytes of disk space per byte of the files, with a safety margin: for staging tables alone (measured with the files of `npm run bench -- data`: 0.9),
 * and with tables, indexes, audit trail and write-ahead log (8.7).
 */
const [STAGED, WRITTEN] = [2, 15];

/**
 * Asserts that the disk of an embedded database has space to import files of that many bytes, as a statement that writes a whole file cannot
 * be stopped halfway.
 *
 * @throws DiskLowError
 */
export function assertDiskSpace(db: Database, bytes: number, dryRun: boolean): void {
  db.assertDiskSpace?.(bytes * (dryRun ? STAGED : WRITTEN));
}

/** Telephone numbers that are read at once. */
const PIECE = 2000;

interface Typed {
  key: string;
  phone: string;
  country: string | null;
}

/**
 * Writes the staged telephone numbers in E.164, by the country of their company; stored ones stay as they are. One that cannot be read is a
 * problem, or in the file of an HR system left out: the stored one stays.
 */
export async function readStagedPhones(
  session: Session,
  files: readonly StagedFile[],
  problems: ProblemList,
): Promise<void> {
  const file = files.find((one) => one.entity === user && gives(one, 'phone'));
  if (file === undefined) return;
  const people = stagingTable(user);
  await session.query(sql`create index on ${people} (line)`);
  for (let last = '-1'; ; ) {
    const typed = await session.query<Typed & { stored: string | null }>(sql`
      select s.line::text as key, s.phone, person.phone as stored,
             coalesce(stored.country, given.country, country_of_gstin(given.gstin)) as country
        from ${people} s left join users person on person.id = s.id left join companies stored on stored.id = s.company_id
        left join ${stagingTable(company)} given on given.id = s.company_id
       where s.line > ${last}::integer and s.phone <> coalesce(person.phone, '') order by s.line limit ${PIECE}::integer`);
    const read = typed.flatMap(({ key, phone, stored, country }) => {
      const reading = readPhone(phone, homeCountry(country));
      if ('value' in reading) return reading.value === phone ? [] : [{ key, phone: reading.value }];
      const line = Number(key);
      const reason = `${quoted(phone)} is not valid: expected ${reading.expected}`;
      const problem = { file: user.file, line, column: 'phone', value: phone, reason };
      if (file.format.isForeign) problems.leaveOut('phone', line, problem);
      else problems.add(problem);
      return [{ key, phone: stored }];
    });
    await session.query(sql`
      update ${people} s set phone = given.phone
        from jsonb_to_recordset(${JSON.stringify(read)}::text::jsonb) as given (key integer, phone text) where s.line = given.key`);
    last = typed.at(-1)?.key ?? last;
    if (typed.length < PIECE) return;
  }
}

/** Schema version since which telephone numbers are in E.164. */
const SINCE = '0069';

/** Writes the stored telephone numbers in E.164 once it is their form, in small transactions; those that cannot be read stay as they are. */
export async function readPhonesOnce(db: Database, applied: readonly string[]): Promise<void> {
  if (!applied.some((name) => name.startsWith(SINCE))) return;
  for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
    const typed = await db.query<Typed>(sql`
      select users.id::text as key, phone, country from users join companies on companies.id = users.company_id
       where users.id > ${last}::uuid and phone !~ '^\\+[1-9][0-9]{1,14}(;ext=[0-9]+)?$' order by users.id limit ${PIECE}::integer`);
    const read = typed.flatMap(({ key, phone, country }) => {
      const reading = readPhone(phone, homeCountry(country));
      return 'value' in reading && reading.value !== phone ? [{ key, phone: reading.value }] : [];
    });
    if (read.length > 0) {
      const rows = sql`(
        select (jsonb_populate_record(users, jsonb_build_object('phone', read.phone))).*
          from jsonb_to_recordset(${JSON.stringify(read)}::text::jsonb) as read (key uuid, phone text)
          join users on users.id = read.key)`;
      const staged = { entity: user, rows, given: new Set(['phone']) };
      await db.transaction((transaction) => mergeRows(transaction, staged, { kind: 'command' }));
    }
    last = typed.at(-1)?.key ?? last;
    if (typed.length < PIECE) return;
  }
}
