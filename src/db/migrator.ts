import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Postgrator from 'postgrator';
import sql, { raw } from 'sql-template-tag';
import { UserError } from '../lib/errors.ts';
import { programFile } from '../lib/program-files.ts';
import { advisoryLock } from './advisory-locks.ts';
import { type Database, type Reader, sqlState, type Transaction } from './database.ts';
import { MIGRATION_WORK, SECONDS_A_MILLION } from './migration-work.ts';

const MIGRATIONS = fileURLToPath(programFile('migrations/*.sql'));

const INSUFFICIENT_PRIVILEGE = '42501';
const LOCK_NOT_AVAILABLE = '55P03';
/** Of migrations of ours that people have to do something before; the message says what. */
const REFUSED_BY_MIGRATION = 'OD001';

/** Milliseconds for each table. PostgreSQL looks for deadlocks after a second: it is never a request that has to give way. */
const LOCK_TIMEOUT = 100;
/** Milliseconds in which requests get on that have waited meanwhile. */
const RETRY_DELAY = 200;
const MAX_ATTEMPTS = 100;

interface Migrating {
  /** The one to stop at; absent: the newest. */
  version?: number | undefined;
  /** Is told in words, where there is an older schema, before anything is waited for. */
  announce?: (text: string) => void;
}

/**
 * Brings the schema up to date, in one transaction: all pending migrations or none.
 * Instances that start at once wait for each other, and the second finds nothing to do. Requests wait until it is done.
 *
 * @returns the names of the migrations that were applied
 * @throws UserError where an applied migration's file has changed since, or the database is newer than this program, or there
 *   is something to do that the role may not, or that the rows do not allow
 */
export async function migrate(db: Database, { version, announce }: Migrating = {}): Promise<string[]> {
  return db.session(async (session) => {
    if (announce) {
      const { present, newest } = await schemaVersions(session);
      if (present > 0 && present < newest) announce(`Bringing the schema from version ${present} to ${newest} …`);
    }
    for (let attempts = 1; ; attempts++) {
      try {
        return await session.transaction(async (transaction) => {
          await waitForOthers(transaction);
          const { present, newest } = await schemaVersions(transaction);
          if (present > 0 && present < (version ?? newest)) {
            // A migration may rewrite a table or an index.
            db.assertDiskSpace?.(await databaseSize(transaction));
            await lockTables(transaction).catch(explainRefusal(present, newest));
          }
          return migrateIn(transaction, version);
        });
      } catch (error) {
        if (sqlState(error) !== LOCK_NOT_AVAILABLE || attempts === MAX_ATTEMPTS) throw error;
      }
      await sleep(RETRY_DELAY);
    }
  });
}

/** One process migrates at a time. */
async function waitForOthers(transaction: Transaction): Promise<void> {
  await transaction.query(sql`select pg_advisory_xact_lock(${advisoryLock('migration')})`);
}

/**
 * Locks all tables, or gives up soon: migrations that came to them one by one would meet a request that has locked one of them and waits for another.
 * The one would wait for the other, and PostgreSQL would end either.
 */
async function lockTables(transaction: Transaction): Promise<void> {
  const [tables] = await transaction.query<{ names: string }>(sql`
    select string_agg(quote_ident(relname), ', ' order by relname) as names
      from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`);
  await transaction.query(sql([`set local lock_timeout = ${LOCK_TIMEOUT}`]));
  await transaction.query(sql([`lock table ${tables?.names} in access exclusive mode`]));
  await transaction.query(sql`set local lock_timeout = default`);
}

/**
 * {@link migrate} as a part of a transaction.
 *
 * @param version the one to stop at; absent: the newest. A database that has a later one stays as it is.
 */
export async function migrateIn(transaction: Transaction, version?: number): Promise<string[]> {
  await waitForOthers(transaction);
  const { present, newest } = await schemaVersions(transaction);
  if (present > newest) {
    throw new UserError(
      `The database has schema version ${present}, this program knows ${newest}: run a newer orgdesk on it.`,
    );
  }
  if (version !== undefined && version < present) return [];
  const applied = await migrations(transaction)
    .migrate(version === undefined ? '' : String(version))
    .catch(explainRefusal(present, newest));
  return applied.map(nameOf);
}

/** The version of a database's schema, 0 where it has none, and the newest that this program knows. */
export async function schemaVersions(db: Reader): Promise<{ present: number; newest: number }> {
  const postgrator = migrations(db);
  return { present: await postgrator.getDatabaseVersion(), newest: await postgrator.getMaxVersion() };
}

/** A migration that is still to be applied. */
export interface PendingMigration {
  /** `0031 audit-retention`. */
  name: string;
  /** What it does to the rows that are there, and for how many seconds at the most, about. */
  does: string;
  seconds: number;
}

/** Returns what {@link migrate} would apply, and whether there is a schema already. Changes nothing. */
export async function pendingMigrations(db: Reader): Promise<{ present: number; pending: PendingMigration[] }> {
  const { present } = await schemaVersions(db);
  const all = await migrations(db).getMigrations();
  const pending: PendingMigration[] = [];
  for (const { version, name } of all.filter((each) => each.version > present).sort((a, b) => a.version - b.version)) {
    const { does, tables } = MIGRATION_WORK[version] ?? { does: 'says nothing of what it does', tables: [] };
    let rows = 0;
    for (const table of present === 0 ? [] : tables) rows += await countRows(db, table);
    const seconds = Math.ceil((rows * SECONDS_A_MILLION) / 1e6);
    pending.push({ name: nameOf({ version, name }), does, seconds });
  }
  return { present, pending };
}

/** Of a table that another pending migration makes there are none. */
async function countRows(db: Reader, table: string): Promise<number> {
  const [known] = await db.query(sql`select where to_regclass(${table}) is not null`);
  if (known === undefined) return 0;
  const [row] = await db.query<{ rows: string }>(sql`select count(*)::text as rows from ${raw(table)}`);
  return Number(row?.rows);
}

function nameOf({ version, name }: { version: number; name: string }): string {
  return `${String(version).padStart(4, '0')} ${name}`;
}

/** @param db a transaction where scripts are to be run */
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
