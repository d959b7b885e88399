import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Clients, EXAMPLES, open, say } from './programs.ts';

const SECRET = 'of the chat';
const EMPLOYEE = 'd23dea7a-7498-46ef-9bdf-27944b5296e9';
interface Reply {
  response_type: string;
  text: string;
  blocks?: [unknown, { elements: [{ value: string }] }];
}

export async function tryBot({ staff, environment, keyed }: Clients): Promise<void> {
  const env = await environment(['users.read', 'policies.evaluate', 'bookings.write']);
  const { data } = await (await keyed(['policies.evaluate'])).post('/api/approval-policies/evaluate', {
    userId: EMPLOYEE,
    amount: '40000',
  });
  const [approver] = data.steps.flatMap(({ approvers }) => approvers.people);
  const { data: found } = await staff.get('/api/users/get', { id: approver?.id ?? assert.fail() });
  const addresses: Readonly<Record<string, string | undefined>> = {
    ...{ U1: 'employee@acme.example', U2: found.email ?? undefined },
  };
  const chat = createServer((request, response) => {
    const user = new URL(request.url ?? '', 'http://chat').searchParams.get('user') ?? '';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, user: { profile: { email: addresses[user] } } }));
  }).listen(0, '127.0.0.1');
  await once(chat, 'listening');
  const chatUrl = `http://127.0.0.1:${(chat.address() as AddressInfo).port}`;
  const settings = { ...env, PORT: '0', SIGNING_SECRET: SECRET, CHAT_URL: chatUrl, CHAT_TOKEN: 'x' };
  try {
    await using bot = await open(settings, process.execPath, join(EXAMPLES, 'approval-bot/bot.mjs'));
    const send = (form: Record<string, string>, secret = SECRET, at = Math.floor(Date.now() / 1000)) => {
      const body = new URLSearchParams(form).toString();
      const signature = `v0=${createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')}`;
      const headers = { 'x-slack-request-timestamp': String(at), 'x-slack-signature': signature };
      return bot.send('/', { method: 'POST', body, headers });
    };
    const trip = async (text: string, user = 'U1') => (await send({ text, user_id: user })).body as Reply;
    const press = async (reply: Reply, user: string) => {
      const value = reply.blocks?.[1].elements[0].value ?? assert.fail(reply.text);
      return (await send({ payload: JSON.stringify({ user: { id: user }, actions: [{ value }] }) })).body as Reply;
    };
    assert.equal((await send({ text: 'BK-1 1', user_id: 'U1' }, 'another')).status, 401);
    assert.equal((await send({ text: 'BK-1 1', user_id: 'U1' }, SECRET, 1)).status, 401);
    assert.equal((await trip('BK-1 100', 'U9')).response_type, 'ephemeral');
    assert.equal((await trip('BK-1 100')).text, 'BK-1 is booked.');

    const asked = await trip('BK-2 40000');
    assert.match(asked.text, /^BK-2, 40000: .* may approve\.$/);
    assert.equal((await press(asked, 'U1')).text, 'You do not decide on this.');
    assert.equal((await press(asked, 'U2')).text, 'BK-2 is booked.');
    const books = await keyed(['bookings.read']);
    for (const [id, amount] of Object.entries({ 'BK-1': '100.00', 'BK-2': '40000.00' })) {
      const { data: booking } = await books.get('/api/bookings/get', { id });
      assert.deepEqual([booking.userId, booking.amount], [EMPLOYEE, amount]);
    }
  } finally {
    chat.close();
  }
  say(
    'approval-bot: refuses what the chat has not signed, lets nobody but the approvers decide, and records the booking',
  );
}
