import { createHmac, randomBytes } from 'node:crypto';
import type { ChangeView } from '../../audit/change-view.ts';
import { fingerprintOf } from '../../audit/feed-cursor.ts';

/**
 * Returns the message id of a change for a webhook, the same for every attempt. A database that is restored or loses commits uses ids of
 * changes again: the fingerprint tells the messages apart.
 */
export function messageId(webhookId: string, { id, changedAt }: Pick<ChangeView, 'id' | 'changedAt'>): string {
  return `msg_${webhookId.replaceAll('-', '')}_${id}_${fingerprintOf(id, changedAt)}`;
}

/** Returns the message type of a change, such as `user.changed`. */
export function messageType({ entity, action }: Pick<ChangeView, 'entity' | 'action'>): string {
  return `${entity}.${action}`;
}

/** Returns the JSON text sent for a change: the same for every attempt, except for personal values erased in between. */
export function messageBody(change: ChangeView): string {
  return JSON.stringify({ type: messageType(change), timestamp: change.changedAt, data: change });
}

/** Type of test messages. */
export const TEST_TYPE = 'test';

/** Returns the JSON text of a test message. @param timestamp in the format of the API */
export function testBody(webhookId: string, timestamp: string): string {
  return JSON.stringify({ type: TEST_TYPE, timestamp, data: { webhookId } });
}

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Returns a new random secret in the format of Standard Webhooks: `whsec_` and base64 of 32 bytes. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Returns the headers of a delivery (Standard Webhooks 1.0, "Webhook headers").
 *
 * @param id message id, the same for every attempt
 * @param at Unix time in seconds
 * @param secrets one signature is made with each
 */
export function signedHeaders(
  id: string,
  at: number,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': signatures.join(' ') };
}
