import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { FILE_NAMES } from '../../src/import/write/csv-folder.ts';
import type { Service } from '../support/command-line.ts';
import { openDemoCommandLine } from '../support/demo-command-line.ts';
import { openBlankDatabase, testDatabaseKind } from '../support/test-database.ts';
import { INACTIVE, type MadeToken, testCommands } from './command-tests.ts';

/*
 * Each command on a database that nobody uses, then next to a service. On the embedded database the service is asked to do it
 * in the second case, as it holds the data folder.
 */
const demo = await openDemoCommandLine();
const { commandLine, settings, run, outputOf } = demo;
let service: Service | undefined;

after(() => demo[Symbol.asyncDispose]());

const EMPLOYEE = 'employee@acme.example';
const tokens: MadeToken[] = [];

async function get(path: string, token: string): Promise<{ status: number; body: { data: unknown } }> {
  const response = await fetch(`${service?.address}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, body: (await response.json()) as { data: unknown } };
}

describe('commands', { concurrency: false }, () => {
  testCommands(demo, tokens, 'without a service', 7);

  test('migrate prepares a new database, and lists the applied migrations', async () => {
    await using blank = testDatabaseKind() === 'postgres' ? await openBlankDatabase() : undefined;
    const fresh = { DATA_DIR: join(commandLine.folder, 'fresh'), ...(blank?.url && { DATABASE_URL: blank.url }) };
    const { code, stdout, stderr } = await commandLine.run(['migrate'], fresh);
    assert.equal(code, 0);
    assert.match(stderr, blank ? /^Database: [^@]+:\d+\/\w+\n$/ : /^Database: embedded, in .*fresh\n$/);
    // A new embedded database has the schema from the start.
    assert.match(stdout, blank ? /^Applied 0046 texts, 0047 organisation, .*\.\n$/ : /^The schema is up to date\.\n$/);
  });

  test('restore creates a new database from a backup', async () => {
    await using blank = testDatabaseKind() === 'postgres' ? await openBlankDatabase() : undefined;
    const copy = { DATA_DIR: join(commandLine.folder, 'copy'), ...(blank?.url && { DATABASE_URL: blank.url }) };
    const { stdout, stderr } = await commandLine.run(['restore', 'backup 7'], copy, { folder: commandLine.folder });
    assert.match(stderr, /^Database: [^@]+\n$/);
    const rows = '\\d+ rows of \\d+ tables, schema version \\d+';
    assert.match(stdout, new RegExp(`^Restoring (${rows}) …\\nRestored \\1, as they were at \\d{4}-.*Z\\.\\n$`));
    assert.match((await commandLine.run(['token', EMPLOYEE], copy)).stdout, /^[\w-]+\./);
  });

  test('template writes files without a database, which can be imported', async () => {
    const nowhere = { ...settings, DATA_DIR: join(commandLine.folder, 'absent'), DATABASE_URL: '' };
    const { code, stdout, stderr } = await commandLine.run(['template', 'template'], nowhere, {
      folder: commandLine.folder,
    });
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(stdout.match(/^\S+(?=: its header and an example$)/gm), FILE_NAMES);
    assert.ok(!existsSync(join(commandLine.folder, 'absent')));
    const dry = await outputOf('import', join(commandLine.folder, 'template'), '--dry-run');
    assert.match(dry, /^users\.csv: 1 rows, /m);
  });

  test('serve starts on a database on which commands have worked', async () => {
    service = await commandLine.serve(settings);
  });

  testCommands(demo, tokens, 'next to a service', 8);

  test('tokens made with and without a running service are valid for active people', async () => {
    assert.equal(tokens.length, 4);
    for (const { email, token } of tokens) {
      const { status, body } = await get('/api/users/profile', token);
      if (email === INACTIVE) assert.equal(status, 401);
      else assert.deepEqual([status, (body.data as { email: string }).email], [200, email]);
    }
  });

  test('the service returns companies imported before its start and during its run', async () => {
    const token = await outputOf('token', 'super.admin@orgdesk.example');
    const { body } = await get('/api/companies/list?search=company%201', token.trimEnd());
    assert.deepEqual((body.data as { id: string }[]).map(({ id }) => id.at(24)).sort(), ['7', '8']);
  });

  test('import of a missing folder fails with its full path', async () => {
    const { code, stderr } = await run('import', 'no such folder');
    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(`^Nothing was imported from ${join(commandLine.folder, 'no such folder')}: there is no`),
    );
  });

  test('token through npm prints the token alone', async () => {
    mkdirSync(join(commandLine.folder, 'home'));
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'orgdesk', '--', 'token', EMPLOYEE], {
      cwd: commandLine.folder,
      env: { PATH: process.env.PATH, HOME: join(commandLine.folder, 'home'), ...settings },
    });
    assert.match(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  });
});
