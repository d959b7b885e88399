import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { writeBackup } from '../../src/backup/write-backup.ts';
import type { Reader } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrator.ts';
import { openPGliteDatabase } from '../../src/embedded/pglite-database.ts';
import { backupFolder } from '../backup/backups.ts';
import { assertInvalid, assertRefused } from '../support/answers.ts';
import type { TestApp } from '../support/build-test-app.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson } from '../support/people.ts';
import { insertRow, validRows } from '../support/rows.ts';
import { openBlankDatabase } from '../support/test-database.ts';
import { updateProfile } from '../support/update-profile.ts';
import { addChanges, EVENTS_LIST, endOfFeed, follow } from './trail.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const { email } = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });

const encode = (text: string) => Buffer.from(text).toString('base64url');
const decode = (cursor: string) => Buffer.from(cursor, 'base64url').toString();

async function change(on: TestApp, as: string, gender: string): Promise<void> {
  assert.equal((await updateProfile(on, 'POST', as, { gender })).statusCode, 200);
}

async function gendersAfter(on: TestApp, as: string, after: string): Promise<unknown[]> {
  const { items } = await follow(on, as, { after });
  return items.map(({ changes: [field] }) => field?.after);
}

async function assertGone(on: TestApp, as: string, cursor: string): Promise<void> {
  const { message } = assertRefused(
    await on.send({ url: EVENTS_LIST, as, query: { after: cursor } }),
    410,
    'CURSOR_GONE',
  );
  assert.match(message, /from=now.*whole state/);
}

describe('a cursor of the change feed', () => {
  it('events/list returns 410 for a cursor whose position the feed has not reached', async () => {
    const end = await endOfFeed(api, email);
    for (const position of ['999999999', '9'.repeat(18)]) {
      await assertGone(api, email, encode(decode(end).replace(/^(2:[^:]+):\d+/, `$1:${position}`)));
    }
    assert.deepEqual(await gendersAfter(api, email, end), []);
  });

  it('events/list returns 410 for a cursor of another feed, and for the former format', async () => {
    const end = decode(await endOfFeed(api, email));
    await assertGone(api, email, encode(end.replace(/^2:[^:]+/, `2:${randomUUID()}`)));
    for (const former of ['1:0', '1:1', '1:999999999']) await assertGone(api, email, encode(former));
  });

  it('events/list returns 410 after a restore for each earlier cursor, also after new changes', async () => {
    using folder = backupFolder();
    await change(api, email, 'Kept');
    const published = await endOfFeed(api, email);
    await change(api, email, 'Kept, not published');
    await writeBackup(api.db, folder.file('backup'));
    await change(api, email, 'Lost');
    const lost = await endOfFeed(api, email);

    const db = await openBlankDatabase();
    await restoreBackup(db, folder.file('backup'));
    await using restored = await buildCheckedApp({}, async () => db);
    const { items, next } = await follow(restored, email, { from: 'now' });
    assert.deepEqual(items, []);
    for (const cursor of [encode(decode(published).replace(/:\d+:.*/, ':0:')), published, lost]) {
      await assertGone(restored, email, cursor);
    }
    await change(restored, email, 'New');
    await change(restored, email, 'Newer');
    assert.deepEqual(await gendersAfter(restored, email, next), ['New', 'Newer']);
    for (const cursor of [published, lost]) await assertGone(restored, email, cursor);
    assert.deepEqual(await gendersAfter(api, email, published), ['Kept, not published', 'Lost']);
  });

  it('a cursor is valid in a copy of the data until the copy has other changes at its position', async () => {
    const original = await openPGliteDatabase({});
    await migrate(original);
    for (const table of ['companies', 'departments', 'employee_bands', 'users', 'system_roles'] as const) {
      await insertRow(original, table, validRows[table]);
    }
    await using first = await buildCheckedApp({}, async () => original);
    const ana = validRows.users.email as string;
    await change(first, ana, 'Before');
    const { next: start } = await follow(first, ana);
    const dump = await original.dump();
    await using second = await buildCheckedApp({}, () => openPGliteDatabase({ dump }));

    await change(first, ana, 'First');
    const { next } = await follow(first, ana, { after: start });
    await assertGone(second, ana, next);
    await change(second, ana, 'Second');
    await change(second, ana, 'Third');
    assert.deepEqual(await gendersAfter(second, ana, start), ['Second', 'Third']);
    await assertGone(second, ana, next);
    assert.deepEqual(await gendersAfter(first, ana, start), ['First']);
  });
});

describe('the positions of the change feed', () => {
  const positions = async (db: Reader) =>
    (
      await db.query<{ position: number }>(sql`
        select position::integer as position from audit_changes where position is not null order by position`)
    ).map(({ position }) => position);

  it('positions of the feed continue after a rolled-back publication', async () => {
    await using db = await openBlankDatabase();
    await migrate(db);
    await addChanges(db, 5);
    await db.query(sql`select publish_audit_changes(2)`);
    const undone = db.transaction(async (transaction) => {
      await transaction.query(sql`select publish_audit_changes(2)`);
      throw new Error('undo');
    });
    await assert.rejects(undone, /undo/);
    await db.query(sql`select publish_audit_changes(5)`);
    assert.deepEqual(await positions(db), [1, 2, 3, 4, 5]);
  });

  it('positions of the feed are not reused when rows are removed and their numbers restart', async () => {
    await using db = await openBlankDatabase();
    await migrate(db);
    await addChanges(db, 3);
    await db.query(sql`select publish_audit_changes(3)`);
    await db.transaction((transaction) =>
      transaction.run(`
        alter table audit_changes disable trigger user;
        delete from audit_changes where position > 1;
        alter table audit_changes alter column id restart with 2;
        alter table audit_changes enable trigger user;`),
    );
    await addChanges(db, 2);
    await db.query(sql`select publish_audit_changes(3)`);
    assert.deepEqual(await positions(db), [1, 4, 5]);
  });
});

describe('from=now', () => {
  it('events/list with from=now begins after the last change, published or not', async () => {
    const start = await endOfFeed(api, email);
    await change(api, email, 'Earlier');
    await addChanges(api.db, 1234);
    const now = await follow(api, email, { from: 'now' });
    assert.deepEqual(now.items, []);
    assert.deepEqual(await follow(api, email, { after: now.next }), { items: [], next: now.next });
    assert.equal(await endOfFeed(api, email), now.next);
    await change(api, email, 'Later');
    assert.deepEqual(await gendersAfter(api, email, now.next), ['Later']);
    assert.equal((await gendersAfter(api, email, start))[0], 'Earlier');
  });

  it('events/list with from=now begins after the changes that another transaction is publishing', async () => {
    await addChanges(api.db, 3);
    let answered: Promise<{ next: string }> | undefined;
    let isAnswered = false;
    await api.db.transaction(async (transaction) => {
      await transaction.query(sql`select publish_audit_changes(2)`);
      answered = follow(api, email, { from: 'now' }).finally(() => {
        isAnswered = true;
      });
      await sleep(100);
      assert.equal(isAnswered, false);
    });
    const { next } = (await answered) ?? assert.fail();
    assert.equal(next, await endOfFeed(api, email));
  });

  it('events/list returns 400 for from together with after, and for any other value of from', async () => {
    const after = await endOfFeed(api, email);
    for (const query of [{ from: 'now', after }, { from: 'now', after: 'x' }, { from: 'then' }, { from: 'NOW' }]) {
      assertInvalid(await api.send({ url: EVENTS_LIST, as: email, query: query as Record<string, string> }), 'from');
    }
    assert.equal((await follow(api, email, { from: '', after })).next, after);
  });
});
