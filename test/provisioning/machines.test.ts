import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { InjectOptions } from 'fastify';
import sql from 'sql-template-tag';
import type { Scope } from '../../src/entities/api-key.ts';
import type { NewApiKeyView } from '../../src/features/api-keys/api-keys-schemas.ts';
import { companyFields, openAdministration, personFields } from '../administration/administration.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import { insertRow } from '../support/rows.ts';

const administration = await openAdministration();
const { api, home, other, superAdmin, admin, post, add, changesOf, withoutTrace } = administration;
after(() => administration[Symbol.asyncDispose]());
const closed = await administration.addCompany({ name: 'Closed' });
dataOf(await post(superAdmin, 'companies/update', { id: closed.id, active: false }));

async function keyOf(scopes: Scope[], companyId?: string): Promise<NewApiKeyView> {
  const body = { name: 'Engine', scopes, ...(companyId === undefined ? {} : { companyId }) };
  return dataOf<NewApiKeyView>(await post(companyId === home.id ? admin : superAdmin, 'api-keys/create', body));
}
const by = ({ key }: NewApiKeyView, path: string, request: InjectOptions = {}) =>
  api.send({ url: `/api/${path}`, ...request, headers: { authorization: `Bearer ${key}`, ...request.headers } });
const send = (key: NewApiKeyView, path: string, payload: object) => by(key, path, { method: 'POST', payload });

const own = await keyOf(
  ['users.write', 'organization.write', 'companies.read', 'companies.write', 'webhooks.manage', 'events.read'],
  home.id,
);
const platform = await keyOf([
  'users.write',
  'organization.write',
  'companies.read',
  'companies.write',
  'webhooks.manage',
  'events.read',
]);
const reader = await keyOf(['users.read', 'departments.read', 'companies.read'], home.id);
const anotherAdmin = await add({ roles: [['CORPORATE_ADMIN', home]] });

