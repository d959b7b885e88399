import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verifyWebhook, WebhookError } from '../../../src/client/webhooks.ts';
import { newSecret, signedHeaders } from '../../../src/features/webhooks/messages.ts';

const SECRET = newSecret();
const BODY = JSON.stringify({ type: 'test', timestamp: '2026-01-31T09:30:00.000Z', data: { webhookId: 'é' } });
const now = () => Math.floor(Date.now() / 1000);
const signed = (at = now(), secrets = [SECRET]) => signedHeaders('msg', at, BODY, secrets);
const READ = { id: 'msg', ...JSON.parse(BODY) };

describe('client: verification of webhooks', () => {
  it('verifyWebhook accepts a signed message with its body and headers in any form that frameworks use', () => {
    assert.deepEqual(verifyWebhook(BODY, signed(), SECRET), READ);
    assert.deepEqual(verifyWebhook(Buffer.from(BODY), new Headers(signed()), SECRET), READ);
    assert.deepEqual(verifyWebhook(BODY, signed(now(), [newSecret(), SECRET]), SECRET), READ);
  });

  it('verifyWebhook throws a WebhookError for a changed, stale or unsigned message', () => {
    const { 'webhook-id': _, ...withoutId } = signed();
    const hostile: [string, Record<string, string>][] = [
      [BODY.replace('test', 'best'), signed()],
      [BODY, { ...signed(), 'webhook-id': 'another' }],
      [BODY, { ...signed(), 'webhook-signature': 'v1,AAAA' }],
      [BODY, signed(now(), [newSecret()])],
      [BODY, signed(now() - 310)],
      [BODY, signed(now() + 310)],
      [BODY, withoutId],
      [BODY, {}],
      ['', signed()],
    ];
    for (const [body, headers] of hostile) {
      assert.throws(() => verifyWebhook(body, headers, SECRET), WebhookError, JSON.stringify(headers));
    }
  });
});
