import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { ChangeView } from '../../src/audit/change-view.ts';
import type { DeliveryView, WebhookView, WebhookWithSecret } from '../../src/features/webhooks/webhooks-schemas.ts';
import { dataOf, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { SELF_SIGNED } from './self-signed.ts';
import { startSender } from './test-sender.ts';

const api = await buildCheckedApp({ WEBHOOK_PRIVATE_TARGETS: 'true' });
after(() => api[Symbol.asyncDispose]());
const { email: superAdmin } = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const company = await addCompany(api.db, 'Listening');
const person = await addPerson(api.db, { company });
/** Milliseconds to answer in. */
const DEADLINE_MS = 1_500;
const options = { deadline: DEADLINE_MS };

const post = (url: string, payload: object) => api.send({ method: 'POST', url, payload, as: superAdmin });
const newWebhook = async ({ url }: Receiver) =>
  dataOf<WebhookWithSecret>(await post('/api/webhooks/create', { url, companyId: company.id, entities: ['user'] })).id;
const change = async (gender: string) =>
  assert.equal((await updateProfile(api, 'POST', person.email, { gender })).statusCode, 200);
const view = async (id: string) =>
  dataOf<WebhookView>(await api.send({ url: `/api/webhooks/get?id=${id}`, as: superAdmin }));
const attemptsOf = async (id: string) =>
  pageOf<DeliveryView>(await api.send({ url: `/api/webhooks/deliveries?id=${id}&limit=100`, as: superAdmin })).items;
const values = ({ received }: Receiver) =>
  received.map(({ body }) => (JSON.parse(body) as { data: ChangeView }).data.changes[0]?.after);
/** Seconds until the next try. */
const delayOf = async (id: string) => {
  const [progress] = await api.db.query<{ delay: number }>(sql`
    select extract(epoch from next_try_at - now())::double precision as delay from webhook_progress where webhook_id = ${id}`);
  return progress?.delay ?? Number.NaN;
};
const passTime = () => api.db.query(sql`update webhook_progress set next_try_at = now()`);

afterEach(() => api.db.query(sql`delete from webhooks`));

/** Something each second, until the connection is gone. */
function dribble(response: ServerResponse, write: () => void): void {
  const timer = setInterval(write, 1_000);
  response.socket?.on('close', () => clearInterval(timer)).on('error', () => undefined);
}

/** How receivers may misbehave: the status of the try, and what the error says. */
const BAD: Readonly<
  Record<string, { respond: (response: ServerResponse) => void; status: number | null; error?: RegExp }>
> = {
  'does not answer': { respond: () => undefined, status: null, error: /^No answer within 1.5 s/ },
  'answers a byte a second': {
    respond: (response) => dribble(response, () => response.socket?.write('H')),
    status: null,
    error: /No answer within|Parse Error/,
  },
  'speaks another protocol': { respond: ({ socket }) => socket?.end('220 smtp.example\r\n'), status: null },
  'hangs up': { respond: ({ socket }) => socket?.destroy(), status: null },
  resets: { respond: ({ socket }) => socket?.resetAndDestroy(), status: null },
  fails: { respond: (response) => response.writeHead(500).end(), status: 500 },
  redirects: { respond: (response) => response.writeHead(307, { location: '/elsewhere' }).end(), status: 307 },
};

describe('bad receivers of webhooks', () => {
  it('fail by themselves, while a good one is served in time', async () => {
    await using good = await startReceiver();
    await newWebhook(good);
    const bad = await Promise.all(
      Object.entries(BAD).map(async ([what, { respond, ...expected }]) => {
        const receiver = await startReceiver();
        receiver.answer(respond);
        return { what, receiver, expected, id: await newWebhook(receiver) };
      }),
    );
    await using untrusted = await startReceiver(SELF_SIGNED);
    const untrustedId = await newWebhook(untrusted);
    await using _sender = startSender(api.db, options);
    for (let count = 0; count < 20; count++) await change(`${count}`);
    await waitUntil('the good one', () => good.received.length === 20);
    assert.deepEqual(
      values(good),
      Array.from({ length: 20 }, (_, count) => `${count}`),
    );
    await waitUntil('a try of each', async () => {
      const tries = await Promise.all([untrustedId, ...bad.map(({ id }) => id)].map(attemptsOf));
      return tries.every(({ length }) => length > 0);
    });
    for (const { what, receiver, expected, id } of bad) {
      const [tried] = await attemptsOf(id);
      assert.equal(tried?.status, expected.status, what);
      assert.match(String(tried?.error), expected.error ?? /./, what);
      assert.equal(receiver.received.length, 1, what);
      assert.ok((await view(id)).active, what);
      const delay = await delayOf(id);
      assert.ok(delay > 0 && delay <= 5.5, `${what}: ${delay}`);
      await receiver[Symbol.asyncDispose]();
    }
    const [tried] = await attemptsOf(untrustedId);
    assert.deepEqual([tried?.status, untrusted.received.length], [null, 0]);
    assert.match(String(tried?.error), /certificate/);
  });

  it('that come to themselves get the same message again, and then what follows', async () => {
    await using receiver = await startReceiver();
    const id = await newWebhook(receiver);
    receiver.answer((response) => {
      response.writeHead(receiver.received.length === 1 ? 500 : 200).end();
    });
    await using _sender = startSender(api.db, options);
    await change('one');
    await change('two');
    await waitUntil('the first try', async () => (await attemptsOf(id)).length === 1);
    await passTime();
    await waitUntil('all', async () => (await attemptsOf(id)).length === 3);
    assert.deepEqual(values(receiver), ['one', 'one', 'two']);
    assert.deepEqual(
      (await attemptsOf(id)).map(({ attempt, status }) => [attempt, status]),
      [
        [1, 200],
        [2, 200],
        [1, 500],
      ],
    );
  });

  it('may send a body as slowly as they like: a 2xx is a delivery, and the next goes out at once', async () => {
    await using receiver = await startReceiver();
    receiver.answer((response) => {
      response.writeHead(200);
      dribble(response, () => response.write('x'));
      response.flushHeaders();
    });
    await newWebhook(receiver);
    await using _sender = startSender(api.db, options);
    for (const gender of ['one', 'two', 'three']) await change(gender);
    await waitUntil('all', () => receiver.received.length === 3);
    assert.deepEqual(values(receiver), ['one', 'two', 'three']);
  });

  it('may say how long to wait, up to the step after', async () => {
    await using receiver = await startReceiver();
    const id = await newWebhook(receiver);
    await using _sender = startSender(api.db, options);
    let said = '60';
    receiver.answer((response) => response.writeHead(429, { 'retry-after': said }).end());
    await change('one');
    for (const [count, [header, least, most]] of (
      [
        ['60', 50, 61],
        ['1', 290, 330],
        ['1000000', 7190, 7201],
      ] as const
    ).entries()) {
      said = header;
      await passTime();
      await waitUntil('a try', async () => (await attemptsOf(id)).length === count + 1);
      const delay = await delayOf(id);
      assert.ok(delay > least && delay <= most, `${header}: ${delay}`);
    }
  });
});

describe('a good receiver of webhooks', () => {
  it('gets them over one connection, and over another one where it has closed that', async () => {
    await using receiver = await startReceiver();
    const id = await newWebhook(receiver);
    await using _sender = startSender(api.db, options);
    for (let count = 1; count <= 3; count++) {
      await change(`${count}`);
      await waitUntil('a message', () => receiver.received.length === count);
    }
    assert.equal(receiver.connections, 1);
    // Closed behind an answer that did not say so.
    receiver.answer((response) => {
      const { socket } = response;
      response.end('ok', () => setTimeout(() => socket?.destroy(), 20));
    });
    for (let count = 4; count <= 8; count++) {
      await change(`${count}`);
      await waitUntil('a message', () => receiver.received.length === count);
    }
    assert.ok(receiver.connections > 3);
    assert.ok((await attemptsOf(id)).every(({ status }) => status === 200));
    assert.deepEqual(values(receiver), ['1', '2', '3', '4', '5', '6', '7', '8']);
  });
});
