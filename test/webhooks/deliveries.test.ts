import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { DeliveryView, WebhookView, WebhookWithSecret } from '../../src/features/webhooks/webhooks-schemas.ts';
import { trailFor } from '../audit/trail.ts';
import { assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson, type Person, type TestCompany } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { passRetryDelay } from './retry-delay.ts';
import { startSender, testClient } from './test-sender.ts';

const api = await buildCheckedApp({ WEBHOOK_PRIVATE_TARGETS: 'true' });
after(() => api[Symbol.asyncDispose]());

let receiver: Receiver;
let company: TestCompany;
let admin: Person;
let person: Person;
let id: string;
beforeEach(async () => {
  receiver = await startReceiver();
  company = await addCompany(api.db, 'Listening');
  admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
  person = await addPerson(api.db, { company });
  const payload = { url: receiver.url, companyId: company.id, entities: ['user'] };
  ({ id } = dataOf<WebhookWithSecret>(await post('create', payload)));
});
afterEach(async () => {
  await api.db.query(sql`delete from webhooks`);
  await receiver[Symbol.asyncDispose]();
});

const post = (operation: string, payload: object, as = admin.email) =>
  api.send({ method: 'POST', url: `/api/webhooks/${operation}`, payload, as });
const skip = (changeId: string | undefined, as?: string) => post('skip', { id, changeId }, as);
const change = async (gender: string) =>
  assert.equal((await updateProfile(api, 'POST', person.email, { gender })).statusCode, 200);
const view = async () => dataOf<WebhookView>(await api.send({ url: `/api/webhooks/get?id=${id}`, as: admin.email }));
const deliveries = async () =>
  pageOf<DeliveryView>(await api.send({ url: `/api/webhooks/deliveries?id=${id}&limit=100`, as: admin.email })).items;
const values = () => receiver.received.map(({ body }) => JSON.parse(body).data.changes[0].after);
/** Fails, and for longer than a test takes on a busy machine: no attempt follows by itself. */
const fail = (response: ServerResponse, body = 'no') =>
  void response.writeHead(500, { 'retry-after': '300' }).end(body);

