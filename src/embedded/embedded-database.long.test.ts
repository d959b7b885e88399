import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sql from 'sql-template-tag';
import { schemaVersions } from '../db/migrator.ts';
import { UserError } from '../lib/errors.ts';
import { hasEmbeddedDatabase, openEmbeddedDatabase } from './embedded-database.ts';

let base: string;
before(async () => {
  base = await mkdtemp(join(tmpdir(), 'orgdesk-embedded-'));
});
after(() => rm(base, { recursive: true }));

const lockOptions = { command: 'test' };

/** Creates what a process killed just before its database is complete leaves behind. */
async function makeHalfOfADatabase(name: string): Promise<string> {
  await mkdir(join(base, name, 'postgres'), { recursive: true });
  await writeFile(join(base, name, 'postgres/PG_VERSION'), '18\n');
  return join(base, name);
}

test('an embedded database that was only half created is created again, and a complete one is kept', async () => {
  const folder = await makeHalfOfADatabase('unfinished');
  await writeFile(join(folder, 'postgres.unfinished'), '');
  {
    await using db = await openEmbeddedDatabase(folder, lockOptions);
    await db.query(sql`create table kept (id integer)`);
  }
  assert.deepEqual(await readdir(folder), ['postgres']);
  assert.equal(await hasEmbeddedDatabase(folder), true);
  await using db = await openEmbeddedDatabase(folder, lockOptions);
  assert.deepEqual(await db.query(sql`select id from kept`), []);
});

test('a new embedded database has the current schema, no rows, and small buffers', async () => {
  await using db = await openEmbeddedDatabase(join(base, 'new'), lockOptions);
  const { present, newest } = await schemaVersions(db);
  assert.equal(present, newest);
  const [state] = await db.query<{ companies: number; buffers: string }>(
    sql`select (select count(*)::integer from companies) as companies, current_setting('shared_buffers') as buffers`,
  );
  assert.deepEqual(state?.companies, 0);
  assert.ok(Number.parseInt(state.buffers, 10) < 32, state.buffers);
});

test('an embedded database with an empty PostgreSQL lock file of a killed process can be opened', async () => {
  const folder = join(base, 'locked');
  {
    await using db = await openEmbeddedDatabase(folder, lockOptions);
    await db.query(sql`create table kept (id integer)`);
  }
  await writeFile(join(folder, 'postgres/postmaster.pid'), '');
  await using db = await openEmbeddedDatabase(folder, lockOptions);
  assert.deepEqual(await db.query(sql`select id from kept`), []);
});

test('opening a damaged embedded database throws an error with its path and leaves the files unchanged', async () => {
  const folder = await makeHalfOfADatabase('damaged');
  for (let attempt = 1; attempt <= 2; attempt++) {
    await assert.rejects(openEmbeddedDatabase(folder, lockOptions), (error) => {
      assert.ok(error instanceof UserError && error.message.includes(join(folder, 'postgres')), String(error));
      return true;
    });
  }
  assert.ok((await readdir(join(folder, 'postgres'))).includes('PG_VERSION'));
});

test('opening an embedded database makes its folder private, whether it is new or already exists', async () => {
  const folder = join(base, 'open-to-all');
  const rights = async () => (await stat(join(folder, 'postgres'))).mode & 0o777;
  await mkdir(folder);
  await chmod(folder, 0o755);
  {
    await using _db = await openEmbeddedDatabase(folder, lockOptions);
    assert.equal(await rights(), 0o700);
  }
  await chmod(join(folder, 'postgres'), 0o755);
  await using _db = await openEmbeddedDatabase(folder, lockOptions);
  assert.equal(await rights(), 0o700);
});
