import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sql from 'sql-template-tag';
import { UserError } from '../lib/errors.ts';
import { hasEmbeddedDatabase, openEmbeddedDatabase } from './embedded-database.ts';

let base: string;
before(async () => {
  base = await mkdtemp(join(tmpdir(), 'orgdesk-embedded-'));
});
after(() => rm(base, { recursive: true }));

const lockOptions = { command: 'test' };

/** What a process leaves that is killed just before its database is complete. */
async function makeHalfOfADatabase(name: string): Promise<string> {
  await mkdir(join(base, name, 'postgres'), { recursive: true });
  await writeFile(join(base, name, 'postgres/PG_VERSION'), '18\n');
  return join(base, name);
}

test('embedded database: one whose making was cut short is made anew, a finished one is kept', async () => {
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

test('embedded database: one that a killed process left with an empty lock file of PostgreSQL is opened', async () => {
  const folder = join(base, 'locked');
  {
    await using db = await openEmbeddedDatabase(folder, lockOptions);
    await db.query(sql`create table kept (id integer)`);
  }
  await writeFile(join(folder, 'postgres/postmaster.pid'), '');
  await using db = await openEmbeddedDatabase(folder, lockOptions);
  assert.deepEqual(await db.query(sql`select id from kept`), []);
});

test('embedded database: a damaged one is named, and left as it is', async () => {
  const folder = await makeHalfOfADatabase('damaged');
  for (let attempt = 1; attempt <= 2; attempt++) {
    await assert.rejects(openEmbeddedDatabase(folder, lockOptions), (error) => {
      assert.ok(error instanceof UserError && error.message.includes(join(folder, 'postgres')), String(error));
      return true;
    });
  }
  assert.ok((await readdir(join(folder, 'postgres'))).includes('PG_VERSION'));
});
