import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { HostAddress } from '../../src/lib/resolve-host.ts';
import { assertRefused } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startReceiver } from './receiver.ts';

/** Slots of requests in flight: fewer than those that wait here. */
const SLOTS = '10';
const PUBLIC: HostAddress[] = [{ address: '8.8.8.8', family: 4 }];

/** Names that are being looked up, and what ends that. */
const lookingUp = new Map<string, (found: HostAddress[]) => void>();
let mostAtOnce = 0;
const { db, statements } = recordStatements(await openDemoDatabase());
const settings = { MAX_REQUESTS_UNDER_WAY: SLOTS, WEBHOOK_PRIVATE_TARGETS: 'true' };
const api = await buildCheckedApp(settings, async () => db, {
  resolveHost(name) {
    if (!name.endsWith('.slow.example')) return Promise.resolve(PUBLIC);
    const found = new Promise<HostAddress[]>((resolve) => lookingUp.set(name, resolve));
    mostAtOnce = Math.max(mostAtOnce, lookingUp.size);
    return found.finally(() => lookingUp.delete(name));
  },
});
after(() => api[Symbol.asyncDispose]());
const [slow, other] = [await addCompany(db, 'Slow'), await addCompany(db, 'Other')];
const { email: slowAdmin } = await addPerson(db, { company: slow, roles: [['CORPORATE_ADMIN', slow]] });
const { email: otherAdmin } = await addPerson(db, { company: other, roles: [['CORPORATE_ADMIN', other]] });

const post = (operation: string, payload: object, as: string) =>
  api.send({ method: 'POST', url: `/api/webhooks/${operation}`, payload, as });
const create = (url: string, { id: companyId }: { id: string }, as: string) => post('create', { url, companyId }, as);

describe('webhook names whose name server does not answer', () => {
  it('webhook names that never resolve delay no other company, and few of one company resolve at once', async () => {
    const answered: Awaited<ReturnType<typeof create>>[] = [];
    for (let number = 0; number < 25; number++) {
      void create(`https://n${number}.slow.example/`, slow, slowAdmin).then((response) => answered.push(response));
      // Another one gets its answer before the next is sent: no more than a few wait for the database.
      assert.equal((await api.send({ url: '/api/users/profile', as: otherAdmin })).statusCode, 200);
    }
    await waitUntil('look-ups', () => lookingUp.size === 4);
    // What would wait beyond the bound is refused, whichever came last, and the others hold no slot.
    await waitUntil('five to be refused', () => answered.length === 5);
    for (const response of answered) {
      assertRefused(response, 429, 'TOO_MANY_REQUESTS');
      assert.equal(response.headers['retry-after'], '3');
    }
    assert.equal((await create('https://good.example/', other, otherAdmin)).statusCode, 200);
    await waitUntil('all of them', () => {
      for (const end of lookingUp.values()) end(PUBLIC);
      return answered.length === 25;
    });
    assert.equal(answered.filter(({ statusCode }) => statusCode === 200).length, 20);
    assert.equal(mostAtOnce, 4);
  });
});

describe('tests of webhooks', () => {
  it('a test of a webhook holds no request slot and writes nothing while it waits', async () => {
    await db.query(sql`delete from webhooks`);
    await using receiver = await startReceiver();
    const thinking: (() => void)[] = [];
    receiver.answer((response) => thinking.push(() => response.end()));
    const ids: string[] = [];
    for (let count = 0; count < 12; count++) {
      ids.push((await create(receiver.url, other, otherAdmin)).json<{ data: { id: string } }>().data.id);
    }
    const testing: ReturnType<typeof post>[] = [];
    for (const [index, id] of ids.entries()) {
      testing.push(post('test', { id }, otherAdmin));
      await waitUntil('its receiver to think', () => thinking.length === index + 1);
    }
    assert.equal((await api.send({ url: '/api/users/profile', as: slowAdmin })).statusCode, 200);
    for (const answer of thinking.splice(0)) answer();
    for (const response of await Promise.all(testing)) assert.equal(response.statusCode, 200);
    const [id = ''] = ids;
    const lease = (until: string) =>
      db.query(sql`update webhook_progress set leased_until = ${until}::timestamptz where webhook_id = ${id}`);
    await lease('infinity');
    const before = statements.length;
    const waiting = post('test', { id }, otherAdmin);
    const since = (pattern: RegExp) => statements.slice(before).filter(({ text }) => pattern.test(text));
    await waitUntil('it to look', () => since(/select from webhook_progress/).length >= 3);
    assert.deepEqual(since(/update\s+webhook_progress/), []);
    await lease('-infinity');
    await waitUntil('it to be sent', () => thinking.length === 1);
    thinking[0]?.();
    assert.equal((await waiting).statusCode, 200);
  });
});
