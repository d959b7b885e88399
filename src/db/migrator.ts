import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Postgrator from 'postgrator';
import sql, { raw } from 'sql-template-tag';
import { UserError } from '../lib/errors.ts';
import { programFile } from '../lib/program.ts';
import { advisoryLock, type Database, type Reader, sqlState, type Transaction } from './database.ts';

const MIGRATIONS = fileURLToPath(programFile('migrations/*.sql'));

/**
 * The oldest schema version that can be brought up to date. The files up to it are the baseline: a new schema by subject, with numbers that no
 * earlier migration had, so that the checksums of databases which came step by step stay good.
 */
export const FLOOR = 66;
/** What brings an older one to it. */
export const FLOOR_RELEASE = '0.3.0';

const [INSUFFICIENT_PRIVILEGE, UNDEFINED_TABLE] = ['42501', '42P01'];
/** SQLSTATE raised by migrations that need manual preparation; the message describes it. */
const REFUSED_BY_MIGRATION = 'OD001';

/** Encoding of a database that holds names of any script. */
const ENCODING = 'UTF8';

/** Returns what keeps a database from having the schema, and the way out; undefined if nothing does. */
export async function unsuitableDatabase(db: Reader): Promise<string | undefined> {
  const [row] = await db.query<{ encoding: string; schema: string | null; path: string; isReadOnly: boolean }>(sql`
    select current_setting('server_encoding') as encoding, current_schema()::text as schema, current_setting('search_path') as path,
           current_setting('transaction_read_only')::boolean as "isReadOnly"`);
  if (row === undefined) return undefined;
  if (row.encoding !== ENCODING)
    return `the database has the encoding ${row.encoding}: make one with \`createdb -T template0 -E ${ENCODING}\``;
  if (row.schema === null) return `no schema of the search_path (${row.path}) is there: create it, or name another one`;
  if (row.isReadOnly)
    return 'the database takes no changes: default_transaction_read_only is on for it, its role or its server';
  return undefined;
}

interface Migrating {
  /** Target version; absent: the newest. */
  version?: number | undefined;
  /** Called with a message before waiting, if there is an older schema. */
  announce?: (text: string) => void;
}

/**
 * Migrates the schema in one transaction: all pending migrations or none. Concurrent instances wait for each other, and later ones find
 * nothing to do; requests wait until it is done.
 *
 * @returns the names of the applied migrations
 * @throws UserError if an applied migration file has changed, the database is newer than this program or older than {@link FLOOR}, the role
 * lacks a privilege, or existing rows prevent a migration
 */
export async function migrate(db: Database, { version, announce }: Migrating = {}): Promise<string[]> {
  return db.session(async (session) => {
    const { present, newest } = await schemaVersions(session);
    await assertNotTooOld(session, present);
    const unsuitable = present < (version ?? newest) ? await unsuitableDatabase(session) : undefined;
    if (unsuitable !== undefined) throw new UserError(`The schema cannot be made: ${unsuitable}.`);
    if (present > 0 && present < newest) announce?.(`Bringing the schema from version ${present} to ${newest} …`);
    return retryWhileLocked(() =>
      session.transaction(async (transaction) => {
        await waitForOthers(transaction);
        const { present, newest } = await schemaVersions(transaction);
        if (present > 0 && present < (version ?? newest)) {
          // A migration may rewrite a whole table or index.
          db.assertDiskSpace?.(await databaseSize(transaction));
          await lockTables(transaction, await allTables(transaction)).catch(explainRefusal(present, newest));
        }
        return applyMigrations(transaction, version);
      }),
    );
  });
}

/** @throws UserError if the schema is older than {@link FLOOR}, or the work of that version on bookings was interrupted */
async function assertNotTooOld(db: Reader, present: number): Promise<void> {
  if (present === 0) return;
  const unfinished = await db.query(sql`
    select from pg_attribute where attrelid = to_regclass('bookings') and attname = 'updated_at' and not attnotnull`);
  if (present >= FLOOR && unfinished.length === 0) return;
  throw new UserError(
    `The database has schema version ${present}, which this orgdesk cannot bring up to date: install orgdesk ${FLOOR_RELEASE} first, ` +
      'run its `orgdesk migrate`, then start this one.',
  );
}

/** Serialises migrations, and the rights that they need, across processes. */
export async function waitForOthers(transaction: Transaction): Promise<void> {
  await transaction.query(sql`select pg_advisory_xact_lock(${advisoryLock('migration')})`);
}

async function allTables(db: Reader): Promise<string> {
  const [tables] = await db.query<{ names: string }>(sql`
    select string_agg(quote_ident(relname), ', ' order by relname) as names
      from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`);
  return tables?.names ?? '';
}

/**
 * Like {@link migrate}, within a transaction.
 *
 * @param version target version; absent: the newest. A database with a later version stays as it is.
 */
export async function migrateIn(transaction: Transaction, version?: number): Promise<string[]> {
  await waitForOthers(transaction);
  return applyMigrations(transaction, version);
}

async function applyMigrations(transaction: Transaction, version: number | undefined): Promise<string[]> {
  const { present, newest } = await schemaVersions(transaction);
  if (present > newest) {
    throw new UserError(
      `The database has schema version ${present}, this program knows ${newest}: run a newer orgdesk on it.`,
    );
  }
  await assertNotTooOld(transaction, present);
  if (version !== undefined && version < present) return [];
  const applied = await migrations(transaction)
    .migrate(version === undefined ? '' : String(version))
    .catch(explainRefusal(present, newest));
  return applied.map(nameOf);
}

