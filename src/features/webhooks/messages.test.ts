import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageId } from './messages.ts';

const WEBHOOK = '1d0e4c35-0c0f-4a0e-9d5b-6f4d5a7b8c9d';

test('a change keeps its webhook message id, and one with its id after a restore gets another', () => {
  const change = { id: '1617', changedAt: '2026-01-31T09:30:00.000Z' };
  assert.match(messageId(WEBHOOK, change), /^msg_1d0e4c350c0f4a0e9d5b6f4d5a7b8c9d_1617_\w+$/);
  assert.equal(messageId(WEBHOOK, { ...change }), messageId(WEBHOOK, change));
  const others = [
    messageId(WEBHOOK, { ...change, changedAt: '2026-01-31T09:30:00.001Z' }),
    messageId(WEBHOOK, { ...change, id: '1618' }),
    messageId(WEBHOOK.replace('1', '2'), change),
  ];
  assert.equal(new Set([messageId(WEBHOOK, change), ...others]).size, 4);
});
