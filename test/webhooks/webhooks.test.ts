import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { DeliveryView, WebhookView, WebhookWithSecret } from '../../src/features/webhooks/webhooks-schemas.ts';
import { trailFor } from '../audit/trail.ts';
import { assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson, companyNamed } from '../support/people.ts';
import { startReceiver } from './receiver.ts';

const api = await buildCheckedApp();
const permissive = await buildCheckedApp({ WEBHOOK_PRIVATE_TARGETS: 'true' });
after(async () => {
  await api[Symbol.asyncDispose]();
  await permissive[Symbol.asyncDispose]();
});
const acme = await companyNamed(api.db, 'Acme');
const other = await addCompany(api.db, 'Other');
const { email: superAdmin } = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const { email: admin } = await addPerson(api.db, { roles: [['CORPORATE_ADMIN', acme]] });
const { email: manager } = await addPerson(api.db, { roles: [['MANAGER', acme]] });
const PUBLIC = 'https://8.8.8.8/hook';

const post = (url: string, payload: object, as: string) =>
  api.send({ method: 'POST', url: `/api/webhooks/${url}`, payload, as });
const newWebhook = async (more: object = {}, as = admin) =>
  dataOf<WebhookWithSecret>(await post('create', { url: PUBLIC, companyId: acme.id, ...more }, as));

