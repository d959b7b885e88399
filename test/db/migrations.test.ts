import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { contextOf } from '../../src/app/context.ts';
import { migrateCommand } from '../../src/commands/database-commands.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import { MIGRATION_WORK } from '../../src/db/migration-work.ts';
import { migrate, pendingMigrations, schemaVersions } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { openBlankDatabase, openTestDatabase } from '../support/test-database.ts';

/** `0001.do.text-folding.sql` is `0001 text-folding`. */
const ALL_MIGRATIONS = readdirSync('migrations')
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.replace(/^(\d+)\.do\.(.+)\.sql$/, '$1 $2'))
  .sort();

async function appliedVersions(db: Database): Promise<unknown[]> {
  return db.query(sql`select version::int as version, name, md5, run_at::text as time from schema_version order by 1`);
}

describe('migrations', () => {
  it('are all applied to an empty database, in order', async () => {
    await using db = await openBlankDatabase();
    assert.deepEqual(await migrate(db), ALL_MIGRATIONS);
  });

  it('change nothing when they are applied again', async () => {
    await using db = await openTestDatabase();
    const before = await appliedVersions(db);
    assert.deepEqual(await migrate(db), []);
    assert.deepEqual(await appliedVersions(db), before);
  });

  it('are applied once by instances that start at once', async () => {
    await using db = await openBlankDatabase();
    const { url } = db;
    const own = url === undefined ? [] : [1, 2, 3, 4].map(() => openPostgresDatabase({ url, maxConnections: 2 }));
    try {
      const instances = url === undefined ? [db, db, db, db] : own;
      const results = await Promise.all(instances.map((instance) => migrate(instance)));
      assert.deepEqual(
        results.toSorted((a, b) => b.length - a.length),
        [ALL_MIGRATIONS, [], [], []],
      );
    } finally {
      await Promise.all(own.map((instance) => instance[Symbol.asyncDispose]()));
    }
  });

  it('are refused on a database that is newer than the program', async () => {
    await using db = await openTestDatabase();
    await db.query(sql`insert into schema_version (version, name) values (9999, 'from the future')`);
    const before = await appliedVersions(db);
    await assert.rejects(migrate(db), (error: Error) => {
      assert.match(error.message, /schema version 9999/);
      assert.match(error.message, new RegExp(`knows ${Number.parseInt(ALL_MIGRATIONS.at(-1) ?? '', 10)}\\b`));
      assert.match(error.message, /newer orgdesk/);
      return true;
    });
    assert.deepEqual(await appliedVersions(db), before);
  });

  it('are refused where one that was applied has changed since', async () => {
    await using db = await openTestDatabase();
    await db.query(sql`update schema_version set md5 = 'another' where version = 2`);
    await assert.rejects(migrate(db), /0002\.do\.geography|MD5/i);
  });

  it('leave nothing behind when one of them fails', async () => {
    await using db = await openBlankDatabase();
    await db.query(sql`create table bookings (taken boolean)`);
    await assert.rejects(migrate(db), /bookings/);
    const tables = await db.query(
      sql`select table_name::text as name from information_schema.tables where table_schema = 'public'`,
    );
    assert.deepEqual([...tables], [{ name: 'bookings' }]);

    await db.query(sql`drop table bookings`);
    assert.deepEqual(await migrate(db), ALL_MIGRATIONS);
  });
});

describe('pending migrations', () => {
  it('each say what they do to the rows that are there', () => {
    for (const migration of ALL_MIGRATIONS) assert.ok(MIGRATION_WORK[Number.parseInt(migration, 10)], migration);
  });

  it('are listed with their seconds, and nothing is changed', async () => {
    await using db = await openBlankDatabase();
    const none = await pendingMigrations(db);
    assert.equal(none.present, 0);
    assert.deepEqual(
      none.pending.map(({ name, seconds }) => [name, seconds]),
      ALL_MIGRATIONS.map((name) => [name, 0]),
    );
    await migrate(db, { version: 20 });
    const printed: string[] = [];
    const output = {
      print: (text: string) => void printed.push(text),
      progress: () => undefined,
      flushed: async () => undefined,
    };
    const context = await contextOf(readConfig({ JWT_SECRET: TEST_SECRET }), db);
    await db.query(sql`
      insert into companies (id, name, legal_name, gstin, email, credit_limit, credit_days)
      values (gen_random_uuid(), 'One', 'One', 'ONE', 'one@x.example', 1, 1)`);
    await migrateCommand.act(context, [], output, { 'dry-run': true });
    const [first, second] = printed;
    assert.equal(first, 'The schema has version 20. To be applied:');
    assert.match(second ?? '', /^ {2}0021 unique-codes: looks for codes .* \(some 1 s\)$/);
    assert.match(printed.at(-1) ?? '', /locks every table.*some \d+ s.*Nothing has been changed\.$/);
    assert.equal((await schemaVersions(db)).present, 20);
    await migrate(db);
    await migrateCommand.act(
      context,
      [],
      { ...output, print: (text) => assert.equal(text, 'The schema is up to date.') },
      { 'dry-run': true },
    );
  });
});
