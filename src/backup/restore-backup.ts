import { isDeepStrictEqual } from 'node:util';
import sql, { join, raw } from 'sql-template-tag';
import { type Database, type SessionTransaction, sqlState, type Transaction } from '../db/database.ts';
import { FLOOR, FLOOR_RELEASE, migrateIn, schemaVersions } from '../db/migrator.ts';
import { printable, UserError } from '../lib/errors.ts';
import { type BackupHeader, corrupt } from './backup-format.ts';
import { type OpenBackup, openBackup, type RowReader } from './read-backup.ts';
import { type BackedUpTable, copyTarget, DERIVED_TABLES, listTables } from './tables.ts';
import type { BackupProgress } from './write-backup.ts';

/** Disk space in bytes per byte of rows: tables, indexes and write-ahead log (3.8 with the data of `npm run bench -- data`), with a margin. */
const SPACE = 6;

interface Watching {
  /** Called with the header before the long steps begin. */
  onBegin?: (header: BackupHeader) => void;
  /** Called periodically; throwing cancels the restore. */
  onProgress?: (progress: BackupProgress) => void;
}

/**
 * Restores a backup, all or nothing, into a database without companies, people and audit trail. Migrates
 * the schema to the version of the backup, loads the rows, then migrates it to the newest.
 *
 * @throws UserError if the file is damaged, or the database already has data
 */
export async function restoreBackup(
  db: Database,
  file: string,
  { onBegin, onProgress = () => undefined }: Watching = {},
): Promise<BackupHeader> {
  await using backup = await openBackup(file);
  const { header } = backup;
  onBegin?.(header);
  await assertDiskSpace(db, backup);
  await db.session(async (session) => {
    await session
      .transaction(async (transaction) => {
        const tables = await prepare(transaction, file, header);
        const reader = backup.read();
        await loadRows(transaction, tables, header, reader, onProgress);
        await reader.assertEnd();
        await assertCounts(transaction, file, header);
        for (const table of tables) await moveSequences(transaction, table);
        // Nothing else updates the planner's row counts on an embedded database.
        for (const { name } of tables) await transaction.query(sql`analyze ${raw(name)}`);
        // A migration changes no table whose triggers wait.
        await transaction.query(sql`set constraints all immediate`);
        await migrateIn(transaction);
        await renewFeed(transaction);
        await restWebhooks(transaction);
      })
      .catch((error: unknown) => {
        throw BAD_DATA.test(sqlState(error) ?? '') ? notRestorable(file, error as Error) : error;
      });
    // A server vacuums by itself. It enables index-only scans of the lists (docs/performance.md).
    if (db.kind === 'embedded' && db.diskState?.() !== 'low') {
      await session.query(sql`vacuum companies, departments, approval_policies`);
    }
  });
  return header;
}

/** Asserts that the disk of an embedded database has space for all rows. */
async function assertDiskSpace(db: Database, backup: OpenBackup): Promise<void> {
  if (!db.assertDiskSpace) return;
  let bytes = 0;
  const reader = backup.read();
  for (const { rows } of backup.header.tables) {
    for await (const { text } of reader.take(rows)) {
      bytes += Buffer.byteLength(text);
      db.assertDiskSpace(SPACE * bytes);
    }
  }
}

/** SQLSTATE classes of invalid rows: data exceptions, constraint violations, exceeded limits. */
const BAD_DATA = /^(?:22|23|54)/;

function notRestorable(file: string, cause: Error): UserError {
  const message = `Nothing was restored: the database refuses rows of ${file} (${printable(cause.message)}). Use another backup.`;
  return new UserError(message, { cause });
}

/** Asserts that each line was one row: COPY does not always take a line as a whole row. */
async function assertCounts(transaction: Transaction, file: string, { tables }: BackupHeader): Promise<void> {
  for (const { name, rows } of tables) {
    const [found] = await transaction.query<{ rows: string }>(sql`select count(*)::text as rows from ${raw(name)}`);
    if (found?.rows !== String(rows)) throw corrupt(file);
  }
}