describe('webhooks', () => {
  it('a created webhook returns its secret once, and no later answer or trail contains the secret', async () => {
    const { secret, ...made } = await newWebhook({ entities: ['user', 'company'], description: 'HR mirror' });
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual([made.entities, made.active, made.disabledReason], [['company', 'user'], true, null]);
    const { items } = pageOf<WebhookView>(
      await api.send({ url: `/api/webhooks/list?companyId=${acme.id}`, as: admin }),
    );
    assert.deepEqual(items[0], made);
    assert.deepEqual(dataOf(await api.send({ url: `/api/webhooks/get?id=${made.id}`, as: admin })), made);
    const [trail] = await trailFor(api, admin);
    assert.deepEqual([trail?.entity, trail?.action, trail?.entityId], ['webhook', 'added', made.id]);
    assert.ok(!JSON.stringify(trail).includes(secret));
  });

  it('Corporate Admins manage the webhooks of their company, and Super Admins all', async () => {
    const { id } = await newWebhook();
    const body = { url: PUBLIC, companyId: acme.id };
    assertRefused(await post('create', body, manager), 403, 'ROLE_REQUIRED');
    assertRefused(await post('create', { ...body, companyId: other.id }, admin), 403, 'COMPANY_FORBIDDEN');
    assertRefused(await post('create', { url: PUBLIC }, admin), 403, 'ROLE_REQUIRED');
    const forAll = await newWebhook({ companyId: undefined }, superAdmin);
    assert.equal(forAll.companyId, null);
    const theirs = await newWebhook({ companyId: other.id }, superAdmin);
    for (const operation of ['update', 'delete', 'rotate-secret', 'test']) {
      for (const foreign of [forAll.id, theirs.id, acme.id]) {
        assertRefused(await post(operation, { id: foreign }, admin), 404, 'NOT_FOUND');
      }
    }
    assert.equal((await post('delete', { id }, superAdmin)).statusCode, 200);
    assertRefused(await post('delete', { id }, superAdmin), 404, 'NOT_FOUND');
  });

  it('an update of a webhook is in the trail, and an update without a change is not', async () => {
    const { id, secret: _, ...made } = await newWebhook({ entities: ['user'] });
    const changed = dataOf<WebhookView>(await post('update', { id, entities: null, active: false }, admin));
    const { updatedAt } = changed;
    assert.ok(updatedAt > made.updatedAt);
    assert.deepEqual(changed, { ...made, id, entities: null, active: false, updatedAt });
    const [trail] = await trailFor(api, admin);
    assert.deepEqual(trail?.changes.map(({ field }) => field).sort(), ['active', 'entities']);
    assert.deepEqual(dataOf(await post('update', { id, entities: null, active: false }, admin)), changed);
    assert.equal((await trailFor(api, admin))[0]?.id, trail?.id);
  });

  const WRONG: readonly (readonly [what: string, payload: object, ...fields: string[]])[] = [
    ['nothing', {}, 'url'],
    ['plain http', { url: 'http://8.8.8.8/' }, 'url'],
    ['another protocol', { url: 'ftp://8.8.8.8/' }, 'url'],
    ['a user name', { url: 'https://me:word@8.8.8.8/' }, 'url'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'url'],
    ['a name of this machine', { url: 'https://localhost/' }, 'url'],
    ['a name without an address', { url: 'https://no-such-host.invalid/' }, 'url'],
    ['an unknown entity', { url: PUBLIC, entities: ['booking'] }, 'entities[0]'],
    ['an entity twice', { url: PUBLIC, entities: ['user', 'user'] }, 'entities[1]'],
    ['no entities', { url: PUBLIC, entities: [] }, 'entities'],
    ['more entities than there are', { url: PUBLIC, entities: Array(10_000).fill(0) }, 'entities'],
    ['an unknown field', { url: PUBLIC, secret: 'whsec_mine' }, 'secret'],
  ];
  for (const [what, payload, ...fields] of WRONG) {
    it(`creating a webhook with ${what} returns 400`, async () => {
      assertRefused(await post('create', payload, superAdmin), 400, 'INVALID_INPUT', fields);
    });
  }

  it('an update of a webhook to a private address or plain http returns 400', async () => {
    const { id } = await newWebhook();
    for (const url of ['https://127.0.0.1/', 'https://[::1]/', 'http://8.8.8.8/']) {
      assertRefused(await post('update', { id, url }, admin), 400, 'INVALID_INPUT', ['url']);
    }
  });

  it('creating more than twenty webhooks for a company returns 409', async () => {
    const company = await addCompany(api.db, 'Full');
    const create = () => post('create', { url: PUBLIC, companyId: company.id }, superAdmin);
    // Of one company's names, 20 at most are looked up or wait.
    const first = await Promise.all(Array.from({ length: 12 }, create));
    const made = [...first, ...(await Promise.all(Array.from({ length: 13 }, create)))];
    const refused = made.filter(({ statusCode }) => statusCode !== 200);
    assert.equal(refused.length, 5);
    for (const response of refused) assertRefused(response, 409, 'LIMIT_REACHED');
  });

  it('a webhook keeps every secret of the last 24 hours, ten in all, and the trail records each rotation without it', async () => {
    const { id, secret } = await newWebhook();
    const secrets = [secret];
    for (let count = 0; count < 9; count++) {
      secrets.push(dataOf<WebhookWithSecret>(await post('rotate-secret', { id }, admin)).secret);
    }
    assertRefused(await post('rotate-secret', { id }, admin), 409, 'LIMIT_REACHED');
    const kept = await api.db.query<{ secret: string }>(sql`
      select secret from webhook_secrets where webhook_id = ${id} order by expires_at nulls last`);
    assert.deepEqual(
      kept.map((row) => row.secret),
      secrets,
    );
    const trail = (await trailFor(api, admin, { entity: 'webhook' })).filter(({ entityId }) => entityId === id);
    assert.deepEqual(
      trail.map(({ action, changes }) => [
        action,
        ...changes.flatMap(({ field }) => (action === 'added' ? [] : field)),
      ]),
      [...Array(9).fill(['changed', 'secretRotatedAt']), ['added']],
    );
    for (const each of secrets) assert.ok(!JSON.stringify(trail).includes(each));
    await post('delete', { id }, admin);
    assert.equal((await trailFor(api, admin, { entity: 'webhook' }))[0]?.action, 'removed');
  });

  it("a change of another company's webhook returns 404 without waiting for its lock", async () => {
    const theirs = await newWebhook({ companyId: other.id }, superAdmin);
    const refuseAll = async () => {
      for (const operation of ['update', 'delete', 'rotate-secret']) {
        assertRefused(
          await post(operation, { id: theirs.id, ...(operation === 'update' ? { active: false } : {}) }, admin),
          404,
          'NOT_FOUND',
        );
      }
    };
    if (api.db.kind === 'embedded') return refuseAll();
    await api.db.transaction(async (transaction) => {
      await transaction.query(sql`select from webhooks where id = ${theirs.id} for update`);
      await refuseAll();
    });
  });

  it('a test of a webhook sends one message, and returns and lists its result', async () => {
    await using receiver = await startReceiver();
    const { email } = await addPerson(permissive.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
    const send = (url: string, payload: object) => permissive.send({ method: 'POST', url, payload, as: email });
    const { id } = dataOf<WebhookView>(await send('/api/webhooks/create', { url: receiver.url }));
    const tried = dataOf<DeliveryView>(await send('/api/webhooks/test', { id }));
    assert.deepEqual([tried.type, tried.status, tried.changeId, tried.webhookId], ['test', 200, null, id]);
    assert.equal(JSON.parse(receiver.received[0]?.body ?? '{}').type, 'test');
    const { items } = pageOf<DeliveryView>(
      await permissive.send({ url: `/api/webhooks/deliveries?id=${id}`, as: email }),
    );
    assert.deepEqual(items, [tried]);
    const stored = await permissive.db.query<{ secret: string }>(sql`select secret from webhook_secrets`);
    assert.equal(stored.length, 1);
  });
});
