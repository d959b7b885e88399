import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type {
  DeliveryView,
  ResentView,
  WebhookView,
  WebhookWithSecret,
} from '../../src/features/webhooks/webhooks-schemas.ts';
import { trailFor } from '../audit/trail.ts';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson, type Person, type TestCompany } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { startSender } from './test-sender.ts';

const api = await buildCheckedApp({ WEBHOOK_PRIVATE_TARGETS: 'true' });
after(() => api[Symbol.asyncDispose]());

let receiver: Receiver;
let company: TestCompany;
let admin: Person;
let person: Person;
beforeEach(async () => {
  receiver = await startReceiver();
  company = await addCompany(api.db, 'Listening');
  admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
  person = await addPerson(api.db, { company });
});
afterEach(async () => {
  await api.db.query(sql`delete from webhooks`);
  await receiver[Symbol.asyncDispose]();
});

const post = (operation: string, payload: object, as = admin.email) =>
  api.send({ method: 'POST', url: `/api/webhooks/${operation}`, payload, as });
const add = async (more: object = {}) =>
  dataOf<WebhookWithSecret>(await post('create', { url: receiver.url, companyId: company.id, ...more }));
const change = async (fields: Record<string, string>) =>
  assert.equal((await updateProfile(api, 'POST', person.email, fields)).statusCode, 200);
const sent = () => receiver.received.map(({ body }) => JSON.parse(body).data);
const ids = () => receiver.received.map(({ headers }) => headers['webhook-id']);

describe('webhooks/resend', () => {
  it('webhooks/resend sends one change again at once, with the id that it had, also while the webhook is disabled', async () => {
    const { id } = await add({ entities: ['user'] });
    await using _sender = startSender(api.db);
    await change({ gender: 'one' });
    await waitUntil('1 messages', () => receiver.received.length === 1);
    await post('update', { id, active: false });
    const { delivery, webhook } = dataOf<ResentView>(await post('resend', { id, changeId: sent()[0].id }));
    assert.deepEqual([delivery?.status, delivery?.type, webhook.active], [200, 'user.changed', false]);
    assert.deepEqual(ids(), [ids()[0], ids()[0]]);
    assert.deepEqual(sent()[1], sent()[0]);
    const listed = pageOf<DeliveryView>(await api.send({ url: `/api/webhooks/deliveries?id=${id}`, as: admin.email }));
    assert.deepEqual(
      listed.items.map(({ changeId }) => changeId),
      [delivery?.changeId, delivery?.changeId],
    );
  });

  it('webhooks/resend sends all changes since a time again in order with their ids, then those that come', async () => {
    const { id } = await add({ entities: ['user'] });
    await using _sender = startSender(api.db);
    for (const gender of ['one', 'two', 'three']) await change({ gender });
    await waitUntil('3 messages', () => receiver.received.length === 3);
    const since = sent()[1].changedAt;
    const { delivery } = dataOf<ResentView>(await post('resend', { id, since }));
    assert.equal(delivery, null);
    await change({ gender: 'four' });
    await waitUntil('6 messages', () => receiver.received.length === 6);
    assert.deepEqual(ids().slice(3, 5), ids().slice(1, 3));
    assert.deepEqual(
      sent()
        .map(({ changes }) => changes[0].after)
        .slice(3),
      ['two', 'three', 'four'],
    );
  });

  it('webhooks/resend returns 404 for a foreign webhook and a change of another company, 400 without or with both choices', async () => {
    const { id } = await add();
    const elsewhere = await addPerson(api.db, {});
    await updateProfile(api, 'POST', elsewhere.email, { gender: 'theirs' });
    const [row] = await api.db.query<{ id: string }>(sql`select max(id)::text as id from audit_changes`);
    for (const changeId of [row?.id, '999999999', 'x']) {
      assertRefused(await post('resend', { id, changeId }), 404, 'NOT_FOUND');
    }
    assertRefused(await post('resend', { id: company.id, changeId: '1' }), 404, 'NOT_FOUND');
    assertInvalid(await post('resend', { id }), 'changeId');
    assertInvalid(await post('resend', { id, changeId: '1', since: '2026-01-01T00:00:00Z' }), 'changeId');
    assert.equal(receiver.received.length, 0);
  });
});

describe('what a webhook chooses', () => {
  it('a webhook with actions and fields is sent these actions, and changes of one of these fields', async () => {
    await add({ entities: ['user'], actions: ['changed'], fields: ['gender', 'pincode'] });
    await using _sender = startSender(api.db);
    await change({ firstName: 'Other' });
    await change({ gender: 'one' });
    const { id: departmentId, bandId } = { id: company.departmentId, bandId: company.bandId };
    const fields = { companyId: company.id, email: 'new@listening.example', firstName: 'New', lastName: 'Comer' };
    const payload = { ...fields, departmentId, bandId };
    dataOf(await api.send({ method: 'POST', url: '/api/users/create', payload, as: admin.email }));
    await change({ pincode: '12345' });
    await waitUntil('2 messages', () => receiver.received.length === 2);
    assert.deepEqual(
      sent().map(({ action, changes }) => [action, changes.map(({ field }: { field: string }) => field)]),
      [
        ['changed', ['gender']],
        ['changed', ['pincode']],
      ],
    );
  });

  it('own headers come with each request, and their values are in no answer and no trail', async () => {
    const { id, headerNames } = await add({ headers: { 'X-Team': 'travel', authorization: 'Basic c2VjcmV0' } });
    assert.deepEqual(headerNames, ['authorization', 'x-team']);
    dataOf(await post('test', { id }));
    const { headers = {} } = receiver.received[0] ?? {};
    assert.deepEqual([headers['x-team'], headers.authorization], ['travel', 'Basic c2VjcmV0']);
    const changed = await post('update', { id, headers: { 'x-team': 'finance' } });
    assert.deepEqual(dataOf<WebhookView>(changed).headerNames, ['x-team']);
    dataOf(await post('test', { id }));
    assert.deepEqual(
      [receiver.received[1]?.headers['x-team'], receiver.received[1]?.headers.authorization],
      ['finance', undefined],
    );
    const trail = await trailFor(api, admin.email, { entity: 'webhook', entityId: id });
    assert.doesNotMatch(JSON.stringify(trail) + changed.body, /finance|travel|c2VjcmV0/);
    assert.equal(dataOf<WebhookView>(await post('update', { id, headers: null })).headerNames, null);
  });

  for (const [what, headers, field] of [
    ['a header of the signature', { 'Webhook-Id': 'x' }, 'headers.webhook-id'],
    ['a header of the connection', { host: 'x' }, 'headers.host'],
    ['a name twice', { 'X-A': 'x', 'x-a': 'y' }, 'headers.x-a'],
    ['a name that is none', { 'x a': 'x' }, 'headers'],
    ['a value with a line break', { 'x-a': 'x\r\ny: z' }, 'headers.x-a'],
    ['a value that is no text', { 'x-a': 5 }, 'headers.x-a'],
    ['eleven headers', Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`x-${n}`, 'x'])), 'headers'],
    ['a list', ['x'], 'headers'],
  ] as const) {
    it(`webhooks/create returns 400 for ${what}`, async () => {
      assertInvalid(await post('create', { url: receiver.url, companyId: company.id, headers }), field);
    });
  }

  it('webhooks/create returns 400 for unknown actions and fields', async () => {
    const payload = { url: receiver.url, companyId: company.id, actions: ['moved'], fields: ['gender', 'nope'] };
    assertInvalid(await post('create', payload), 'actions[0]', 'fields[1]');
  });
});
