import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { verifyWebhook } from '../../src/client/webhooks.ts';
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
