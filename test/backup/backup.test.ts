import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { LAST_LINE } from '../../src/backup/backup-format.ts';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { DERIVED_TABLES, listTables } from '../../src/backup/tables.ts';
import { writeBackup } from '../../src/backup/write-backup.ts';
import { migrate, schemaVersions } from '../../src/db/migrator.ts';
import { addPerson } from '../support/people.ts';
import { uuid } from '../support/rows.ts';
import { schemaFile } from '../support/schema-file.ts';
import {
  clonePGlite,
  openBlankDatabase,
  openDemoDatabase,
  openTestDatabase,
  type TestDatabase,
} from '../support/test-database.ts';
import { LANDED_BACKUP, LANDED_SCHEMA } from '../upgrade/landed.ts';
import { backupFolder, refusal, wholeContents } from './backups.ts';
import { NASTY, openFullDatabase } from './full-database.ts';

describe('a backup', () => {
  const folder = backupFolder();
  const file = folder.file('full');
  let source: TestDatabase;
  let contents: Awaited<ReturnType<typeof wholeContents>>;
  /** Restored from the file. */
  let copy: TestDatabase;
  before(async () => {
    source = await openFullDatabase();
    contents = await wholeContents(source);
    await writeBackup(source, file);
    copy = await openBlankDatabase();
    await assert.rejects(writeBackup(copy, folder.file('blank')), refusal(/no schema yet/));
    await restoreBackup(copy, file);
  });
  after(async () => {
    await source?.[Symbol.asyncDispose]();
    await copy?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it('a backup holds every table of the schema except the derived ones', async () => {
    const tables = await source.query<{ name: string }>(sql`
      select relname::text as name from pg_class
       where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by relname`);
    const backedUp = (await listTables(source)).map(({ name }) => name);
    assert.deepEqual(
      tables.map(({ name }) => name),
      [...backedUp, ...DERIVED_TABLES].toSorted(),
    );
  });

  it('a backup restored into a new database has the same rows, and a backup of that is the same', async () => {
    for (const [name, rows] of Object.entries(contents)) assert.ok(rows.length > 0, name);
    assert.deepEqual(await wholeContents(copy), contents);
    const second = await writeBackup(copy, folder.file('second'));
    const { tables } = JSON.parse(readFileSync(file, 'utf8').split('\n')[1] ?? '');
    assert.deepEqual(second.tables, tables);
  });

  it('a restored database accepts writes, continues its sequences and protects its audit trail', async () => {
    const [highest] = await copy.query<{ id: number }>(sql`select max(id)::integer as id from audit_changes`);
    const { id } = await addPerson(copy);
    const [next] = await copy.query<{ id: number }>(sql`
      insert into audit_changes (actor_kind, action, entity, entity_id, user_id, fields)
      values ('command', 'erased', 'user', ${id}, ${id}::uuid, '{}') returning id::integer as id`);
    assert.equal(next?.id, (highest?.id ?? 0) + 1);
    await assert.rejects(copy.query(sql`delete from audit_changes`), { code: '23001' });
    assert.deepEqual(await migrate(copy), []);
  });

  it('a restore switches the webhooks off', async () => {
    await using sending = await openTestDatabase();
    await sending.query(sql`insert into webhooks (id, url) values (${uuid(1)}, 'https://hooks.example')`);
    await writeBackup(sending, folder.file('sending'));
    await using db = await openBlankDatabase();
    await restoreBackup(db, folder.file('sending'));
    const webhooks = await db.query<{ active: boolean; reason: string }>(
      sql`select active, disabled_reason as reason from webhooks`,
    );
    assert.deepEqual(webhooks, [{ active: false, reason: 'Restored from a backup: switch it on where it is to send' }]);
  });

  it('a backup of either database is restored into the embedded one and back', async () => {
    await using embedded = await clonePGlite('blank');
    await restoreBackup(embedded, file);
    await writeBackup(embedded, folder.file('embedded'));
    await using db = await openTestDatabase();
    await restoreBackup(db, folder.file('embedded'));
    assert.deepEqual(await wholeContents(db), contents);
  });

  it('a backup of the earliest supported schema is restored into a new database and migrated', async () => {
    await using db = await openBlankDatabase();
    const { schemaVersion, tables } = await restoreBackup(db, LANDED_BACKUP);
    assert.equal(schemaVersion, LANDED_SCHEMA);
    assert.equal(await schemaFile(db), readFileSync('docs/schema.sql', 'utf8'));
    for (const { name, rows } of tables) {
      const [found] = await db.query<{ count: number }>(sql`select count(*)::integer as count from ${raw(name)}`);
      assert.equal(found?.count, rows, name);
    }
    const counts = (await wholeContents(db)).company_counts ?? [];
    const counted = await db.query<{ line: string }>(sql`
      select concat_ws(' ', counted, company_id, count(*)) as line
        from (select 'bookings' as counted, company_id from bookings union all select 'users', company_id from users) rows
       group by counted, company_id`);
    assert.deepEqual(counts, counted.map(({ line }) => line).toSorted());
  });

  it('a restore of an older backup is refused with the release to use instead', async () => {
    const [first = '', header = '', ...rest] = readFileSync(file, 'latin1').split('\n');
    const older = JSON.stringify({ ...JSON.parse(Buffer.from(header, 'latin1').toString()), schemaVersion: 65 });
    const body = Buffer.from([first, Buffer.from(older).toString('latin1'), ...rest].join('\n'), 'latin1').subarray(
      0,
      -LAST_LINE,
    );
    writeFileSync(
      folder.file('older'),
      Buffer.concat([body, Buffer.from(`${createHash('sha256').update(body).digest('hex')}\n`)]),
    );
    await using db = await openBlankDatabase();
    await assert.rejects(
      restoreBackup(db, folder.file('older')),
      refusal(/older has schema version 65, .*: restore it with orgdesk 0\.3\.0, and back that database up anew\.$/),
    );
    assert.equal((await schemaVersions(db)).present, 0);
  });

  it('a backup contains the state of one moment while rows are written', async () => {
    const writes: Promise<unknown>[] = [];
    await writeBackup(source, folder.file('moment'), {
      onProgress: ({ table }) => {
        if (table === 'companies') writes.push(source.query(sql`delete from bookings`), addPerson(source));
      },
    });
    await Promise.all(writes);
    assert.equal((await wholeContents(source)).bookings?.length, 0);
    await using db = await openBlankDatabase();
    await restoreBackup(db, folder.file('moment'));
    assert.deepEqual(await wholeContents(db), contents);
  });

  it('a backup is readable for its owner alone, and replaces a file only with --force', async () => {
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const before = readFileSync(file);
    await assert.rejects(writeBackup(source, file), refusal(/full is there already: .*--force/));
    assert.deepEqual(readFileSync(file), before);
    writeFileSync(folder.file('other'), 'x', { mode: 0o644 });
    await writeBackup(source, folder.file('other'), { force: true });
    assert.equal(statSync(folder.file('other')).mode & 0o777, 0o600);
  });

  it('a backup that fails leaves no file, and removes the unfinished file of a killed one', async () => {
    const left = folder.file('given up.0123abcd.unfinished');
    writeFileSync(left, '');
    const fault = new Error('on purpose');
    const failed = writeBackup(source, folder.file('given up'), {
      onProgress: ({ table }) => {
        if (table === 'users') throw fault;
      },
    });
    await assert.rejects(failed, (error) => error === fault);
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.startsWith('given up')),
      [],
    );
    const nowhere = folder.file('no folder/backup');
    await assert.rejects(writeBackup(source, nowhere), refusal(/^Nothing was backed up to .*ENOENT/));
  });
});