describe('a key with users.write', () => {
  it('a key with users.write creates, changes, saves and imports people, and is the actor in the trail', async () => {
    const person = personFields(home);
    const changes = await changesOf(async () => {
      dataOf(await send(own, 'users/create', person));
      dataOf(await send(own, 'users/update', { id: person.id, phone: '+353 1 555 0100' }));
      dataOf(await send(own, 'users/grant-role', { userId: person.id, role: 'MANAGER', companyId: home.id }));
      dataOf(await send(own, 'users/revoke-role', { userId: person.id, role: 'MANAGER', companyId: home.id }));
      const [{ companyId: _, ...saved }] = [personFields(home)];
      dataOf(await send(own, 'users/save', { companyId: home.id, create: [saved] }));
      const payload = `email,firstName,lastName\r\n${randomUUID()}@new.example,Ana,Lee\r\n`;
      const query = { companyId: home.id };
      const headers = { 'content-type': 'text/csv' };
      const imported = dataOf<{ added: number }>(
        await by(own, 'users/import', { method: 'POST', query, headers, payload }),
      );
      assert.equal(imported.added, 1);
    });
    assert.ok(changes.length >= 8);
    for (const { actor } of changes) assert.deepEqual([actor.kind, actor.keyId], ['key', own.id]);
  });

  it("a key with users.write changes loyalty points, and an administrator's change returns 400", async () => {
    const points = async (id: string) =>
      dataOf<{ loyaltyPoints: number }>(await administration.get(admin, 'users/get', { id })).loyaltyPoints;
    const person = { ...personFields(home), loyaltyPoints: 12 };
    dataOf(await send(own, 'users/create', person));
    assert.equal(await points(person.id), 12);
    const [change] = await changesOf(() => send(own, 'users/update', { id: person.id, loyaltyPoints: 40 }));
    assert.deepEqual(
      change?.changes.map(({ field, before, after }) => [field, before, after]),
      [['loyaltyPoints', 12, 40]],
    );
    const { companyId, ...saved } = { ...personFields(home), loyaltyPoints: 5 };
    const body = { companyId, create: [saved], update: [{ id: person.id, loyaltyPoints: 41 }] };
    dataOf(await send(own, 'users/save', body));
    assert.deepEqual([await points(person.id), await points(saved.id)], [41, 5]);
    const strictly = { method: 'POST', headers: { prefer: 'handling=strict' } } as const;
    dataOf(await by(own, 'users/update', { ...strictly, payload: { id: person.id, loyaltyPoints: 42 } }));
    dataOf(await send(own, 'users/update', { id: person.id, loyaltyPoints: 41 }));
    assertRefused(await send(own, 'users/update', { id: person.id, loyaltyPoints: -1 }), 400, 'INVALID_INPUT', [
      'loyaltyPoints',
    ]);
    for (const [path, payload, field] of [
      ['users/create', { ...personFields(home), loyaltyPoints: 1 }, 'loyaltyPoints'],
      ['users/update', { id: person.id, loyaltyPoints: 1 }, 'loyaltyPoints'],
      ['users/save', { companyId, update: [{ id: person.id, loyaltyPoints: 1 }] }, 'update[0].loyaltyPoints'],
    ] as const) {
      assertRefused(await post(admin, path, payload), 400, 'INVALID_INPUT', [field]);
    }
    assert.equal(await points(person.id), 41);
  });

  it('a key with users.write returns 403 or 404 for people of another, a closed or an unknown company', async () => {
    for (const company of [other, closed, { ...home, id: randomUUID() }]) {
      assertRefused(await send(own, 'users/create', personFields(company)), 403, 'COMPANY_FORBIDDEN');
    }
    for (const company of [closed, { ...home, id: randomUUID() }]) {
      assertRefused(await send(platform, 'users/create', personFields(company)), 403, 'COMPANY_FORBIDDEN');
      assertRefused(await send(platform, 'users/save', { companyId: company.id, create: [] }), 400, 'INVALID_INPUT', [
        'create',
      ]);
      const role = { userId: anotherAdmin.id, role: 'MANAGER', companyId: company.id };
      assertRefused(await send(platform, 'users/grant-role', role), 403, 'COMPANY_FORBIDDEN');
    }
    const foreigner = await add({ company: other });
    assertRefused(await send(own, 'users/update', { id: foreigner.id, gender: 'Other' }), 404, 'NOT_FOUND');
    dataOf(await send(platform, 'users/update', { id: foreigner.id, gender: 'Other' }));
  });

  it("a key with users.write is refused for protected people, the last admin and its maker's limits", async () => {
    const staff = await add({ systemRole: { role: 'PLATFORM_RM', active: true } });
    const guest = await add({ roles: [['EMPLOYEE', other]] });
    for (const key of [own, platform]) {
      const address = { id: staff.id, email: `${randomUUID()}@new.example` };
      assertRefused(await send(key, 'users/update', address), 403, 'PROTECTED_USER');
      const role = { userId: guest.id, role: 'PLATFORM_RM' };
      assertRefused(await send(key, 'users/grant-role', role), 403, 'ROLE_REQUIRED');
    }
    const renamed = { id: guest.id, email: `${randomUUID()}@new.example` };
    assertRefused(await send(own, 'users/update', renamed), 403, 'PROTECTED_USER');
    dataOf(await send(platform, 'users/update', renamed));
    for (const limit of [{ approvalLimit: '9.00' }, { loyaltyPoints: 500_000 }]) {
      assertRefused(await send(own, 'users/update', { id: admin.id, ...limit }), 403, 'OWN_LIMIT');
    }
    dataOf(await send(platform, 'users/update', { id: admin.id, approvalLimit: '9.00' }));
    const lone = await administration.addCompany();
    const last = await add({ company: lone, roles: [['CORPORATE_ADMIN', lone]] });
    assertRefused(await send(platform, 'users/update', { id: last.id, active: false }), 409, 'LAST_ADMIN');
    const role = { userId: last.id, role: 'CORPORATE_ADMIN', companyId: lone.id };
    assertRefused(await send(platform, 'users/revoke-role', role), 409, 'LAST_ADMIN');
  });
});

