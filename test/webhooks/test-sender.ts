import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.ts';
import { type SenderOptions, sendWebhooks } from '../../src/features/webhooks/send-webhooks.ts';
import { openWebhookClient, type WebhookClientOptions } from '../../src/features/webhooks/webhook-client.ts';
import { hostResolver } from '../../src/lib/resolve-host.ts';

/** Milliseconds that a receiver has on a machine that is busy. */
const PATIENT = 240_000;

/** A sender that may send anywhere, with a patient client of its own. Nothing may go wrong in it unless `onError` says otherwise. */
export function startSender(db: Database, options: Partial<SenderOptions> = {}): AsyncDisposable {
  const client = testClient();
  const sender = sendWebhooks(db, { client, onError: (error) => assert.fail(String(error)), ...options });
  return {
    async [Symbol.asyncDispose]() {
      await sender[Symbol.asyncDispose]();
      client[Symbol.dispose]();
    },
  };
}

/** A client that may send anywhere. */
export function testClient(options: Partial<WebhookClientOptions> = {}) {
  return openWebhookClient({ permitsPrivate: true, resolveHost: hostResolver(), deadline: PATIENT, ...options });
}
