import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { cursorOf } from '../../src/audit/feed-cursor.ts';
import { publishAll } from '../../src/audit/publish.ts';
import { findFeedPosition, listPublishedChanges } from '../../src/audit/published-changes.ts';
import { keepRemovingOldChanges, removeOldChanges, webhooksBehind } from '../../src/audit/remove-old-changes.ts';
import type { WebhookWithSecret } from '../../src/features/webhooks/webhooks-schemas.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';
import { waitUntil } from '../support/wait-until.ts';
import { countChanges, EVENTS_LIST, endOfFeed, follow } from './trail.ts';

const DAYS = 30;
const api = await buildCheckedApp({ WEBHOOK_PRIVATE_TARGETS: 'true' });
after(() => api[Symbol.asyncDispose]());
const { db } = api;
const superAdmin = await addPerson(db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const person = await addPerson(db);

const change = async (gender: string) =>
  assert.equal((await updateProfile(api, 'POST', person.email, { gender })).statusCode, 200);
const changeTimes = async (count: number) => {
  for (let nth = 0; nth < count; nth++) await change(`${Math.random()}`);
};
const cursor = () => endOfFeed(api, superAdmin.email);
/** The cursor behind the change at a position, which has its time in it. */
const cursorAt = async (position: number) =>
  cursorOf((await findFeedPosition(db, String(position))) ?? assert.fail(`nothing at ${position}`));
const followFrom = (from: string) => follow(api, superAdmin.email, { after: from, limit: '1000' });
const isGone = async (from: string) =>
  assertRefused(await api.send({ url: EVENTS_LIST, as: superAdmin.email, query: { after: from } }), 410, 'CURSOR_GONE');

/** Makes all changes so far older than what is kept. */
async function age(): Promise<void> {
  await publishAll(db);
  await db.transaction((transaction) =>
    transaction.run(`
      alter table audit_changes disable trigger audit_changes_unchanged;
      update audit_changes set changed_at = changed_at - interval '${DAYS + 1} days' where changed_at > now() - interval '${DAYS} days';
      alter table audit_changes enable trigger audit_changes_unchanged`),
  );
}

async function positions(): Promise<{ first: number; last: number }> {
  const [row] = await db.query<{ first: number; last: number }>(sql`
    select min(position)::integer as first, max(position)::integer as last from audit_changes`);
  return row ?? assert.fail();
}

describe('keeping the audit trail for a time', () => {
  let beginning: string;
  let early: string;
  let boundary: string;
  let late: string;
  before(async () => {
    beginning = await cursorAt(0);
    await changeTimes(5);
    await age();
    boundary = await cursor();
    early = await cursorAt((await positions()).last - 2);
    await changeTimes(3);
    late = await cursor();
  });

  it('retention removes only older changes, in batches, by one process at a time', async () => {
    const { last } = await positions();
    const counted = await countChanges(db);
    const removed = await Promise.all([1, 2].map(() => removeOldChanges(db, DAYS, { batch: 7 })));
    const kept = await countChanges(db);
    assert.equal(counted - kept, (removed[0] ?? 0) + (removed[1] ?? 0));
    assert.deepEqual(await positions(), { first: last - 3, last });
    assert.equal(kept, 4);
    const [personal] = await db.query<{ count: number }>(sql`
      select count(*)::integer as count from audit_personal_values where change_id not in (select id from audit_changes)`);
    assert.equal(personal?.count, 0);
    assert.equal(await removeOldChanges(db, DAYS), 0);
  });

  it('events/list returns 410 to a follower whose next changes were removed, and to no other', async () => {
    await isGone(early);
    await isGone(beginning);
    assert.equal((await followFrom(boundary)).items.length, 3);
    assert.deepEqual(await followFrom(late), { items: [], next: late });
    // Without a cursor the feed begins with the oldest that is kept.
    assert.equal((await follow(api, superAdmin.email)).items.length, 4);
  });

  it('events/list returns 410 to a follower whose changes are removed during the request', async () => {
    const { first, last } = await positions();
    const stretch = { upTo: String(last), limit: 10 };
    const read = (after: number) => listPublishedChanges(db, 'all', { after: String(after), ...stretch });
    assert.equal((await read(first - 2)).isWhole, false);
    assert.equal((await read(first)).isWhole, true);
  });

  it('retention keeps the last change, however old it is, for followers at the end', async () => {
    await age();
    await removeOldChanges(db, DAYS);
    assert.equal(await countChanges(db), 1);
    const end = await cursorAt((await positions()).last);
    assert.deepEqual(await followFrom(end), { items: [], next: end });
    await change('after a quiet time');
    assert.equal((await followFrom(end)).items.length, 1);
  });

  it('retention keeps changes that an inactive webhook has not received yet, and reports the webhook', async () => {
    const payload = { url: 'http://127.0.0.1:9/', entities: ['user'] };
    const created = await api.send({ method: 'POST', url: '/api/webhooks/create', payload, as: superAdmin.email });
    const { id } = dataOf<WebhookWithSecret>(created);
    await db.query(sql`update webhooks set active = false where id = ${id}::uuid`);
    await publishAll(db);
    const { last } = await positions();
    await changeTimes(4);
    await age();
    const from = await cursorAt(last);
    const held: string[][] = [];
    {
      await using _job = keepRemovingOldChanges(db, {
        days: DAYS,
        onRemoved: () => undefined,
        onHeld: (webhooks) => held.push([...webhooks]),
        onError: (error) => assert.fail(String(error)),
      });
      await waitUntil('a look', () => held.length > 0);
    }
    assert.deepEqual(held, [[id]]);
    assert.equal((await followFrom(from)).items.length, 4);
    await db.query(sql`delete from webhooks`);
    assert.deepEqual(await webhooksBehind(db, DAYS), []);
    await removeOldChanges(db, DAYS);
    await isGone(from);
    assert.equal(await countChanges(db), 1);
  });

  it('only retention can remove a change from the trail, and only after a fixed minimum', async () => {
    const remove = (days: number) => db.query(sql`select remove_old_audit_changes(${days}::integer, 10)`);
    await assert.rejects(remove(6), { code: '23001' });
    await assert.rejects(
      db.transaction(async (transaction) => {
        await transaction.query(sql`select remove_old_audit_changes(7, 10)`);
        await transaction.query(sql`delete from audit_changes`);
      }),
      { code: '23001' },
    );
  });

  it('retention needs one documented right more than the service has', async () => {
    const [grant] =
      /^grant execute on function remove_old_audit_changes.*;$/m.exec(readFileSync('docs/audit.md', 'utf8')) ?? [];
    assert.ok(grant);
    const role = `orgdesk_keeper_${process.pid}`;
    const limited = db.transaction(async (transaction) => {
      await transaction.run(
        `create role ${role}; grant usage on schema public to ${role}; savepoint before; set local role ${role}`,
      );
      const remove = () => transaction.query(sql`select remove_old_audit_changes(30, 10)`);
      await assert.rejects(remove(), { code: '42501' });
      await transaction.run(`rollback to before; ${grant.replace('orgdesk_service', role)} set local role ${role}`);
      await remove();
      throw new Error('undo all');
    });
    await assert.rejects(limited, /undo all/);
  });
});