/** Migrates the schema to the version of the backup, and blocks other writers. @returns the tables of the backup */
async function prepare(
  transaction: SessionTransaction,
  file: string,
  { schemaVersion, tables: wanted }: BackupHeader,
): Promise<BackedUpTable[]> {
  const { newest } = await schemaVersions(transaction);
  if (schemaVersion > newest) {
    throw new UserError(
      `${file} has schema version ${schemaVersion}, this program knows ${newest}: restore it with a newer orgdesk.`,
    );
  }
  if (schemaVersion < FLOOR) {
    throw new UserError(
      `${file} has schema version ${schemaVersion}, which this orgdesk cannot bring up to date: restore it with orgdesk ${FLOOR_RELEASE}, and back that database up anew.`,
    );
  }
  await dropLaterSchema(transaction, schemaVersion);
  await migrateIn(transaction, schemaVersion);
  const tables = await listTables(transaction);
  await transaction.run(`lock table ${tables.map(({ name }) => name).join()} in share row exclusive mode`);
  await assertNoData(transaction, tables);
  const shapes = (list: readonly { name: string; columns: readonly string[] }[]) =>
    list.map(({ name, columns }) => ({ name, columns }));
  const own = tables.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }));
  if (!isDeepStrictEqual(shapes(wanted), own)) {
    throw new UserError(`${file} has other tables than schema version ${schemaVersion}: it is of another program.`);
  }
  return tables;
}

/**
 * Drops a schema of a later version, in which nobody has written anything: a new embedded database begins with the newest one, and so may a
 * database on a server. Rows of an earlier version cannot be loaded there.
 */
async function dropLaterSchema(transaction: SessionTransaction, version: number): Promise<void> {
  const { present, newest } = await schemaVersions(transaction);
  if (present <= version || present > newest) return;
  const tables = await listTables(transaction);
  await transaction.run(`lock table ${tables.map(({ name }) => name).join()} in access exclusive mode`);
  await assertNoData(transaction, tables);
  const drops = await transaction.query<{ drop: string }>(sql`
    with own as (
      select current_schema()::regnamespace as schema, array(
        select objid from pg_depend where deptype = 'e' and refclassid = 'pg_extension'::regclass) as of_extensions)
    select format('drop table if exists %s cascade', pg_class.oid::regclass) as drop from own, pg_class
     where relnamespace = schema and relkind in ('r', 'p') and pg_class.oid <> all (of_extensions)
       and relname in (select json_array_elements_text(${JSON.stringify([...tables.map(({ name }) => name), ...DERIVED_TABLES])}::text::json))
     union all
    select format('drop routine if exists %s cascade', pg_proc.oid::regprocedure) from own, pg_proc
     where pronamespace = schema and pg_proc.oid <> all (of_extensions)
     union all
    select format('drop domain if exists %s cascade', pg_type.oid::regtype) from own, pg_type
     where typnamespace = schema and typtype = 'd' and pg_type.oid <> all (of_extensions)`);
  await transaction.run(drops.map(({ drop }) => drop).join('; '));
}

async function assertNoData(transaction: Transaction, tables: readonly BackedUpTable[]): Promise<void> {
  const found = tables.map(({ name }) => raw(`select '${name}' as name where exists (select from ${name})`));
  const [full] = await transaction.query<{ name: string }>(sql`${join(found, ' union all ')} limit 1`);
  if (!full) return;
  throw new UserError(
    `Nothing was restored: the database has rows in ${full.name} already. A backup is restored into a database without ` +
      'companies and people: set DATA_DIR to a new folder, or DATABASE_URL to a new database.',
  );
}

async function loadRows(
  transaction: SessionTransaction,
  tables: readonly BackedUpTable[],
  header: BackupHeader,
  reader: RowReader,
  onProgress: (progress: BackupProgress) => void,
): Promise<void> {
  const total = header.tables.reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  async function* pieces(table: string, rows: number): AsyncGenerator<string> {
    for await (const { text, count } of reader.take(rows)) {
      yield text;
      done += count;
      onProgress({ table, done, total });
    }
  }
  // Companies refer to their default department and band, which are loaded later.
  await transaction.run('set constraints all deferred');
  for (const [index, table] of tables.entries()) {
    const rows = pieces(table.name, header.tables[index]?.rows ?? 0);
    await transaction.copyInto(copyTarget(table), rows);
  }
  await transaction.run('set constraints all immediate');
}

/** Gives the restored feed a new id: the original may have continued, and assigned its next positions to other changes. */
async function renewFeed(transaction: Transaction): Promise<void> {
  await transaction.query(sql`
    update change_feed
       set id = gen_random_uuid(), position = (select coalesce(max(position), 0) from audit_changes)`);
}

/** Switches webhooks off: their receivers belong to the database that was backed up. */
async function restWebhooks(transaction: Transaction): Promise<void> {
  await transaction.query(sql`
    update webhooks set active = false, disabled_reason = 'Restored from a backup: switch it on where it is to send'
     where active`);
}

async function moveSequences(transaction: Transaction, { name, columns }: BackedUpTable): Promise<void> {
  for (const column of columns.filter(({ isIdentity }) => isIdentity)) {
    await transaction.query(sql`
      select setval(pg_get_serial_sequence(${name}, ${column.name}), max(${raw(column.name)}))::text from ${raw(name)}
      having count(*) > 0`);
  }
}
