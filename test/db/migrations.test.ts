import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
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
