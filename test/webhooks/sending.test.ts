import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { Webhook } from 'standardwebhooks';
import type { ChangeView } from '../../src/audit/change-view.ts';
import type { DeliveryView, WebhookView, WebhookWithSecret } from '../../src/features/webhooks/webhooks-schemas.ts';
import { deferred } from '../../src/lib/deferred.ts';
import { dataOf, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson, type Person, type TestCompany } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { assertRetriedByStep, passRetryDelay } from './retry-delay.ts';
import { startSender } from './test-sender.ts';

const api = await buildCheckedApp({ WEBHOOK_PRIVATE_TARGETS: 'true' });
after(() => api[Symbol.asyncDispose]());
const { email: superAdmin } = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });

const post = (url: string, payload: object) => api.send({ method: 'POST', url, payload, as: superAdmin });

interface Sent {
  type: string;
  timestamp: string;
  data: ChangeView;
}

let receiver: Receiver;
let company: TestCompany;
let person: Person;
beforeEach(async () => {
  receiver = await startReceiver();
  company = await addCompany(api.db, 'Listening');
  person = await addPerson(api.db, { company });
});
afterEach(async () => {
  await api.db.query(sql`delete from webhooks`);
  await receiver[Symbol.asyncDispose]();
});

const newWebhook = async (more: object = {}) =>
  dataOf<WebhookWithSecret>(await post('/api/webhooks/create', { url: receiver.url, companyId: company.id, ...more }));
const change = async (gender: string, whose = person) =>
  assert.equal((await updateProfile(api, 'POST', whose.email, { gender })).statusCode, 200);
const sent = () => receiver.received.map(({ body }) => JSON.parse(body) as Sent);
const values = () => sent().map(({ data }) => data.changes[0]?.after);
const view = async (id: string) =>
  dataOf<WebhookView>(await api.send({ url: `/api/webhooks/get?id=${id}`, as: superAdmin }));
const attemptsOf = async (id: string) =>
  pageOf<DeliveryView>(await api.send({ url: `/api/webhooks/deliveries?id=${id}&limit=100`, as: superAdmin })).items;