describe('deliveries of a webhook', () => {
  it('the deliveries of a webhook are listed by cursor without gap or repetition while others are made', async () => {
    const attempt = async () => assert.equal((await post('test', { id })).statusCode, 200);
    for (let count = 0; count < 5; count++) await attempt();
    const timesOf = (items: readonly DeliveryView[]) => items.map(({ at, attempt: number }) => `${at} ${number}`);
    const before = timesOf(await deliveries());
    const read: string[] = [];
    for (let after: string | null = 'start'; after !== null; ) {
      const url = `/api/webhooks/deliveries?id=${id}&limit=2&after=${after}`;
      const response = await api.send({ url, as: admin.email });
      read.push(...timesOf(dataOf<DeliveryView[]>(response)));
      after = response.json<{ pagination: { next: string | null } }>().pagination.next;
      await attempt();
    }
    assert.deepEqual(read, before);
  });

  it('the deliveries of a webhook contain the request, the response and the next attempt', async () => {
    receiver.answer((response) => fail(response, '{"error":"Überlauf"}'));
    await using _sender = startSender(api.db);
    await change('one');
    await waitUntil('an attempt', async () => (await deliveries()).length === 1);
    const [failed] = await deliveries();
    const [sent] = receiver.received;
    assert.deepEqual(
      [failed?.payload, failed?.response, failed?.skippedBy],
      [sent?.body, '{"error":"Überlauf"}', null],
    );
    const { failedAttempts, nextAttemptAt } = await view();
    assert.deepEqual([failedAttempts, nextAttemptAt], [1, failed?.nextAttemptAt]);
    assert.ok(Date.parse(nextAttemptAt ?? '') > Date.parse(failed?.at ?? ''));
    receiver.answer((response) => response.end('taken'));
    await passRetryDelay(api.db);
    await waitUntil('the next one', async () => (await deliveries()).length === 2);
    assert.deepEqual(
      (await deliveries()).map((each) => [each.attempt, each.response, each.nextAttemptAt, each.payload]),
      [
        [2, 'taken', null, sent?.body],
        [1, '{"error":"Überlauf"}', null, sent?.body],
      ],
    );
    const present = await view();
    assert.deepEqual([present.failedAttempts, present.nextAttemptAt], [0, null]);
  });

  it('the deliveries of a disabled webhook contain no next attempt, and contain tests with their message', async () => {
    receiver.answer((response) => response.writeHead(410).end());
    await using _sender = startSender(api.db);
    await change('one');
    await waitUntil('it to be disabled', async () => !(await view()).active);
    const tested = dataOf<DeliveryView>(await post('test', { id }));
    const [test, failed] = await deliveries();
    assert.deepEqual(test, tested);
    assert.equal(test?.payload, receiver.received[1]?.body);
    assert.deepEqual([failed?.status, failed?.response, failed?.nextAttemptAt], [410, '', null]);
  });

  it('a delivery keeps the first 4 KiB of an answer in whole characters, without what cannot be stored', async () => {
    receiver.answer((response) => response.end(`a\0${'é'.repeat(10_000)}`));
    const { response } = dataOf<DeliveryView>(await post('test', { id }));
    assert.equal(response, `a\ufffd${'é'.repeat(2047)}`);
    receiver.answer((answer) => answer.end(Buffer.from([0xff, 0xfe, 0x41])));
    assert.equal(dataOf<DeliveryView>(await post('test', { id })).response, '\ufffd\ufffdA');
  });

  it('a delivery does not wait for a slow body', async () => {
    receiver.answer((response) => response.writeHead(200).write('first'));
    await using _sender = startSender(api.db);
    await change('one');
    await change('two');
    await waitUntil('both', async () => (await deliveries()).length === 2);
    assert.deepEqual(
      (await deliveries()).map(({ status, response }) => [status, response]),
      [
        [200, 'first'],
        [200, 'first'],
      ],
    );
  });

  it('the deliveries contain no personal values that have been erased since', async () => {
    await using _sender = startSender(api.db);
    await change('one');
    await waitUntil('a delivery', async () => (await deliveries()).length === 1);
    await api.db.query(sql`delete from audit_personal_values`);
    const [delivery] = await deliveries();
    assert.deepEqual(JSON.parse(delivery?.payload ?? '').data.changes[0], {
      field: 'gender',
      before: null,
      after: null,
      kept: false,
    });
  });

  it('the webhook client reads a Retry-After date by the clock of the service', async () => {
    receiver.answer((response) => response.writeHead(429, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }).end());
    using client = testClient({ now: () => new Date('2026-10-21T07:27:00Z') });
    const message = { id: 'msg_1', url: receiver.url, body: '{}', secrets: [] };
    assert.equal((await client.send(message)).retryAfter, 60);
  });

  it('a Retry-After date postpones the next attempt of a delivery', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    receiver.answer((response) => response.writeHead(503, { 'retry-after': inAnHour }).end());
    await using _sender = startSender(api.db);
    await change('one');
    await waitUntil('an attempt', async () => (await deliveries()).length === 1);
    const [failed] = await deliveries();
    // Up to the step after the first one, which is five minutes.
    const seconds = (Date.parse(failed?.nextAttemptAt ?? '') - Date.parse(failed?.at ?? '')) / 1000;
    assert.ok(seconds >= 299, `${seconds}`);
  });
});

