import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { writeBackup } from '../../src/backup/write-backup.ts';
import { migrate } from '../../src/db/migrator.ts';
import { openEmbeddedDatabase } from '../../src/embedded/embedded-database.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { exportFolder } from '../../src/import/write/export-folder.ts';
import { DiskLowError } from '../../src/lib/errors.ts';
import { PROGRAM } from '../../src/lib/program.ts';
import { contents, makeFolder, user, validFiles } from '../import/folders.ts';
import { buildTestApp, type TestApp } from '../support/build-test-app.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { openDemoDatabase, testDatabaseKind } from '../support/test-database.ts';

const PERSON = 'admin@acme.example';
const [RESERVE, ENOUGH, LOW] = [256e6, 900e6, 100e6];
const lockOptions = { command: 'test' };

function embeddedTests(): void {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-disk-'));
  const dataDir = join(folder, 'data');
  let free = ENOUGH;
  let api: TestApp;

  const open = () => openEmbeddedDatabase(dataDir, lockOptions, { reserve: RESERVE, freeSpace: () => free });
  /** Waits until the service has seen it. */
  async function setFree(bytes: number): Promise<void> {
    free = bytes;
    await sleep(60);
  }
  const update = (fields: object, headers: Record<string, string> = {}) =>
    api.send({ method: 'POST', url: '/api/users/update-profile', as: PERSON, headers, payload: fields });
  const get = (url: string) => api.send({ method: 'GET', url, as: PERSON });
  const isLow = (error: unknown) => error instanceof DiskLowError && /DISK_RESERVE/.test(error.message);

  before(async () => {
    await makeDataFolder(dataDir, 'demo');
    api = await buildTestApp({}, open);
  });
  after(async () => {
    await api?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  it('updates below the disk reserve get 503, reads are answered, and updates recover automatically', async () => {
    assert.equal((await update({ firstName: 'Before' })).statusCode, 200);
    await setFree(LOW);
    for (const headers of [{}, { 'if-match': '*' }] as Record<string, string>[]) {
      const { statusCode, headers: answered, body } = await update({ firstName: 'Never' }, headers);
      assert.deepEqual([statusCode, answered['retry-after']], [503, '30']);
      const { requestId: _, message, ...rest } = JSON.parse(body);
      assert.deepEqual(rest, { success: false, code: 'DISK_FULL' });
      assert.doesNotMatch(message, /orgdesk-disk|MB/);
    }
    for (const url of ['/api/users/profile', '/api/audit/list', '/api/events/list', '/api/countries/list', '/livez']) {
      assert.equal((await get(url)).statusCode, 200, url);
    }
    assert.equal((await get('/api/users/profile')).json().data.firstName, 'Before');
    const readiness = await get('/readyz');
    assert.deepEqual([readiness.statusCode, readiness.json().data.disk], [200, 'low']);

    await setFree(ENOUGH);
    assert.equal((await get('/readyz')).json().data.disk, 'ok');
    assert.equal((await update({ firstName: 'After' })).statusCode, 200);
    const changes = (await get('/api/audit/list?limit=2'))
      .json()
      .data.map(({ changes: [change] }: Change) => change?.after);
    assert.deepEqual(changes, ['After', 'Before']);
  });

  it('a transaction during which the disk fills is rolled back, and can read until then', async () => {
    const { db } = api;
    const firstNames = async () => (await contents(db)).users?.map((row) => row.first_name);
    const before = await firstNames();
    const failed = db.transaction(async (transaction) => {
      await transaction.query(sql`update users set first_name = 'Half'`);
      await setFree(LOW);
      assert.equal((await transaction.query(sql`select from users where first_name <> 'Half'`)).length, 0);
      await transaction.query(sql`update users set last_name = 'Other half'`);
    });
    await assert.rejects(failed, isLow);
    assert.deepEqual(await firstNames(), before);
    for (const write of [
      () => db.query(sql`insert into webhooks (url, entities) values ('https://hooks.example', 'user')`),
      () => db.query(sql`select erase_audit_values(gen_random_uuid()), nextval('company_counts_id')`),
      () => db.session((session) => session.query(sql`create table made ()`)),
      () => db.session((session) => session.transaction((transaction) => transaction.run('truncate bookings'))),
    ]) {
      await assert.rejects(write(), isLow);
    }
    assert.deepEqual(await migrate(db), []);
    await setFree(ENOUGH);
    await db.session((session) => session.query(sql`create table made ()`));
  });

  it('an import that may not fit is refused, and one that runs out of space leaves nothing', async () => {
    const { db } = api;
    await using folder = await makeFolder({
      'companies.csv': validFiles['companies.csv'],
      'departments.csv': validFiles['departments.csv'],
      'bands.csv': validFiles['bands.csv'],
      'users.csv': Array.from({ length: 3_000 }, (_, index) => user(1000 + index, 1)),
    });
    const refused = (pattern: RegExp) => (error: Error) => {
      assert.match(error.message, /^Nothing was imported from .*: The disk of .* has too little space: /);
      assert.match(error.message, pattern);
      return true;
    };
    await setFree(RESERVE + 3e6);
    await assert.rejects(importFolder(db, folder.path), refused(/and this needs about \d+ MB\. Make room on it\.$/));
    for (const step of ['reading', 'writing'] as const) {
      await setFree(ENOUGH);
      const before = await contents(db);
      const failed = importFolder(db, folder.path, {
        onProgress: (progress) => {
          if (progress.file !== 'users.csv' || progress.step !== step) return;
          free = LOW;
          const seen = performance.now() + 60;
          while (performance.now() < seen);
        },
      });
      await assert.rejects(failed, refused(/100 MB are free, 256 MB are to stay free/));
      assert.deepEqual(await contents(db), before);
      const staged = await db.query(sql`select from pg_class where relname like 'import\_%' and relpersistence = 't'`);
      assert.equal(staged.length, 0, 'the space of the staging tables is free again');
    }
    await setFree(ENOUGH);
    await importFolder(db, folder.path);
  });

  it('a backup or export to the same full disk is refused, and one to another disk is written', async () => {
    await setFree(LOW);
    const file = join(folder, 'backup');
    await assert.rejects(writeBackup(api.db, file), isLow);
    await assert.rejects(exportFolder(api.db, join(folder, 'export')), isLow);
    assert.deepEqual(readdirSync(folder).toSorted(), ['data', 'export']);
    assert.deepEqual(readdirSync(join(folder, 'export')), []);
    await setFree(ENOUGH);
    await writeBackup(api.db, file);
  });

  it('a database is neither created without enough space nor opened with almost none', async () => {
    const fresh = join(folder, 'fresh');
    const openWith = (path: string, bytes: number) =>
      openEmbeddedDatabase(path, lockOptions, { reserve: RESERVE, freeSpace: () => bytes });
    await assert.rejects(openWith(fresh, RESERVE + 100e6), /too little space: 356 MB .* this needs about 200 MB/);
    assert.deepEqual(readdirSync(fresh), []);
    const other = await makeDataFolder(join(folder, 'other'), 'migrated');
    await assert.rejects(openWith(other, 10e6), isLow);
    await using db = await openWith(other, LOW);
    assert.deepEqual(await migrate(db), []);
  });
}

interface Change {
  changes: { after: unknown }[];
}

describe('the disk of the database', () => {
  if (testDatabaseKind() === 'pglite') return embeddedTests();
  it('the service reports nothing about the disk of a database server', async () => {
    await using api = await buildTestApp({}, openDemoDatabase);
    const { data } = (await api.app.inject('/readyz')).json();
    assert.deepEqual(data, { version: PROGRAM.version, database: 'up' });
  });
});
