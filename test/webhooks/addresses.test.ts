import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { DeliveryView, WebhookWithSecret } from '../../src/features/webhooks/webhooks-schemas.ts';
import type { ResolveHost } from '../../src/lib/resolve-host.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { FORBIDDEN_HOSTS } from '../support/forbidden-hosts.ts';
import { addPerson, companyNamed } from '../support/people.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { startReceiver } from './receiver.ts';
import { testClient } from './test-sender.ts';

/** What the next look-up gives. */
let resolve: ResolveHost = async () => [];
const api = await buildCheckedApp({ RATE_LIMIT_USER: '0' }, openDemoDatabase, { resolveHost: (name) => resolve(name) });
after(() => api[Symbol.asyncDispose]());
const { id: companyId } = await companyNamed(api.db, 'Acme');
const { email: superAdmin } = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const post = (operation: string, payload: object) =>
  api.send({ method: 'POST', url: `/api/webhooks/${operation}`, payload, as: superAdmin });
const create = (url: string) => post('create', { url, companyId });
const { id } = dataOf<WebhookWithSecret>(await create('https://8.8.8.8/'));
const sendTest = async (webhookId = id) => dataOf<DeliveryView>(await post('test', { id: webhookId }));

/** Has each look-up give the next answer, and the last one from then on. @returns a resolver, and which names it was asked for */
function answering(...answers: readonly string[][]) {
  const requested: string[] = [];
  const resolveHost: ResolveHost = async (name) => {
    requested.push(name);
    const found = answers[Math.min(requested.length, answers.length) - 1] ?? [];
    return found.map((address) => ({ address, family: 4 }));
  };
  return { resolveHost, requested };
}

describe('webhooks', () => {
  for (const host of FORBIDDEN_HOSTS) {
    it(`a webhook to ${host} is refused on creation and update, and not sent`, async () => {
      const url = `https://${host}/`;
      assertRefused(await create(url), 400, 'INVALID_INPUT', ['url']);
      assertRefused(await post('update', { id, url }), 400, 'INVALID_INPUT', ['url']);
      await api.db.query(sql`update webhooks set url = ${url} where id = ${id}`);
      const { status, error } = await sendTest();
      assert.equal(status, null);
      assert.equal(error, `${new URL(url).hostname} has no public address.`);
    });
  }

  it('a webhook whose name resolves to a private address, alone or among others, is not sent', async () => {
    await using receiver = await startReceiver();
    const url = receiver.url.replace(/^http:..[^:]+/, 'https://changes.example');
    ({ resolveHost: resolve } = answering(['8.8.8.8']));
    const { id: changing } = dataOf<WebhookWithSecret>(await create(url));
    for (const answer of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['169.254.169.254']]) {
      const { resolveHost, requested } = answering(answer);
      resolve = resolveHost;
      const { status, error } = await sendTest(changing);
      assert.deepEqual([status, error], [null, 'changes.example has no public address.']);
      assert.deepEqual(requested, ['changes.example']);
    }
    assert.equal(receiver.connections, 0);
  });

  it('a webhook is sent to the address of one look-up, and a later answer of the name is ignored', async () => {
    await using receiver = await startReceiver();
    const { resolveHost, requested } = answering(['127.0.0.2'], ['127.0.0.1']);
    const url = receiver.url.replace('127.0.0.1', 'changes.example');
    using client = testClient({ resolveHost });
    const message = { id: 'msg_1', url, body: '{}', secrets: [] };
    const { signal } = new AbortController();
    const { status } = await client.send(message, signal);
    assert.deepEqual([status, requested.length, receiver.connections], [null, 1, 0]);
    // The next attempt looks anew, and the connection that it makes is kept.
    for (let count = 0; count < 3; count++) assert.equal((await client.send(message, signal)).status, 200);
    assert.deepEqual([requested.length, receiver.connections], [2, 1]);
  });
});
