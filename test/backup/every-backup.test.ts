import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import type { Database } from '../../src/db/database.ts';
import { openEmbeddedDatabase } from '../../src/embedded/embedded-database.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { schemaFile } from '../support/schema-file.ts';
import { openBlankDatabase, openDemoDatabase, openTestDatabase, testDatabaseKind } from '../support/test-database.ts';

/** The backups that releases have made, `landed-0066.backup` for instance. */
const BACKUPS = readdirSync('test/upgrade').filter((name) => name.endsWith('.backup'));

/** What counts as a new database. A new data folder begins with files that the build has made. */
const NEW_DATABASES: Readonly<Record<string, () => Promise<Database>>> = {
  'a database without a schema': openBlankDatabase,
  'a database with the newest schema': openTestDatabase,
  ...(testDatabaseKind() === 'pglite' && { 'a data folder that is not there': openNewFolder }),
};

async function openNewFolder(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-new-'));
  const db = await openEmbeddedDatabase(join(folder, 'data'), { command: 'test' }, { sync: false });
  return {
    ...db,
    async [Symbol.asyncDispose]() {
      await db[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

for (const name of BACKUPS) {
  const file = join('test/upgrade', name);
  describe(`the backup ${name}`, () => {
    for (const [place, open] of Object.entries(NEW_DATABASES)) {
      it(`${name} is restored into ${place}, which then has the newest schema, all rows, and answers`, async () => {
        await using api = await buildTestApp({}, open);
        const { tables } = await restoreBackup(api.db, file);
        assert.equal(await schemaFile(api.db), readFileSync('docs/schema.sql', 'utf8'));
        for (const { name: table, rows } of tables) {
          const [found] = await api.db.query<{ rows: number }>(
            sql`select count(*)::integer as rows from ${raw(table)}`,
          );
          assert.equal(found?.rows, rows, table);
        }
        const [person] = await api.db.query<{ email: string }>(
          sql`select email from users where active and company_id is not null order by id limit 1`,
        );
        const profile = await api.send({ url: '/api/users/profile', as: person?.email ?? '' });
        assert.equal(profile.json().data.email, person?.email, profile.body);
      });
    }

    it(`${name} is not restored into a database with rows, which stays as it is`, async () => {
      await using db = await openDemoDatabase();
      const before = await db.query(sql`select id::text, updated_at::text from users order by id`);
      await assert.rejects(restoreBackup(db, file), /Nothing was restored: the database has rows in companies already/);
      assert.deepEqual(await db.query(sql`select id::text, updated_at::text from users order by id`), before);
      assert.equal(await schemaFile(db), readFileSync('docs/schema.sql', 'utf8'));
    });
  });
}