describe('webhooks', () => {
  it('a new webhook is sent each later change in order, equal to the feed', async () => {
    await change('before');
    await newWebhook();
    await using _sender = startSender(api.db);
    for (const gender of ['one', 'two', 'three']) await change(gender);
    await waitUntil('three messages', () => receiver.received.length >= 3);
    assert.deepEqual(values(), ['one', 'two', 'three']);
    const [first] = sent();
    assert.deepEqual([first?.type, first?.timestamp], ['user.changed', first?.data.changedAt]);
    const feed = dataOf<ChangeView[]>(
      await api.send({ url: '/api/events/list?limit=1000', as: superAdmin, query: { userId: person.id } }),
    );
    assert.deepEqual(
      first?.data,
      feed.find(({ id }) => id === first?.data.id),
    );
  });

  it("a webhook's messages are verified by the standard's library, also within a rotation of the secret", async () => {
    const { id, secret } = await newWebhook({ entities: ['user'] });
    await using _sender = startSender(api.db);
    await change('one');
    await waitUntil('a message', () => receiver.received.length === 1);
    const { secret: next } = dataOf<WebhookWithSecret>(await post('/api/webhooks/rotate-secret', { id }));
    assert.notEqual(next, secret);
    await change('two');
    await waitUntil('another', () => receiver.received.length === 2);
    const [first, second] = receiver.received;
    assert.ok(first && second);
    new Webhook(secret).verify(first.body, first.headers);
    assert.throws(() => new Webhook(next).verify(first.body, first.headers));
    for (const each of [secret, next]) new Webhook(each).verify(second.body, second.headers);
    await api.db.query(sql`update webhook_secrets set expires_at = now() where expires_at is not null`);
    await change('three');
    await waitUntil('a third', () => receiver.received.length === 3);
    const third = receiver.received[2];
    assert.throws(() => new Webhook(secret).verify(third?.body ?? '', third?.headers ?? {}));
  });

  it("a webhook's messages are signed by the newest secret once a rotation has answered", async () => {
    const { id } = await newWebhook({ entities: ['user'] });
    const rotate = async () => dataOf<WebhookWithSecret>(await post('/api/webhooks/rotate-secret', { id })).secret;
    for (const gender of ['one', 'two']) await change(gender);
    const isHeld = deferred<ServerResponse>();
    receiver.answer((response) => (receiver.received.length === 1 ? isHeld.resolve(response) : response.end('ok')));
    await using _sender = startSender(api.db);
    const held = await isHeld.promise;
    await rotate();
    const newest = await rotate();
    held.end('ok');
    await waitUntil('the second message', () => receiver.received.length === 2);
    const second = receiver.received[1];
    new Webhook(newest).verify(second?.body ?? '', second?.headers ?? {});
  });

  it('a webhook is sent only changes of its company and entities', async () => {
    const other = await addCompany(api.db, 'Other');
    const stranger = await addPerson(api.db, { company: other });
    await newWebhook({ entities: ['companyRole'] });
    await using _sender = startSender(api.db);
    await change('unheard');
    await change('unheard too', stranger);
    const grant = { role: 'MANAGER', companyId: company.id, userId: person.id };
    assert.equal((await post('/api/users/grant-role', grant)).statusCode, 200);
    await waitUntil('a message', () => receiver.received.length > 0);
    await sleep(500);
    assert.deepEqual(
      sent().map(({ type }) => type),
      ['companyRole.added'],
    );
  });

  it('a failing webhook is switched off after ten attempts, and continues at its position later', async () => {
    const { id } = await newWebhook();
    receiver.answer((response) => response.writeHead(503).end());
    await using _sender = startSender(api.db);
    const missed = Array.from({ length: 30 }, (_, count) => `${count}`);
    for (const gender of missed) await change(gender);
    for (let tries = 1; tries <= 10; tries++) {
      await waitUntil(`try ${tries}`, async () => (await attemptsOf(id)).length >= tries);
      if (tries < 10) await assertRetriedByStep(api.db, id);
      await passRetryDelay(api.db);
    }
    await waitUntil('it to be switched off', async () => !(await view(id)).active);
    assert.match(String((await view(id)).disabledReason), /^10 attempts .* status 503/);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1);
    assert.deepEqual((await attemptsOf(id)).map(({ attempt, status }) => [attempt, status]).at(0), [10, 503]);
    receiver.answer((response) => response.end());
    const on = dataOf<WebhookView>(await post('/api/webhooks/update', { id, active: true }));
    assert.deepEqual([on.active, on.disabledReason], [true, null]);
    await waitUntil('all', () => values().includes('29'));
    assert.deepEqual(values().slice(10, 40), missed);
  });

  it('a webhook whose receiver returns 410 is switched off at once', async () => {
    const { id } = await newWebhook();
    receiver.answer((response) => response.writeHead(410).end());
    await using _sender = startSender(api.db);
    await change('one');
    await waitUntil('it to be switched off', async () => !(await view(id)).active);
    assert.match(String((await view(id)).disabledReason), /410/);
  });

  it("a webhook's 2xx is a delivery, however large the body", async () => {
    const { id } = await newWebhook();
    receiver.answer((response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', write).on('error', () => undefined);
      write();
    });
    await using _sender = startSender(api.db);
    await change('one');
    await change('two');
    await waitUntil('both', async () => (await attemptsOf(id)).length === 2);
    assert.deepEqual(values(), ['one', 'two']);
  });

  it('a webhook of a closed company is sent nothing until the company is open again', async () => {
    await newWebhook();
    await using _sender = startSender(api.db);
    const update = (active: boolean) => post('/api/companies/update', { id: company.id, active });
    assert.equal((await update(false)).statusCode, 200);
    await sleep(600);
    const before = receiver.received.length;
    await change('one');
    await sleep(600);
    assert.ok(receiver.received.length <= Math.max(before, 1));
    assert.equal((await update(true)).statusCode, 200);
    await waitUntil('all', () => sent().filter(({ type }) => type === 'company.changed').length === 2);
    assert.ok(values().includes('one'));
  });

  it('two simultaneous senders send each change to a webhook once, in order', async () => {
    await newWebhook();
    await using _one = startSender(api.db);
    await using _other = startSender(api.db);
    for (let count = 0; count < 30; count++) await change(`${count}`);
    await waitUntil('all', () => receiver.received.length >= 30);
    await sleep(300);
    assert.deepEqual(
      values(),
      Array.from({ length: 30 }, (_, count) => `${count}`),
    );
  });

  it('one change is sent to 15 webhooks at once, without a warning of the runtime', async () => {
    const warnings: Error[] = [];
    const hear = (warning: Error) => warnings.push(warning);
    process.on('warning', hear);
    const waiting: (() => void)[] = [];
    receiver.answer((response) => waiting.push(() => response.end()));
    for (let count = 0; count < 15; count++) await newWebhook({ entities: ['user'] });
    await using _sender = startSender(api.db);
    await change('one');
    await waitUntil('all of them at once', () => waiting.length === 15);
    for (const answer of waiting) answer();
    await sleep(100);
    process.off('warning', hear);
    assert.deepEqual(
      warnings.filter(({ name }) => name === 'MaxListenersExceededWarning'),
      [],
    );
  });

  it('a test of a webhook is sent after the change that is being sent', async () => {
    let answer = () => {};
    receiver.answer((response) => {
      answer = () => response.end();
    });
    const { id } = await newWebhook();
    await using _sender = startSender(api.db);
    await change('one');
    await waitUntil('the change', () => receiver.received.length === 1);
    const testing = post('/api/webhooks/test', { id });
    await sleep(300);
    assert.equal(receiver.received.length, 1);
    receiver.answer((response) => response.end());
    answer();
    assert.equal(dataOf<{ status: number }>(await testing).status, 200);
    assert.deepEqual(
      sent().map(({ type }) => type),
      ['user.changed', 'test'],
    );
  });

  it("a stopped sender's webhooks are continued by the next one without a gap", async () => {
    await newWebhook();
    for (let round = 0; round < 5; round++) {
      await using _sender = startSender(api.db);
      for (let count = 0; count < 4; count++) await change(`${round} ${count}`);
      await sleep(250);
    }
    await using _sender = startSender(api.db);
    await waitUntil('all', () => new Set(values()).size === 20);
    const firsts = [...new Set(values())];
    assert.deepEqual(firsts, [...firsts].sort());
  });
});