/** Returns the schema version of a database, 0 without a schema, and the newest that this program knows. */
export async function schemaVersions(db: Reader): Promise<{ present: number; newest: number }> {
  const postgrator = migrations(db);
  const newest = await postgrator.getMaxVersion();
  const present = await postgrator.getDatabaseVersion().catch(async (error) => {
    // The table is found in any schema, and read by the search_path.
    const unsuitable = sqlState(error) === UNDEFINED_TABLE ? await unsuitableDatabase(db) : undefined;
    throw unsuitable === undefined
      ? error
      : new UserError(`The schema cannot be read: ${unsuitable}.`, { cause: error });
  });
  return { present, newest };
}

export interface PendingMigration {
  /** `0031 audit-retention`. */
  name: string;
  /** Its first sentence; `seconds` is an estimate of its duration. */
  does: string;
  seconds: number;
}

/** Returns the migrations that {@link migrate} would apply, and the present version. Changes nothing. */
export async function pendingMigrations(db: Reader): Promise<{ present: number; pending: PendingMigration[] }> {
  const { present } = await schemaVersions(db);
  await assertNotTooOld(db, present);
  const all = await migrations(db).getMigrations();
  const pending: PendingMigration[] = [];
  for (const migration of all.filter(({ version }) => version > present).sort((a, b) => a.version - b.version)) {
    const { does, scans } = workOf(await migration.getSql());
    let rows = 0;
    for (const table of present === 0 ? [] : scans) rows += await countRows(db, table);
    pending.push({ name: nameOf(migration), does, seconds: Math.ceil((rows * SECONDS_A_MILLION) / 1e6) });
  }
  return { present, pending };
}

/** Estimated seconds per scan of a million rows; building an index of users takes about three. */
const SECONDS_A_MILLION = 4;

/** Returns the first sentence of a migration, and the tables of its line `-- Scans: users, users.`: once for each scan of all rows. */
export function workOf(script: string): { does: string; scans: string[] } {
  const [, does = ''] = /^-- (.*?)\.?$/m.exec(script) ?? [];
  const [, scans = ''] = /^-- Scans: (.*)\.$/m.exec(script) ?? [];
  return { does, scans: scans === '' || scans === 'nothing' ? [] : scans.split(', ') };
}

/** Returns the number of rows; 0 for a table that a pending migration will create. */
async function countRows(db: Reader, table: string): Promise<number> {
  const [known] = await db.query(sql`select where to_regclass(${table}) is not null`);
  if (known === undefined) return 0;
  const [row] = await db.query<{ rows: string }>(sql`select count(*)::text as rows from ${raw(table)}`);
  return Number(row?.rows);
}

function nameOf({ version, name }: { version: number; name: string }): string {
  return `${String(version).padStart(4, '0')} ${name}`;
}

/** @param db must be a transaction to run scripts */
function migrations(db: Reader & Partial<Pick<Transaction, 'run'>>): Postgrator {
  return new Postgrator({
    driver: 'pg',
    schemaTable: 'schema_version',
    migrationPattern: MIGRATIONS,
    execQuery: async (query) => ({ rows: await db.query(sql([query])) }),
    execSqlScript: async (script) => db.run?.(script),
  });
}

async function databaseSize(db: Reader): Promise<number> {
  const [row] = await db.query<{ bytes: string }>(sql`select pg_database_size(current_database())::text as bytes`);
  return Number(row?.bytes);
}

function explainRefusal(present: number, newest: number) {
  return (error: unknown): never => {
    if (sqlState(error) === REFUSED_BY_MIGRATION) throw new UserError((error as Error).message, { cause: error });
    throw sqlState(error) === INSUFFICIENT_PRIVILEGE ? notAllowed(present, newest, error) : error;
  };
}

function notAllowed(present: number, newest: number, cause: unknown): UserError {
  const found = present === 0 ? 'has no schema that this role may read' : `has schema version ${present}`;
  return new UserError(
    `The database ${found}, this program needs version ${newest}, and the role that DATABASE_URL names may not change the schema: ` +
      'run `orgdesk migrate` as the role that owns the tables, give this one its rights (docs/database.md), and start again.',
    { cause },
  );
}

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Lock timeout per table, in milliseconds. It is shorter than PostgreSQL's `deadlock_timeout` of a second, so that the migration gives way
 * and never a request.
 */
const LOCK_TIMEOUT = 100;
/** Pause in milliseconds in which waiting requests proceed. */
const RETRY_DELAY = 200;
const MAX_ATTEMPTS = 100;

/**
 * Locks tables at once, or fails soon. Locking them one by one could deadlock with a request that holds one table and waits for another,
 * and PostgreSQL would abort either side.
 *
 * @param tables names, separated by commas
 */
async function lockTables(transaction: Transaction, tables: string): Promise<void> {
  await transaction.query(sql([`set local lock_timeout = ${LOCK_TIMEOUT}`]));
  await transaction.query(sql([`lock table ${tables} in access exclusive mode`]));
  await transaction.query(sql`set local lock_timeout = default`);
}

/** Runs work that begins with {@link lockTables} until the tables are free. */
async function retryWhileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await work();
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE || attempts === MAX_ATTEMPTS) throw error;
    }
    await sleep(RETRY_DELAY);
  }
}