describe('restoring', () => {
  const folder = backupFolder();
  after(() => folder[Symbol.dispose]());
  const file = folder.file('good');
  let whole: Buffer;
  let db: TestDatabase;
  before(async () => {
    await using source = await openFullDatabase();
    await writeBackup(source, file);
    whole = readFileSync(file);
    db = await openBlankDatabase();
  });
  after(() => db?.[Symbol.asyncDispose]());

  /** Restores bytes that must be refused, and makes sure that this left nothing. */
  async function assertRefused(bytes: Buffer, pattern: RegExp): Promise<void> {
    const bad = folder.file('bad');
    writeFileSync(bad, bytes);
    await assert.rejects(restoreBackup(db, bad), refusal(pattern));
    const tables = sql`select from pg_class where relnamespace = current_schema()::regnamespace`;
    assert.equal((await db.query(tables)).length, 0);
  }
  const CHANGED = /bad (is not as it was written|is no backup|is a backup in format \d+)/;

  it('a restore of a backup that is cut off anywhere is refused, and leaves no table', async () => {
    const lengths = Array.from({ length: 40 }, () => Math.floor(Math.random() * whole.length));
    for (const length of [0, 1, 24, 25, whole.length - 65, whole.length - 64, whole.length - 1, ...lengths]) {
      await assertRefused(whole.subarray(0, length), CHANGED);
    }
  });

  it('a restore of a backup with a changed bit or additional bytes is refused, and leaves no table', async () => {
    for (let round = 0; round < 60; round++) {
      const changed = Buffer.from(whole);
      const place = round < 20 ? whole.length - 1 - 4 * round : Math.floor(Math.random() * whole.length);
      changed[place] = (changed[place] ?? 0) ^ (1 << (round % 8));
      await assertRefused(changed, CHANGED);
    }
    await assertRefused(Buffer.concat([whole, Buffer.from('\n')]), CHANGED);
  });

  it('a restore of a file that is no backup is refused with what the file is', async () => {
    await assertRefused(Buffer.from('PK\u0003\u0004'), /bad is no backup of orgdesk/);
    await assertRefused(Buffer.from('orgdesk backup, format 2\n{}'), /format 2, .*newer orgdesk/);
    await assert.rejects(restoreBackup(db, folder.file('none')), refusal(/^Nothing was restored: ENOENT/));
    await assert.rejects(restoreBackup(db, folder.path), refusal(/is a folder, and no regular file/));
  });

  it('a restore into a database with rows is refused, and changes nothing', async () => {
    await using full = await openDemoDatabase();
    const before = await wholeContents(full);
    await assert.rejects(restoreBackup(full, file), refusal(/has rows in companies already.*DATA_DIR to a new folder/));
    assert.deepEqual(await wholeContents(full), before);
  });

  it('a backup of a newer schema and a restore into one are refused', async () => {
    await using newer = await openTestDatabase();
    await newer.query(sql`insert into schema_version (version, name) values (9999, 'from the future')`);
    await assert.rejects(writeBackup(newer, folder.file('newer')), refusal(/schema version 9999.*newer orgdesk/));
    await assert.rejects(restoreBackup(newer, file), refusal(/schema version 9999.*newer orgdesk/));
  });

  it('a restore that fails midway leaves no table, and the next one succeeds', async () => {
    const fault = new Error('on purpose');
    for (const stopAt of ['users', 'audit_personal_values']) {
      const onProgress = ({ table }: { table: string }) => {
        if (table === stopAt) throw fault;
      };
      const failed = restoreBackup(db, file, { onProgress });
      await assert.rejects(failed, (error) => error === fault);
      const tables = await db.query(sql`select from pg_class where relname in ('users', 'schema_version')`);
      assert.equal(tables.length, 0);
    }
    await restoreBackup(db, file);
    const [row] = await db.query<{ users: number }>(sql`select count(*)::integer as users from ${raw('users')}`);
    assert.ok((row?.users ?? 0) > NASTY.length);
  });
});