describe('a key with organization.write', () => {
  for (const [path, content] of [
    ['departments', () => ({ name: 'Made', costCode: randomUUID() })],
    ['bands', () => ({ name: 'Made', code: randomUUID() })],
    ['approval-policies', () => ({ name: 'Made', autoApprovalLimit: '5.00' })],
  ] as const) {
    it(`a key with organization.write creates, changes and deletes ${path} of its company alone`, async () => {
      for (const [key, company] of [
        [own, home],
        [platform, other],
      ] as const) {
        const { id } = dataOf<{ id: string }>(
          await send(key, `${path}/create`, { companyId: company.id, ...content() }),
        );
        dataOf(await send(key, `${path}/update`, { id, name: 'Changed' }));
        if (key === platform) assertRefused(await send(own, `${path}/update`, { id, name: 'Taken' }), 404, 'NOT_FOUND');
        dataOf(await send(key, `${path}/delete`, { id }));
      }
      for (const [key, companyId] of [
        [own, other.id],
        [platform, closed.id],
        [platform, randomUUID()],
      ] as const) {
        const refused = await withoutTrace(() => send(key, `${path}/create`, { companyId, ...content() }));
        assertRefused(refused, 403, 'COMPANY_FORBIDDEN');
      }
    });
  }

  it("a key with organization.write returns 403 for raising the limits of its maker's band", async () => {
    const raised = { id: home.bandId, autoApprovalLimit: '1.00' };
    assertRefused(await send(own, 'bands/update', raised), 403, 'OWN_LIMIT');
    dataOf(await send(platform, 'bands/update', raised));
  });
});

describe('keys and companies', () => {
  const ids = async (key: NewApiKeyView) =>
    dataOf<{ id: string }[]>(await by(key, 'companies/list', { query: { limit: '100' } })).map(({ id }) => id);

  it('a key with companies.read lists and gets its own company, and one of the platform every active one', async () => {
    assert.deepEqual(await ids(own), [home.id]);
    const all = await ids(platform);
    assert.ok(all.includes(home.id) && all.includes(other.id) && !all.includes(closed.id));
    assert.equal(dataOf<{ id: string }>(await by(own, 'companies/get', { query: { id: home.id } })).id, home.id);
    for (const [key, id] of [
      [own, other.id],
      [platform, closed.id],
    ] as const) {
      assertRefused(await by(key, 'companies/get', { query: { id } }), 404, 'NOT_FOUND');
    }
  });

  it("a key changes what its company's Corporate Admin may, and one of the platform creates companies", async () => {
    dataOf(await send(own, 'companies/update', { id: home.id, email: 'new@initech.example' }));
    assertRefused(await send(own, 'companies/update', { id: home.id, name: 'X' }), 403, 'FIELD_FORBIDDEN', ['name']);
    assertRefused(await send(own, 'companies/create', companyFields()), 403, 'SCOPE_REQUIRED');
    const made = dataOf<{ id: string }>(await send(platform, 'companies/create', companyFields()));
    const renamed = await send(platform, 'companies/update', { id: made.id, name: 'Renamed' });
    assert.equal(dataOf<{ name: string }>(renamed).name, 'Renamed');
  });

  it('a key of the platform gets 403 when it closes the company of those who run the platform, and closes others', async () => {
    const { companyId } = dataOf<{ companyId: string }>(await administration.get(superAdmin, 'users/profile', {}));
    const closing = { id: companyId, active: false };
    assertRefused(await send(platform, 'companies/update', closing), 403, 'FIELD_FORBIDDEN', ['active']);
    const { id } = dataOf<{ id: string }>(await send(platform, 'companies/create', companyFields()));
    dataOf(await send(platform, 'companies/update', { id, active: false }));
  });
});

describe('a key with webhooks.manage', () => {
  it('a key with webhooks.manage manages the webhooks of its company, and has to name the company', async () => {
    assertInvalid(await by(own, 'webhooks/list'), 'companyId');
    assertRefused(await send(own, 'webhooks/create', { url: 'https://hooks.example/' }), 403, 'ROLE_REQUIRED');
    const id = randomUUID();
    await insertRow(api.db, 'webhooks', { id, company_id: home.id, url: 'https://hooks.example/', active: true });
    await api.db.query(sql`insert into webhook_progress (webhook_id, position) values (${id}, 0)`);
    const listed = dataOf<{ id: string }[]>(await by(own, 'webhooks/list', { query: { companyId: home.id } }));
    assert.deepEqual(
      listed.map((webhook) => webhook.id),
      [id],
    );
    assertRefused(await by(own, 'webhooks/list', { query: { companyId: other.id } }), 403, 'COMPANY_FORBIDDEN');
    const { errors } = assertRefused(
      await send(own, 'webhooks/skip', { id, changeId: '0' }),
      409,
      'NOT_FIRST_IN_LINE',
      ['changeId'],
    );
    const [, changeId = ''] = /change (\d+)/.exec(errors?.[0]?.message ?? '') ?? [];
    dataOf(await send(own, 'webhooks/skip', { id, changeId }));
    const [skipped] = dataOf<{ skippedBy: string }[]>(await by(own, 'webhooks/deliveries', { query: { id } }));
    assert.equal(skipped?.skippedBy, own.id);
    assert.equal(dataOf<{ active: boolean }>(await send(own, 'webhooks/update', { id, active: false })).active, false);
    dataOf(await send(own, 'webhooks/delete', { id }));
  });
});

