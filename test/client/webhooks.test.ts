import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { verifyWebhook, WebhookError } from '../../src/client/webhooks.ts';
import { newSecret, signedHeaders } from '../../src/features/webhooks/messages.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { serve } from './served.ts';

const served = await serve({ WEBHOOK_PRIVATE_TARGETS: 'true' }, openDemoDatabase);
const receiver = await startReceiver();
after(async () => {
  await served[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

it('the client verifies a message that the service sent to a webhook, also while two secrets sign', async () => {
  const client = await served.clientOf('super.admin@orgdesk.example');
  const { data } = await client.post('/api/webhooks/create', { url: receiver.url });
  await client.post('/api/webhooks/test', { id: data.id });
  const { data: rotated } = await client.post('/api/webhooks/rotate-secret', { id: data.id });
  await client.post('/api/webhooks/test', { id: data.id });
  const [first, second] = receiver.received;
  assert.ok(first && second && receiver.received.length === 2);
  for (const [{ body, headers }, secret] of [
    [first, data.secret],
    [second, data.secret],
    [second, rotated.secret],
  ] as const) {
    const message = verifyWebhook(body, headers, secret);
    assert.deepEqual([message.type, message.data], ['test', { webhookId: data.id }]);
    assert.equal(message.id, headers['webhook-id']);
  }
  assert.throws(() => verifyWebhook(first.body, first.headers, rotated.secret), { name: 'WebhookError' });
  const bytes = Buffer.from(first.body);
  assert.equal(verifyWebhook(bytes, first.headers, data.secret).type, 'test');
  const parsed = JSON.parse(String(first.body)) as string;
  assert.throws(() => verifyWebhook(parsed, first.headers, data.secret), /needs the raw body.*parsed already/s);
});

const secret = newSecret();
const body = '\ufeff{"type":"test","name":"Łódź नी"}';
const plain = body.slice(1);
const signed = (secondsAgo = 0, text = plain) =>
  signedHeaders('msg_1', Math.floor(Date.now() / 1000) - secondsAgo, text, [secret]) as Record<string, string>;

it('the client verifies a message with header names in any case, lists of values and a body of bytes', () => {
  const headers = signed();
  const bytes = new TextEncoder().encode(plain);
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  const signature = ['v1,bm9uZQ==', headers['webhook-signature'] ?? ''];
  for (const given of [headers, upper, lists, { ...lists, 'webhook-signature': signature }, new Headers(headers)]) {
    for (const raw of [plain, bytes, bytes.buffer]) assert.equal(verifyWebhook(raw, given, secret).id, 'msg_1');
  }
});

it("the client verifies the age of a message by the receiver's tolerance, in seconds", () => {
  assert.throws(() => verifyWebhook(plain, signed(400), secret), { name: 'WebhookError', message: /too old/ });
  assert.equal(verifyWebhook(plain, signed(400), secret, { tolerance: 600 }).type, 'test');
  assert.throws(() => verifyWebhook(plain, signed(-60), secret, { tolerance: 30 }), /too new/);
});

it('the client throws a WebhookError for whatever is wrong with a message or its secret', () => {
  const headers = signed();
  const { 'webhook-id': _, ...withoutId } = headers;
  const wrong: [Parameters<typeof verifyWebhook>[0], Record<string, string>, string][] = [
    [`${plain} `, headers, secret],
    [plain, headers, newSecret()],
    [plain, headers, ''],
    [plain, headers, undefined as unknown as string],
    [plain, headers, 'whsec_%%%'],
    [plain, {}, secret],
    [plain, withoutId, secret],
    [plain, { ...headers, 'webhook-timestamp': 'now' }, secret],
    [plain, { ...headers, 'webhook-signature': 'é' }, secret],
    [plain, undefined as unknown as Record<string, string>, secret],
    [{} as string, headers, secret],
    [body, signed(0, body), secret],
  ];
  for (const given of wrong) assert.throws(() => verifyWebhook(...given), WebhookError, JSON.stringify(given));
});
