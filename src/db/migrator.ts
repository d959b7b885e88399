import { fileURLToPath } from 'node:url';
import Postgrator from 'postgrator';
import sql, { raw } from 'sql-template-tag';
import { UserError } from '../lib/errors.ts';
import type { Database, Transaction } from './database.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/*.sql', import.meta.url));

/** Any number will do that no other program uses for advisory locks on this database. */
const MIGRATION_LOCK = 7_241_906;

/**
 * Brings the schema up to date, in one transaction: all pending migrations or none.
 * Instances that start at once wait for each other, and the second finds nothing to do.
 *
 * @returns the names of the migrations that were applied
 * @throws UserError where an applied migration's file has changed since, or the database is newer than this program
 */
export async function migrate(db: Database): Promise<string[]> {
  return db.session((session) => session.transaction((transaction) => migrateIn(transaction)));
}

async function migrateIn(transaction: Transaction): Promise<string[]> {
  await transaction.query(sql`select pg_advisory_xact_lock(${raw(String(MIGRATION_LOCK))})`);
  const postgrator = new Postgrator({
    driver: 'pg',
    schemaTable: 'schema_version',
    migrationPattern: MIGRATIONS,
    execQuery: async (query) => ({ rows: await transaction.query(sql([query])) }),
    execSqlScript: (script) => transaction.run(script),
  });
  const [present, newest] = [await postgrator.getDatabaseVersion(), await postgrator.getMaxVersion()];
  if (present > newest) {
    throw new UserError(
      `The database has schema version ${present}, this program knows ${newest}: run a newer orgdesk on it.`,
    );
  }
  const applied = await postgrator.migrate();
  return applied.map((migration) => `${String(migration.version).padStart(4, '0')} ${migration.name}`);
}
