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
