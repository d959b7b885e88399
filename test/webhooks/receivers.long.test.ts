import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { ChangeView } from '../../src/audit/change-view.ts';
import type { WebhookClient } from '../../src/features/webhooks/webhook-client.ts';
import type { DeliveryView, WebhookView, WebhookWithSecret } from '../../src/features/webhooks/webhooks-schemas.ts';
import { dataOf, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { updateProfile } from '../support/update-profile.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { assertRetriedByStep, passRetryDelay, retryOf } from './retry-delay.ts';
import { SELF_SIGNED } from './self-signed.ts';
import { startSender, testClient } from './test-sender.ts';

const api = await buildCheckedApp({ WEBHOOK_PRIVATE_TARGETS: 'true' });
after(() => api[Symbol.asyncDispose]());
const { email: superAdmin } = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const company = await addCompany(api.db, 'Listening');
const person = await addPerson(api.db, { company });
/** Milliseconds in which those are to answer that keep a client waiting. */
const DEADLINE_MS = 1_500;

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

afterEach(() => api.db.query(sql`delete from webhooks`));

/** Something each second, until the connection is gone. */
function dribble(response: ServerResponse, write: () => void): void {
  const timer = setInterval(write, 1_000);
  response.socket?.on('close', () => clearInterval(timer)).on('error', () => undefined);
}

interface Misbehaviour {
  respond: (response: ServerResponse) => void;
  /** Of the try. */
  status: number | null;
  error?: RegExp;
  keepsWaiting?: boolean;
}

/** How receivers may misbehave. */
const BAD: Readonly<Record<string, Misbehaviour>> = {
  'does not answer': {
    respond: () => undefined,
    status: null,
    error: /^No answer within 1.5 s/,
    keepsWaiting: true,
  },
  'answers a byte a second': {
    respond: (response) => dribble(response, () => response.socket?.write('H')),
    status: null,
    error: /No answer within|Parse Error/,
    keepsWaiting: true,
  },
  'speaks another protocol': { respond: ({ socket }) => socket?.end('220 smtp.example\r\n'), status: null },
  'hangs up': { respond: ({ socket }) => socket?.destroy(), status: null },
  resets: { respond: ({ socket }) => socket?.resetAndDestroy(), status: null },
  fails: { respond: (response) => response.writeHead(500).end(), status: 500 },
  redirects: { respond: (response) => response.writeHead(307, { location: '/elsewhere' }).end(), status: 307 },
};

describe('bad receivers of webhooks', () => {
  it('webhooks of misbehaving receivers fail and are retried, while a good receiver gets all messages', async () => {
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
    const keepWaiting = bad.filter(({ expected }) => expected.keepsWaiting).map(({ receiver }) => receiver.url);
    using patient = testClient();
    using impatient = testClient({ deadline: DEADLINE_MS });
    const client: WebhookClient = {
      ...patient,
      send: (message, stop) => (keepWaiting.includes(message.url) ? impatient : patient).send(message, stop),
    };
    {
      await using _sender = startSender(api.db, { client });
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
    }
    for (const { what, receiver, expected, id } of bad) {
      // On a busy machine there may have been a second one, or the end of the sender may have cut one off.
      const attempts = await attemptsOf(id);
      const [last] = attempts;
      assert.equal(last?.status, expected.status, what);
      assert.match(String(last?.error), expected.error ?? /./, what);
      assert.ok([0, 1].includes(receiver.received.length - attempts.length), `${what}: ${receiver.received.length}`);
      assert.ok((await view(id)).active, what);
      await assertRetriedByStep(api.db, id, what);
      await receiver[Symbol.asyncDispose]();
    }
    const [tried] = await attemptsOf(untrustedId);
    assert.deepEqual([tried?.status, untrusted.received.length], [null, 0]);
    assert.match(String(tried?.error), /certificate/);
  });

  it('a receiver that recovers gets the failed message again, and then the later ones', async () => {
    await using receiver = await startReceiver();
    const id = await newWebhook(receiver);
    receiver.answer((response) => {
      response.writeHead(receiver.received.length === 1 ? 500 : 200).end();
    });
    await using _sender = startSender(api.db);
    await change('one');
    await change('two');
    await waitUntil('the first try', async () => (await attemptsOf(id)).length > 0);
    await passRetryDelay(api.db);
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

  it("a receiver's 2xx with an endless body is a delivery, and the next message follows at once", async () => {
    await using receiver = await startReceiver();
    receiver.answer((response) => {
      response.writeHead(200);
      dribble(response, () => response.write('x'));
      response.flushHeaders();
    });
    await newWebhook(receiver);
    await using _sender = startSender(api.db);
    for (const gender of ['one', 'two', 'three']) await change(gender);
    await waitUntil('all', () => receiver.received.length === 3);
    assert.deepEqual(values(receiver), ['one', 'two', 'three']);
  });

  it("a receiver's Retry-After postpones the next attempt, up to the step after", async () => {
    await using receiver = await startReceiver();
    const id = await newWebhook(receiver);
    await using _sender = startSender(api.db);
    let said = '60';
    receiver.answer((response) => response.writeHead(429, { 'retry-after': said }).end());
    await change('one');
    for (const [count, [header, least, most]] of (
      [
        ['60', 60, 120],
        ['1', 290, 390],
        ['1000000', 7200, 7260],
      ] as const
    ).entries()) {
      said = header;
      await passRetryDelay(api.db);
      await waitUntil('a try', async () => (await attemptsOf(id)).length === count + 1);
      const { delay } = await retryOf(api.db, id);
      assert.ok(delay >= least && delay <= most, `${header}: ${delay}`);
    }
  });
});

describe('a good receiver of webhooks', () => {
  it('a receiver gets all messages over one connection, and over new connections after a close', async () => {
    await using receiver = await startReceiver();
    const id = await newWebhook(receiver);
    for (let count = 1; count <= 3; count++) await change(`${count}`);
    await using _sender = startSender(api.db);
    await waitUntil('three messages', () => receiver.received.length === 3);
    assert.equal(receiver.connections, 1);
    // Closed behind an answer that did not say so.
    let closed = 0;
    receiver.answer((response) => {
      const { socket } = response;
      socket?.once('close', () => closed++);
      response.end('ok', () => setTimeout(() => socket?.destroy(), 20));
    });
    for (let count = 4; count <= 8; count++) {
      await change(`${count}`);
      await waitUntil('a message, and the end of its connection', () => closed === count - 3);
    }
    assert.ok(receiver.connections > 3);
    await waitUntil('the record of the last', async () => (await attemptsOf(id)).length === 8);
    assert.ok((await attemptsOf(id)).every(({ status }) => status === 200));
    assert.deepEqual(values(receiver), ['1', '2', '3', '4', '5', '6', '7', '8']);
  });
});