describe('a key and the webhooks that it made', () => {
  it('a key with webhooks.manage but without events.read gets 403 for every operation of webhooks', async () => {
    const blind = await keyOf(['webhooks.manage'], home.id);
    const { message } = assertRefused(
      await by(blind, 'webhooks/list', { query: { companyId: home.id } }),
      403,
      'SCOPE_REQUIRED',
    );
    assert.match(message, /events\.read/);
    const webhook = { url: 'https://hooks.example/', companyId: home.id };
    assertRefused(await send(blind, 'webhooks/create', webhook), 403, 'SCOPE_REQUIRED');
  });

  it('api-keys/revoke names the webhooks that the key made, and stops them or leaves them to the company', async () => {
    for (const [webhooks, active] of [
      ['stop', false],
      ['keep', true],
    ] as const) {
      const key = await keyOf(['webhooks.manage', 'events.read'], home.id);
      const { id } = dataOf<{ id: string }>(
        await send(key, 'webhooks/create', { url: 'https://127.0.0.1/', companyId: home.id }).then(async (answer) => {
          if (answer.statusCode === 200) return answer;
          const webhookId = randomUUID();
          const row = {
            id: webhookId,
            company_id: home.id,
            url: 'https://hooks.example/',
            active: true,
            key_id: key.id,
          };
          await insertRow(api.db, 'webhooks', row);
          return api.send({ url: '/api/webhooks/get', query: { id: webhookId }, as: admin.email });
        }),
      );
      const revoked = dataOf<{ webhooks: object[] }>(await post(admin, 'api-keys/revoke', { id: key.id, webhooks }));
      assert.deepEqual(revoked.webhooks, [{ id, url: 'https://hooks.example/', active }]);
      dataOf(await post(admin, 'webhooks/delete', { id }));
    }
    assertInvalid(await post(admin, 'api-keys/revoke', { id: own.id, webhooks: 'sell' }), 'webhooks');
  });

  it('a key of the platform gets 403 if it closes the company of those who run the platform', async () => {
    const operator = await administration.addCompany({ name: 'Operator' });
    await add({ company: operator, systemRole: { role: 'PLATFORM_RM', active: true } });
    const close = { id: operator.id, active: false };
    assertRefused(await send(platform, 'companies/update', close), 403, 'FIELD_FORBIDDEN', ['active']);
    dataOf(await post(superAdmin, 'companies/update', close));
  });

  it("a key gets 403 if it changes its creator's loyalty points", async () => {
    const given = { id: admin.id, loyaltyPoints: 500_000 };
    const save = { companyId: home.id, update: [given] };
    assertRefused(await send(own, 'users/save', save), 403, 'OWN_LIMIT', ['update[0]']);
  });
});

describe('GET api-keys/self', () => {
  it('GET api-keys/self returns the calling key with any scopes, and 403 to a person', async () => {
    const response = await by(reader, 'api-keys/self');
    assert.equal(response.json<{ message: string }>().message, 'API Key retrieved successfully');
    const { id, name, companyId, company, scopes, ...others } = dataOf<Record<string, unknown>>(response);
    assert.deepEqual([id, name, companyId, scopes], [reader.id, 'Engine', home.id, reader.scopes]);
    assert.deepEqual(company, { id: home.id, name: 'Initech' });
    assert.ok(!('key' in others) && !('hash' in others));
    assert.equal(dataOf<{ company: unknown }>(await by(platform, 'api-keys/self')).company, null);
    assertRefused(await api.send({ url: '/api/api-keys/self', as: superAdmin.email }), 403, 'SCOPE_REQUIRED');
  });
});
