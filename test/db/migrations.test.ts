import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { contextOf } from '../../src/app/context.ts';
import { migrateCommand } from '../../src/commands/database-commands.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Database } from '../../src/db/database.ts';
import { FLOOR, migrate, pendingMigrations, schemaVersions, workOf } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { schemaFile } from '../support/schema-file.ts';
import { openBlankDatabase, openTestDatabase } from '../support/test-database.ts';
import { landedSchema } from '../upgrade/landed.ts';

const FILES = readdirSync('migrations')
  .filter((file) => file.endsWith('.sql'))
  .sort();
/** `0046.do.texts.sql` is `0046 texts`. */
const ALL_MIGRATIONS = FILES.map((file) => file.replace(/^(\d+)\.do\.(.+)\.sql$/, '$1 $2'));
const BASELINE = FILES.filter((file) => Number.parseInt(file, 10) <= FLOOR);

async function appliedVersions(db: Database): Promise<unknown[]> {
  return db.query(sql`select version::int as version, name, md5, run_at::text as time from schema_version order by 1`);
}

describe('migrations', () => {
  it('all migrations are applied to an empty database, in order', async () => {
    await using db = await openBlankDatabase();
    assert.deepEqual(await migrate(db), ALL_MIGRATIONS);
  });

  it('migrations change nothing when they are applied again', async () => {
    await using db = await openTestDatabase();
    const before = await appliedVersions(db);
    assert.deepEqual(await migrate(db), []);
    assert.deepEqual(await appliedVersions(db), before);
  });

  it('instances that start at once apply each migration once', async () => {
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

  it('migrations are refused on a database that is newer than the program', async () => {
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

  it('migrations are refused if an applied one has changed since', async () => {
    await using db = await openTestDatabase();
    await db.query(sql`update schema_version set md5 = 'another' where version = 47`);
    await assert.rejects(migrate(db), /MD5 checksum failed for migration \[47\]/);
  });

  it('a failing migration leaves nothing behind', async () => {
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

describe('the instances of the release before', () => {
  /** Names that a migration takes away or changes under whoever uses them. */
  /** Of a domain, the type that it restricts: to instances both are the same, as values come and go. */
  const FROM_DOMAIN_TO_BASE = ['0081.do.refunds-and-payments.sql: alter column amount type'];
  const TAKEN = [
    /\bdrop (?:table|view|materialized view|sequence|type|domain|function|procedure|schema) (?:if exists )?(\w+)/g,
    /\bdrop column (?:if exists )?(\w+)/g,
    /\brename (?:column )?(?:\w+ )?to (\w+)/g,
    /\balter (?:column )?(\w+) (?:set data )?type\b/g,
  ];

  it('migrations since version 66 take away, rename and retype nothing that its instances know', () => {
    const known = landedSchema();
    for (const file of FILES.filter((name) => Number.parseInt(name, 10) > FLOOR)) {
      const script = readFileSync(`migrations/${file}`, 'utf8').replaceAll(/--.*$/gm, '').toLowerCase();
      for (const pattern of TAKEN) {
        for (const [statement, name = ''] of script.matchAll(pattern)) {
          const isReplaced = new RegExp(`create (?:or replace )?function ${name}\\b`).test(script);
          const isKnown = statement.includes('rename') || new RegExp(`\\b${name}\\b`).test(known);
          const what = `${file}: ${statement}`;
          assert.ok(isReplaced || !isKnown || FROM_DOMAIN_TO_BASE.includes(what), what);
        }
      }
    }
  });
});

describe('a database from before the baseline', () => {
  it('a database at version 66 is migrated automatically to exactly the schema of a new one', async () => {
    await using db = await openBlankDatabase();
    await db.transaction((transaction) => transaction.run(landedSchema()));
    const before = await appliedVersions(db);
    assert.equal(before.length, 50);
    assert.deepEqual(await migrate(db), ALL_MIGRATIONS.slice(BASELINE.length));
    assert.deepEqual((await appliedVersions(db)).slice(0, before.length), before);
    assert.equal(await schemaFile(db), readFileSync('docs/schema.sql', 'utf8'));
    assert.deepEqual(await migrate(db), []);
  });

  it('a database at an older version is refused with the release to install first, and stays unchanged', async () => {
    await using db = await openBlankDatabase();
    await db.transaction((transaction) => transaction.run(landedSchema()));
    await db.query(sql`delete from schema_version where version > 25`);
    const before = await appliedVersions(db);
    const refusal = {
      name: 'UserError',
      message:
        'The database has schema version 25, which this orgdesk cannot bring up to date: install orgdesk 0.3.0 first, ' +
        'run its `orgdesk migrate`, then start this one.',
    };
    await assert.rejects(migrate(db), refusal);
    await assert.rejects(pendingMigrations(db), refusal);
    assert.deepEqual(await appliedVersions(db), before);
  });

  it('a database at version 66 with incomplete bookings is refused with the release that completes them', async () => {
    await using db = await openBlankDatabase();
    await db.transaction((transaction) => transaction.run(landedSchema()));
    await db.query(sql`alter table bookings alter column updated_at drop not null`);
    await assert.rejects(migrate(db), /schema version 66, .* install orgdesk 0\.3\.0 first/);
  });
});

describe('pending migrations', () => {
  it('each migration begins with a sentence about its work, and names the tables that it scans', () => {
    for (const file of FILES) {
      const script = readFileSync(`migrations/${file}`, 'utf8');
      assert.match(workOf(script).does, /^[A-Z][^.]+/, file);
      if (Number.parseInt(file, 10) > FLOOR) assert.match(script, /^-- Scans: (nothing|\w+(, \w+)*)\.$/m, file);
    }
    assert.deepEqual(workOf('-- Moves names.\n-- More.\n-- Scans: users, users.\n'), {
      does: 'Moves names',
      scans: ['users', 'users'],
    });
    assert.deepEqual(workOf('-- Makes a table.\n-- Scans: nothing.\n'), { does: 'Makes a table', scans: [] });
  });

  it('pending migrations are listed with their seconds, and change nothing', async () => {
    await using db = await openBlankDatabase();
    const none = await pendingMigrations(db);
    assert.equal(none.present, 0);
    assert.deepEqual(
      none.pending.map(({ name, seconds }) => [name, seconds]),
      ALL_MIGRATIONS.map((name) => [name, 0]),
    );
    await migrate(db, { version: FLOOR });
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
    const [first, ...pending] = printed;
    assert.equal(first, 'The schema has version 66. To be applied:');
    for (const [index, name] of ALL_MIGRATIONS.slice(BASELINE.length).entries()) {
      assert.ok(pending[index]?.startsWith(`  ${name}: `), pending[index]);
    }
    assert.match(printed.at(-1) ?? '', /locks every table.*some \d+ s.*Nothing has been changed\.$/);
    assert.equal((await schemaVersions(db)).present, FLOOR);
    await migrate(db);
    await migrateCommand.act(
      context,
      [],
      { ...output, print: (text) => assert.equal(text, 'The schema is up to date.') },
      { 'dry-run': true },
    );
  });
});
