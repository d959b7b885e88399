import type { ChangeView } from '../../audit/change-view.ts';

/** Returns the id of a change's message to a webhook: the same for every attempt. */
export function messageId(webhookId: string, changeId: string): string {
  return `msg_${webhookId.replaceAll('-', '')}_${changeId}`;
}

/** Returns the type of a change's message, such as `user.changed`. */
export function messageType({ entity, action }: Pick<ChangeView, 'entity' | 'action'>): string {
  return `${entity}.${action}`;
}

/** Returns the JSON text that is sent for a change: the same for every attempt, but for personal values that are erased in between. */
export function messageBody(change: ChangeView): string {
  return JSON.stringify({ type: messageType(change), timestamp: change.changedAt, data: change });
}

/** Type of the messages that are sent on request. */
export const TEST_TYPE = 'test';

/** Returns the JSON text of a test. @param timestamp as the API writes it */
export function testBody(webhookId: string, timestamp: string): string {
  return JSON.stringify({ type: TEST_TYPE, timestamp, data: { webhookId } });
}
