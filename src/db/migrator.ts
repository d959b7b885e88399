import { fileURLToPath } from 'node:url';
import Postgrator from 'postgrator';
import sql from 'sql-template-tag';
import { UserError } from '../lib/errors.ts';
import { programFile } from '../lib/program-files.ts';
import { advisoryLock } from './advisory-locks.ts';
import { type Database, type Reader, sqlState, type Transaction } from './database.ts';

const MIGRATIONS = fileURLToPath(programFile('migrations/*.sql'));

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Brings the schema up to date, in one transaction: all pending migrations or none.
 * Instances that start at once wait for each other, and the second finds nothing to do.
 *
 * @returns the names of the migrations that were applied
 * @throws UserError where an applied migration's file has changed since, or the database is newer than this program, or there
 *   is something to do that the role may not
 */
export async function migrate(db: Database): Promise<string[]> {
  return db.session((session) =>
    session.transaction(async (transaction) => {
      const { present, newest } = await schemaVersions(transaction);
      // A migration may rewrite a table or an index.
      if (present > 0 && present < newest) db.expectSpace?.(await databaseSize(transaction));
      return migrateIn(transaction);
    }),
  );
}

/**
 * {@link migrate} as a part of a transaction.
 *
 * @param version the one to stop at; absent: the newest. A database that has a later one stays as it is.
 */
export async function migrateIn(transaction: Transaction, version?: number): Promise<string[]> {
  await transaction.query(sql`select pg_advisory_xact_lock(${advisoryLock('migration')})`);
  const { present, newest } = await schemaVersions(transaction);
  if (present > newest) {
    throw new UserError(
      `The database has schema version ${present}, this program knows ${newest}: run a newer orgdesk on it.`,
    );
  }
  if (version !== undefined && version < present) return [];
  const applied = await migrations(transaction)
    .migrate(version === undefined ? '' : String(version))
    .catch((error: unknown) => {
      throw sqlState(error) === INSUFFICIENT_PRIVILEGE ? notAllowed(present, newest, error) : error;
    });
  return applied.map((migration) => `${String(migration.version).padStart(4, '0')} ${migration.name}`);
}

/** The version of a database's schema, 0 where it has none, and the newest that this program knows. */
export async function schemaVersions(db: Reader): Promise<{ present: number; newest: number }> {
  const postgrator = migrations(db);
  return { present: await postgrator.getDatabaseVersion(), newest: await postgrator.getMaxVersion() };
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

function notAllowed(present: number, newest: number, cause: unknown): UserError {
  const found = present === 0 ? 'has no schema that this role may read' : `has schema version ${present}`;
  return new UserError(
    `The database ${found}, this program needs version ${newest}, and the role that DATABASE_URL names may not change the schema: ` +
      'run `orgdesk migrate` as the role that owns the tables, give this one its rights (docs/database.md), and start again.',
    { cause },
  );
}