describe('the change first in line', () => {
  it('a skip of the first change is recorded in deliveries and trail, and the later changes are sent', async () => {
    receiver.answer((response) => (values().at(-1) === 'one' ? fail(response) : void response.end()));
    await using _sender = startSender(api.db);
    await change('one');
    await change('two');
    await waitUntil('an attempt', async () => (await deliveries()).length === 1);
    const [failed] = await deliveries();
    const skipped = await skip(failed?.changeId ?? undefined);
    assert.equal(skipped.json<{ message: string }>().message, 'Change skipped successfully');
    const { failedAttempts, nextAttemptAt, active } = dataOf<WebhookView>(skipped);
    assert.deepEqual([failedAttempts, nextAttemptAt, active], [0, null, true]);
    await waitUntil('the next change', async () => (await deliveries()).length === 3);
    assert.deepEqual(values(), ['one', 'two']);
    const [, reported] = await deliveries();
    const { at: _, ...rest } = reported ?? { at: '' };
    assert.deepEqual(rest, {
      webhookId: id,
      changeId: failed?.changeId,
      type: 'user.changed',
      attempt: 1,
      status: null,
      milliseconds: 0,
      error: 'It was skipped.',
      nextAttemptAt: null,
      payload: null,
      response: null,
      skippedBy: admin.id,
    });
    const [trail] = await trailFor(api, admin.email, { entity: 'webhook' });
    assert.deepEqual([trail?.action, trail?.entityId, trail?.actor.userId], ['changed', id, admin.id]);
    assert.deepEqual(
      trail?.changes.map(({ field, after: value }) => [field, value]),
      [['skippedChangeId', failed?.changeId]],
    );
  });

  it('repeated skips of the first change return the same answer and skip once', async () => {
    await post('update', { id, active: false });
    await change('one');
    await change('two');
    const [two, one] = await trailFor(api, admin.email, { entity: 'user' });
    const first = await skip(one?.id);
    assert.equal(first.statusCode, 200);
    assert.deepEqual(dataOf(await skip(one?.id)), dataOf(first));
    assert.equal((await deliveries()).length, 1);
    await post('update', { id, active: true });
    await using _sender = startSender(api.db);
    await waitUntil('the second one', async () => (await deliveries()).length === 2);
    assert.deepEqual(values(), ['two']);
    assert.equal((await deliveries())[0]?.changeId, two?.id);
  });

  it('a skip of another change than the first returns 409 with the id of the first', async () => {
    await post('update', { id, active: false });
    assertRefused(await skip('1'), 409, 'NOT_FIRST_IN_LINE', ['changeId']);
    await change('one');
    await change('two');
    const [two, one, ...before] = await trailFor(api, admin.email);
    for (const other of [two?.id, before[0]?.id, '999999999999', 'no id']) {
      const refused = await skip(other);
      assertRefused(refused, 409, 'NOT_FIRST_IN_LINE', ['changeId']);
      assert.match(refused.json<{ message: string }>().message, new RegExp(`it is change ${one?.id}\\.$`));
    }
    for (const wrong of ['', undefined]) assertRefused(await skip(wrong), 400, 'INVALID_INPUT', ['changeId']);
    assertRefused(await post('skip', { id, changeId: 1 }), 400, 'INVALID_INPUT', ['changeId']);
    assertRefused(await post('skip', { id, changeId: one?.id, reason: 'x' }), 400, 'INVALID_INPUT', ['reason']);
    assert.deepEqual(await deliveries(), []);
    assert.equal((await skip(one?.id)).statusCode, 200);
  });

  it("a skip takes the first change of the webhook's entities, and is refused to other people", async () => {
    const other = await addCompany(api.db, 'Other');
    const { email: stranger } = await addPerson(api.db, { company: other, roles: [['CORPORATE_ADMIN', other]] });
    const { email: manager } = await addPerson(api.db, { company, roles: [['MANAGER', company]] });
    await post('update', { id, active: false, description: 'A change of a webhook' });
    await change('one');
    const [one] = await trailFor(api, admin.email, { entity: 'user' });
    assertRefused(await skip(one?.id, stranger), 404, 'NOT_FOUND');
    assertRefused(await skip(one?.id, manager), 403, 'ROLE_REQUIRED');
    assert.equal((await skip(one?.id)).statusCode, 200);
  });

  it('a skip while the change is being sent starts no second attempt, and its failure does not count', async () => {
    const waiting: ServerResponse[] = [];
    receiver.answer((response) => waiting.push(response));
    await using _sender = startSender(api.db);
    await change('one');
    await change('two');
    await waitUntil('the attempt', () => waiting.length === 1);
    const [, one] = await trailFor(api, admin.email, { entity: 'user' });
    assert.equal((await skip(one?.id)).statusCode, 200);
    assert.equal(waiting.length, 1);
    waiting[0]?.writeHead(500).end();
    await waitUntil('the next change', () => waiting.length === 2);
    assert.deepEqual(values(), ['one', 'two']);
    waiting[1]?.end();
    await waitUntil('its record', async () => (await deliveries()).length === 3);
    assert.equal((await view()).failedAttempts, 0);
    assert.deepEqual(
      (await deliveries()).map(({ attempt }) => attempt),
      [1, 1, 0],
    );
  });
});
