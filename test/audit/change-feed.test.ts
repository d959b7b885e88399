import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { ChangeView } from '../../src/audit/change-view.ts';
import { publishAll } from '../../src/audit/publish.ts';
import { assertInvalid } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson, companyNamed, type Person } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';
import { EVENTS_LIST, endOfFeed, follow } from './trail.ts';

/** For how long writers and followers are at work. */
const SECONDS = Number(process.env.FEED_SECONDS ?? 2);

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const acme = await companyNamed(api.db, 'Acme');
const { email: superAdmin } = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const { email: admin } = await addPerson(api.db, { roles: [['CORPORATE_ADMIN', acme]] });

const change = (person: Person, gender: string) => updateProfile(api, 'POST', person.email, { gender });
const ids = (items: readonly ChangeView[]) => items.map(({ id }) => id);

/** Follows from a cursor on until there is nothing more. */
async function followAll(as: string, after: string, limit: string) {
  const items: ChangeView[] = [];
  for (let cursor = after; ; ) {
    const answer = await follow(api, as, { after: cursor, limit });
    assert.ok(answer.items.length <= Number(limit));
    if (answer.items.length === 0) return { items, next: answer.next };
    items.push(...answer.items);
    cursor = answer.next;
  }
}

describe('the change feed', () => {
  it('events/list returns each change once in the order of writing, for any limit', async () => {
    const person = await addPerson(api.db);
    const start = await endOfFeed(api, superAdmin);
    for (let count = 0; count < 7; count++) await change(person, `${count}`);
    for (const limit of ['1', '3', '7', '1000']) {
      const { items, next } = await followAll(superAdmin, start, limit);
      assert.deepEqual(
        items.map(({ changes: [field] }) => field?.after),
        ['0', '1', '2', '3', '4', '5', '6'],
      );
      assert.equal(next, await endOfFeed(api, superAdmin));
    }
    for (const as of [admin, person.email]) {
      assert.equal((await followAll(as, start, '2')).items.length, 7, as);
    }
  });

  it('events/list without new changes returns the same cursor, and later changes follow it', async () => {
    const person = await addPerson(api.db);
    const empty = await follow(api, person.email);
    assert.deepEqual(empty.items, []);
    assert.deepEqual(await follow(api, person.email, { after: empty.next }), { items: [], next: empty.next });
    await change(person, 'Other');
    const { items, next } = await follow(api, person.email, { after: empty.next });
    assert.equal(items.length, 1);
    assert.deepEqual(await follow(api, person.email, { after: next }), { items: [], next });
    assert.deepEqual(await follow(api, person.email), { items, next });
  });

  it('events/list without a cursor returns all changes from the beginning, 100 at a time', async () => {
    const { items } = await follow(api, superAdmin);
    assert.equal(items.length, 100);
    assert.ok(items.every(({ actor }) => actor.kind === 'import'));
    const [row] = await api.db.query<{ count: number }>(sql`select count(*)::integer as count from audit_changes`);
    const all = await followAll(superAdmin, '', '1000');
    assert.equal(new Set(ids(all.items)).size, row?.count);
  });

  it('events/list returns 400 for an invalid cursor and a limit out of bounds', async () => {
    const cursor = await endOfFeed(api, superAdmin);
    const encode = (text: string) => Buffer.from(text).toString('base64url');
    const wrong = [
      'x',
      '0',
      `${cursor}=`,
      `${cursor} `,
      cursor.slice(1),
      encode('1:-1'),
      encode('1:01'),
      encode('1:1.5'),
    ];
    for (const after of [...wrong, encode('2:1'), encode('1:'), encode(`1:${'9'.repeat(19)}`), 'A'.repeat(200), 'ü']) {
      assertInvalid(await api.send({ url: EVENTS_LIST, as: superAdmin, query: { after } }), 'after');
    }
    assertInvalid(await api.send({ url: EVENTS_LIST, as: superAdmin, query: { after: [cursor, cursor] } }), 'after');
    for (const limit of ['0', '1001', 'all']) {
      assertInvalid(await api.send({ url: EVENTS_LIST, as: superAdmin, query: { limit } }), 'limit');
    }
  });

  it(`three followers of the feed get each change of ${SECONDS} seconds of eight writers exactly once`, async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => addPerson(api.db)));
    const start = await endOfFeed(api, superAdmin);
    const end = performance.now() + SECONDS * 1000;
    let [writing, written] = [true, 0];
    async function writer(number: number): Promise<void> {
      for (let count = 0; count < 10 || performance.now() < end; count++) {
        const person = people[(number + count) % people.length];
        assert.ok(person);
        assert.equal((await change(person, `${number}/${count}`)).statusCode, 200);
        written++;
        // A transaction that takes its number early and commits late: others overtake it.
        if (api.db.kind === 'server' && number < 3) await lateCommit(person, `overtakes ${number}/${count}`);
      }
    }
    async function lateCommit(person: Person, gender: string): Promise<void> {
      await api.db.transaction(async (transaction) => {
        await transaction.query(sql`
          insert into audit_changes (actor_kind, run_id, action, entity, entity_id, fields)
          values ('import', ${randomUUID()}, 'added', 'company', 'late', '{}')`);
        await sleep(Math.random() * 20);
        // One that is published before this one can be seen.
        assert.equal((await change(person, gender)).statusCode, 200);
        await publishAll(api.db);
      });
      written += 2;
    }
    async function follower(limit: string): Promise<ChangeView[]> {
      const seen: ChangeView[] = [];
      for (let cursor = start; ; ) {
        const last = !writing;
        const { items, next } = await follow(api, superAdmin, { after: cursor, limit });
        seen.push(...items);
        if (last && items.length === 0) return seen;
        cursor = next;
        if (items.length === 0) await sleep(1);
      }
    }
    const followers = Promise.all([follower('1000'), follower('7'), follower('40')]);
    await Promise.all(Array.from({ length: 8 }, (_, number) => writer(number)));
    writing = false;
    const [one = [], ...others] = await followers;
    for (const other of others) assert.deepEqual(ids(other), ids(one));
    assert.deepEqual([one.length, new Set(ids(one)).size], [written, written]);
    for (const { id } of people) {
      let present: unknown = 'Female';
      for (const { changes } of one.filter(({ userId }) => userId === id)) {
        assert.equal(changes[0]?.before, present);
        present = changes[0]?.after;
      }
    }
    if (api.db.kind === 'server') {
      const inOrderOfIds = ids(one).toSorted((a, b) => Number(a) - Number(b));
      assert.notDeepEqual(ids(one), inOrderOfIds, 'nobody was overtaken: the test shows nothing');
    }
  });
});
