import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { openPGliteDatabase } from '../../src/embedded/pglite-database.ts';
import { CONNECT_TIMEOUT_MS, COPIED, databaseUrl, makePGliteTemplate, type TemplateName } from './templates.ts';

/** Returns what the file that runs tests on. A file that runs without the runner gets PGlite. */
export function testDatabaseKind(): 'pglite' | 'postgres' {
  return process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'pglite';
}

export interface TestDatabase extends Database {
  /** For more connections to the same database; undefined on PGlite, which has one. */
  readonly url: string | undefined;
}

/** Opens a new database with the present schema and no rows. Disposing of it removes it. */
export async function openTestDatabase(): Promise<TestDatabase> {
  return openClone('migrated');
}

/** Opens a new database with the demo companies. Disposing of it removes it. */
export async function openDemoDatabase(): Promise<TestDatabase> {
  return openClone('demo');
}

/** Opens a new database without as much as a schema. Disposing of it removes it. */
export async function openBlankDatabase(): Promise<TestDatabase> {
  return openClone('blank');
}

async function openClone(template: TemplateName): Promise<TestDatabase> {
  return testDatabaseKind() === 'postgres' ? clonePostgres(template) : clonePGlite(template);
}

/** Nothing has a deadline: a busy machine decides no test. */
const never = () => ({ [Symbol.dispose]: () => undefined });

/** Opens a new database on PGlite, whatever this process tests on. */
export async function clonePGlite(template: TemplateName): Promise<TestDatabase> {
  const dump = await pgliteTemplate(template);
  return { ...(await openPGliteDatabase({ dump, callRegularly: never })), url: undefined };
}

const pgliteTemplates = new Map<TemplateName, Promise<ArrayBuffer>>();

/** The files of an embedded database, to open new ones with. */
export async function pgliteTemplate(template: TemplateName): Promise<ArrayBuffer> {
  const folder = process.env.TEST_PGLITE_TEMPLATES;
  const dump =
    pgliteTemplates.get(template) ??
    (folder === undefined
      ? makePGliteTemplate(template)
      : readFile(join(folder, `${template}.tar`)).then((bytes) => new Uint8Array(bytes).buffer));
  pgliteTemplates.set(template, dump);
  return (await dump).slice(0);
}

/** Opens a new database on the server that the settings name, whatever this process tests on. Disposing of it removes it. */
export async function clonePostgres(template: TemplateName): Promise<TestDatabase> {
  const { TEST_POSTGRES_URL: serverUrl, TEST_POSTGRES_TEMPLATES: prefix } = process.env;
  if (serverUrl === undefined || prefix === undefined) {
    throw new Error('Tests on a PostgreSQL server are run with: npm test -- --database postgres FILE');
  }
  const name = `${prefix}_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name} template ${prefix}_${template} ${COPIED}`);
  const url = databaseUrl(serverUrl, name);
  const db = openPostgresDatabase({ url, maxConnections: 10, connectTimeout: CONNECT_TIMEOUT_MS });
  return {
    ...db,
    url,
    async [Symbol.asyncDispose]() {
      await db[Symbol.asyncDispose]();
      await onServer(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  await using server = openPostgresDatabase({ url, maxConnections: 1, connectTimeout: CONNECT_TIMEOUT_MS });
  await server.query(sql`${raw(statement)}`);
}
