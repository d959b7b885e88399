import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql, { join } from 'sql-template-tag';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { writeBackup } from '../../src/backup/write-backup.ts';
import type { Reader } from '../../src/db/database.ts';
import type { BookingView } from '../../src/features/bookings/bookings-schemas.ts';
import { openAdministration } from '../administration/administration.ts';
import { backupFolder } from '../backup/backups.ts';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { openBlankDatabase, openTestDatabase } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';

const db = await openTestDatabase();
const administration = await openAdministration(async () => db);
after(() => administration[Symbol.asyncDispose]());
const { home, other, admin, foreignAdmin, superAdmin, add, get, post } = administration;
const traveller = await add();

const record = async (...bookings: { id: string; [field: string]: unknown }[]) =>
  dataOf(
    await post(superAdmin, 'bookings/record', {
      bookings: bookings.map((each) => ({ companyId: home.id, userId: traveller.id, amount: '10.00', ...each })),
    }),
  );
/** Waits until no transaction runs that began before: those of other tests are on the same server. */
async function settle(): Promise<void> {
  const [{ id } = assert.fail()] = await db.query<{ id: string }>(sql`select pg_current_xact_id()::text as id`);
  await waitUntil('earlier transactions', async () => {
    const [now] = await db.query<{ isPast: boolean }>(
      sql`select pg_snapshot_xmin(pg_current_snapshot()) > ${id}::text::xid8 as "isPast"`,
    );
    return now?.isPast === true;
  });
}
/** Returns the ids that follow a cursor once all is settled, and the next cursor. */
async function follow(cursor: string, limit?: number) {
  await settle();
  return ask(cursor, limit);
}
async function ask(cursor: string, limit = 1000) {
  const answer = await get(admin, 'bookings/changes', { companyId: home.id, after: cursor, limit: String(limit) });
  assert.equal(answer.statusCode, 200, answer.body);
  const { data, next } = answer.json<{ data: BookingView[]; next: string }>();
  return { data, ids: data.map(({ id }) => id), next };
}
const refusalOf = async (cursor: string, as = admin, companyId = home.id) =>
  get(as, 'bookings/changes', { companyId, after: cursor });
/** Inserts bookings past the API. */
const insert = (db: Reader, ...ids: string[]) =>
  db.query(sql`
    insert into bookings (id, company_id, user_id, amount)
    values ${join(ids.map((id) => sql`(${id}, ${home.id}, ${traveller.id}, 1)`))}`);

describe('bookings/changes', () => {
  it('bookings/changes returns what was recorded, corrected or cancelled after a cursor, and nothing that was not', async () => {
    await record({ id: 'before' });
    const start = await follow('now');
    assert.deepEqual(start.ids, []);
    assert.deepEqual((await follow(start.next)).ids, []);

    await record({ id: 'a' }, { id: 'b' });
    const first = await follow(start.next);
    assert.deepEqual(first.ids, ['a', 'b']);
    await record({ id: 'a' }, { id: 'before' });
    assert.deepEqual((await follow(first.next)).ids, []);
    await record({ id: 'before', amount: '11.00' });
    await record({ id: 'a', status: 'CANCELLED' });
    const second = await follow(first.next);
    assert.deepEqual(
      second.data.map(({ id, amount, status }) => [id, amount, status]),
      [
        ['before', '11.00', 'BOOKED'],
        ['a', '10.00', 'CANCELLED'],
      ],
    );
    assert.deepEqual((await follow(start.next)).ids, ['b', 'before', 'a']);
    const listed = pageOf<BookingView>(await get(admin, 'bookings/list', { companyId: home.id })).items;
    assert.deepEqual(
      second.data,
      second.ids.map((id) => listed.find((each) => each.id === id)),
    );
  });

  it('bookings/changes goes on within the bookings of one request, by whatever limit', async () => {
    const start = await follow('now');
    const ids = Array.from({ length: 7 }, (_, index) => `Many ${index}`);
    await record(...ids.map((id) => ({ id })));
    await record({ id: 'many 8' });
    const seen: string[] = [];
    for (let cursor = start.next, found = ['']; found.length > 0; seen.push(...found)) {
      ({ ids: found, next: cursor } = await follow(cursor, 3));
    }
    assert.deepEqual(seen, [...ids, 'many 8']);
  });

  it('bookings/changes returns what a transaction wrote that began before and ended after others', async () => {
    const start = await follow('now');
    let during = start;
    await db.transaction(async (transaction) => {
      await insert(transaction, 'slow');
      // One session is all that the embedded database has.
      if (db.url === undefined) return;
      await record({ id: 'quick' });
      during = await ask(start.next);
      assert.deepEqual(during.ids, []);
    });
    const { ids, next } = await follow(during.next);
    assert.deepEqual(ids, db.url === undefined ? ['slow'] : ['slow', 'quick']);
    assert.deepEqual((await follow(next)).ids, []);
  });

  it('bookings/changes returns what is written after rows with positions of another server', async () => {
    await db.query(sql`alter table bookings disable trigger bookings_position`);
    await db.query(sql`update bookings set position = '999999999999' where id = 'b'`);
    await db.query(sql`alter table bookings enable always trigger bookings_position`);
    const start = await follow('now');
    await record({ id: 'later' });
    const { ids, next } = await follow(start.next);
    assert.deepEqual(ids, ['later']);
    await record({ id: 'b', amount: '12.00' });
    assert.deepEqual((await follow(next)).ids, ['b']);
  });

  it('bookings/changes returns 410 for a cursor of another company, of another database, or that was not reached', async () => {
    const { next } = await follow('now');
    assertRefused(await refusalOf(next, foreignAdmin, other.id), 410, 'CURSOR_GONE');
    const [mark, position] = JSON.parse(Buffer.from(next, 'base64url').toString()) as string[];
    const ahead = Buffer.from(JSON.stringify([mark, `9${position}`, ''])).toString('base64url');
    const { message } = assertRefused(await refusalOf(ahead), 410, 'CURSOR_GONE');
    assert.match(message, /after=now.*bookings\/list/);

    using folder = backupFolder();
    await writeBackup(db, folder.file('backup'));
    const empty = await openBlankDatabase();
    await restoreBackup(empty, folder.file('backup'));
    await using restored = await buildCheckedApp({}, async () => empty);
    const query = { companyId: home.id, after: next };
    const answer = await restored.send({ url: '/api/bookings/changes', as: admin.email, query });
    assertRefused(answer, 410, 'CURSOR_GONE');
  });

  it('bookings/changes returns 400 for what is no cursor, and without one', async () => {
    for (const wrong of ['start', randomUUID(), Buffer.from('["a","-1",""]').toString('base64url')]) {
      assertInvalid(await refusalOf(wrong), 'after');
    }
    assertInvalid(await get(admin, 'bookings/changes', { companyId: home.id }), 'after');
  });

  it('bookings/changes returns 403 to Corporate Admins of another company, to employees and to Super Admins', async () => {
    assertRefused(await refusalOf('now', foreignAdmin), 403, 'COMPANY_FORBIDDEN');
    for (const as of [traveller, superAdmin]) assertRefused(await refusalOf('now', as), 403, 'ROLE_REQUIRED');
  });
});
