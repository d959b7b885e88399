import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sql, { raw } from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { openPGliteDatabase, type PGliteDatabase } from '../../src/embedded/pglite-database.ts';
import { importFolder } from '../../src/import/import-folder.ts';

/** What tests begin with: nothing at all, the schema without rows, with the demo companies. */
export const TEMPLATES = ['blank', 'migrated', 'demo'] as const;
export type TemplateName = (typeof TEMPLATES)[number];

/** Milliseconds; ample, because cores may be busy with other things. */
export const CONNECT_TIMEOUT_MS = 240_000;

/** Files are copied as they are: through the log of the server it takes five times as long. */
export const COPIED = 'strategy file_copy';

const DEMO = fileURLToPath(new URL('../../demo', import.meta.url));

/** How each template is made from the one before it. */
const STEPS: Readonly<Record<TemplateName, (db: Database) => Promise<unknown>>> = {
  blank: async () => undefined,
  migrated: (db) => migrate(db),
  demo: (db) => importFolder(db, DEMO),
};

/** Writes the templates into the folder, as `<name>.tar`. */
export async function writePGliteTemplates(folder: string): Promise<void> {
  await using db = await openSmallDatabase();
  for (const name of TEMPLATES) {
    await STEPS[name](db);
    writeFileSync(join(folder, `${name}.tar`), new Uint8Array(await db.dump()));
  }
}

/** Makes one template in memory: for a test file that is run by itself. */
export async function makePGliteTemplate(wanted: TemplateName): Promise<ArrayBuffer> {
  await using db = await openSmallDatabase();
  for (const name of TEMPLATES.slice(0, TEMPLATES.indexOf(wanted) + 1)) await STEPS[name](db);
  return await db.dump();
}

/** Opens an embedded database that takes half the time to be opened again: without databases that nobody uses. */
async function openSmallDatabase(): Promise<PGliteDatabase> {
  const db = await openPGliteDatabase({});
  await db.query(sql`update pg_database set datistemplate = false`);
  for (const name of ['template0', 'template1']) await db.query(sql`drop database ${raw(name)}`);
  return db;
}

export interface PostgresTemplates extends AsyncDisposable {
  /** The names of the templates and of their clones begin with it; the template is `<prefix>_<name>`. */
  readonly prefix: string;
  /** Such as `18.4`. */
  readonly serverVersion: string;
}

/**
 * Makes every template on the server. Disposing drops them, and whatever clones of them are left.
 *
 * @param url of an account that may create databases
 */
export async function makePostgresTemplates(url: string): Promise<PostgresTemplates> {
  const server = openPostgresDatabase({ url, maxConnections: 1, connectTimeout: CONNECT_TIMEOUT_MS });
  const prefix = `orgdesk_test_${randomBytes(4).toString('hex')}`;
  let parent = "template0 encoding 'UTF8'";
  for (const name of TEMPLATES) {
    await server.query(sql`create database ${raw(`${prefix}_${name}`)} template ${raw(parent)} ${raw(COPIED)}`);
    parent = `${prefix}_${name}`;
    await using db = openPostgresDatabase({
      url: databaseUrl(url, parent),
      maxConnections: 5,
      connectTimeout: CONNECT_TIMEOUT_MS,
    });
    await STEPS[name](db);
  }
  const [version] = await server.query<{ text: string }>(sql`select current_setting('server_version') as text`);
  return {
    prefix,
    serverVersion: version?.text.split(' ')[0] ?? 'of unknown version',
    async [Symbol.asyncDispose]() {
      const left = await server.query<{ name: string }>(
        sql`select datname::text as name from pg_database where starts_with(datname::text, ${prefix})`,
      );
      for (const { name } of left) await server.query(sql`drop database ${raw(name)} with (force)`);
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
