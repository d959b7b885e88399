import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { EVENTS_LIST, endOfFeed, follow } from '../audit/trail.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson, addRole, companyNamed, type Person } from '../support/people.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { updateProfile } from '../support/update-profile.ts';
import { waitUntil } from '../support/wait-until.ts';

const { db, statements } = recordStatements(await openDemoDatabase());
const api = await buildCheckedApp({}, async () => db);
after(() => api[Symbol.asyncDispose]());
const acme = await companyNamed(api.db, 'Acme');
const other = await addCompany(api.db, 'Other');
const { email: superAdmin } = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const person = await addPerson(api.db);
const stranger = await addPerson(api.db, { company: other });

const looks = () => statements.filter(({ text }) => /^select position::text as position from change_feed/.test(text));
/** The feed is looked at while somebody waits, and at most once after that. */
async function untilSomebodyWaits(): Promise<void> {
  const { length } = looks();
  await waitUntil('looks at the feed', () => looks().length >= length + 3);
}

const change = (whose: Person, gender: string) => updateProfile(api, 'POST', whose.email, { gender });

describe('the change feed for machines', () => {
  it('the change feed is filtered by entity, company and person, with one cursor for all', async () => {
    const start = await endOfFeed(api, superAdmin);
    await change(person, 'one');
    await change(stranger, 'two');
    const narrow = (query: object) => follow(api, superAdmin, { after: start, ...query });
    assert.deepEqual(
      (await narrow({ userId: person.id })).items.map(({ userId }) => userId),
      [person.id],
    );
    assert.deepEqual(
      (await narrow({ companyId: other.id })).items.map(({ userId }) => userId),
      [stranger.id],
    );
    assert.equal((await narrow({ entity: 'user' })).items.length, 2);
    const none = await narrow({ entity: 'band' });
    assert.deepEqual(none.items, []);
    // What is left out is behind the cursor all the same.
    assert.deepEqual(await follow(api, superAdmin, { after: none.next }), { items: [], next: none.next });
    assert.equal((await narrow({ companyId: acme.id, limit: '1' })).items.length, 1);
  });

  it('the change feed with wait answers when a change comes', async () => {
    const { next } = await follow(api, superAdmin, { from: 'now' });
    const waiting = follow(api, superAdmin, { after: next, wait: '25' });
    await untilSomebodyWaits();
    await change(person, 'awaited');
    const { items } = await waiting;
    assert.equal(items[0]?.changes[0]?.after, 'awaited');
  });

  it('a waiting request for the change feed returns 401 once its caller has lost access', async () => {
    const send = async (url: string, payload: object) =>
      dataOf<{ id: string; key: string }>(await api.send({ method: 'POST', url, payload, as: superAdmin }));
    const { id, key } = await send('/api/api-keys/create', {
      name: 'Mirror',
      scopes: ['events.read'],
      companyId: acme.id,
    });
    const leaver = await addPerson(api.db);
    for (const [who, withdraw] of [
      [{ headers: { authorization: `Bearer ${key}` } }, () => send('/api/api-keys/revoke', { id })],
      [{ as: leaver.email }, () => api.db.query(sql`update users set active = false where id = ${leaver.id}`)],
    ] as const) {
      const { next } = await follow(api, superAdmin, { from: 'now' });
      const waiting = api.send({ url: EVENTS_LIST, query: { after: next, wait: '20' }, ...who });
      await untilSomebodyWaits();
      await withdraw();
      await change(person, 'not for them');
      assertRefused(await waiting, 401, 'INVALID_TOKEN');
    }
  });

  it('a waiting request for the change feed returns changes of a newly administered company', async () => {
    const { next } = await follow(api, superAdmin, { from: 'now' });
    const newcomer = await addPerson(api.db, { company: other });
    const waiting = follow(api, newcomer.email, { after: next, wait: '20' });
    await untilSomebodyWaits();
    await addRole(api.db, newcomer.id, 'CORPORATE_ADMIN', other.id);
    await change(stranger, 'for them');
    const { items } = await waiting;
    assert.deepEqual(
      items.map(({ userId }) => userId),
      [stranger.id],
    );
  });

  it('the change feed with wait and a filter returns nothing after the wait if no change matches', async () => {
    const { next } = await follow(api, superAdmin, { from: 'now' });
    await change(stranger, 'unheard');
    const { items, next: later } = await follow(api, superAdmin, { after: next, wait: '1', userId: person.id });
    assert.deepEqual(items, []);
    assert.notEqual(later, next);
  });

  it('the change feed returns 400 for another wait, and for both from and after', async () => {
    for (const wait of ['-1', '26', '0.5', 'long']) {
      assertInvalid(await api.send({ url: '/api/events/list', as: superAdmin, query: { wait } }), 'wait');
    }
    const after = await endOfFeed(api, superAdmin);
    assertInvalid(await api.send({ url: '/api/events/list', as: superAdmin, query: { after, from: 'now' } }), 'from');
  });

  it('forty waiting requests for the change feed are answered by one change', async () => {
    const { next } = await follow(api, superAdmin, { from: 'now' });
    const waiting = Array.from({ length: 40 }, () => follow(api, superAdmin, { after: next, wait: '20' }));
    await untilSomebodyWaits();
    await change(person, 'for all');
    for (const { items } of await Promise.all(waiting)) assert.equal(items.length, 1);
  });
});
