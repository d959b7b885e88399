import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { InjectOptions } from 'fastify';
import sql from 'sql-template-tag';
import type { Method } from '../../src/api/operation.ts';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import { SCOPES, type Scope } from '../../src/entities/api-key.ts';
import type { ApiKeyView, NewApiKeyView } from '../../src/features/api-keys/api-keys-schemas.ts';
import { trailFor } from '../audit/trail.ts';
import { assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addThings, type CompanyThings, requestsFor, unknownThings } from '../support/company-things.ts';
import { addCompany, addPerson, companyNamed, type TestCompany } from '../support/people.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const acme = await companyNamed(api.db, 'Acme');
const other = await addCompany(api.db, 'Other');
const { email: superAdmin } = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const { email: admin } = await addPerson(api.db, { roles: [['CORPORATE_ADMIN', acme]] });
const { email: manager } = await addPerson(api.db, { roles: [['MANAGER', acme]] });

const CREATE = '/api/api-keys/create';
const CSV = { 'content-type': 'text/csv' };
const post = (url: string, payload: object, as: string) => api.send({ method: 'POST', url, payload, as });

async function newKey(payload: object, as = admin): Promise<NewApiKeyView> {
  return dataOf<NewApiKeyView>(await post(CREATE, { name: 'Engine', scopes: ['users.read'], ...payload }, as));
}

/** Sends a request with an API key. */
function by(key: string, request: InjectOptions | string) {
  const options = typeof request === 'string' ? { url: request } : request;
  return api.send({ ...options, headers: { authorization: `Bearer ${key}`, ...options.headers } });
}

const usersOf = ({ id }: TestCompany) => `/api/users/list?companyId=${id}`;

describe('API keys', () => {
  it('a created API key is returned once, listed by its prefix, and not stored as text', async () => {
    const { key, ...made } = await newKey({ companyId: acme.id, expiresAt: '2999-01-31T09:30:00+05:30' });
    assert.match(key, /^odk_[A-Za-z0-9]{40,}$/);
    assert.equal(made.prefix, key.slice(0, 12));
    assert.equal(made.expiresAt, '2999-01-31T04:00:00.000Z');
    assert.deepEqual(
      [made.scopes, made.companyId, made.revokedAt, made.lastUsedAt],
      [['users.read'], acme.id, null, null],
    );
    const { items } = pageOf<ApiKeyView>(
      await api.send({ url: `/api/api-keys/list?companyId=${acme.id}&limit=1`, as: admin }),
    );
    assert.deepEqual(items, [made]);
    const [trail] = await trailFor(api, admin);
    assert.deepEqual([trail?.entity, trail?.action, trail?.entityId], ['apiKey', 'added', made.id]);
    const stored = await api.db.query<{ line: string }>(sql`
      select api_keys::text as line from api_keys union all select audit_changes::text from audit_changes`);
    assert.ok(stored.every(({ line }) => !line.includes(key)));
  });

  it('Corporate Admins create API keys of their company, and only Super Admins those of the platform', async () => {
    const ofAcme = { name: 'Engine', scopes: ['scim'], companyId: acme.id };
    assertRefused(await post(CREATE, ofAcme, manager), 403, 'ROLE_REQUIRED');
    assertRefused(await post(CREATE, { ...ofAcme, companyId: other.id }, admin), 403, 'COMPANY_FORBIDDEN');
    const unknown = { ...ofAcme, companyId: '11111111-2222-4333-8444-555555555555' };
    for (const as of [admin, superAdmin]) assertRefused(await post(CREATE, unknown, as), 403, 'COMPANY_FORBIDDEN');
    assertRefused(await post(CREATE, { name: 'Engine', scopes: ['users.read'] }, admin), 403, 'ROLE_REQUIRED');
    assert.equal((await newKey({}, superAdmin)).companyId, null);
    assertRefused(await api.send({ url: '/api/api-keys/list', as: admin }), 400, 'INVALID_INPUT', ['companyId']);
    assert.ok(pageOf(await api.send({ url: '/api/api-keys/list', as: superAdmin })).pagination.totalItems >= 2);
  });

  const WRONG: readonly (readonly [what: string, payload: object, ...fields: string[]])[] = [
    ['nothing', {}, 'name', 'scopes'],
    ['no scope', { name: 'x', scopes: [] }, 'scopes'],
    ['an unknown scope', { name: 'x', scopes: ['users.read', 'all'] }, 'scopes[1]'],
    ['a scope twice', { name: 'x', scopes: ['users.read', 'users.read'] }, 'scopes[1]'],
    ['scim for the platform', { name: 'x', scopes: ['scim'] }, 'scopes[0]'],
    ['a past end', { name: 'x', scopes: ['users.read'], expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['no date-time', { name: 'x', scopes: ['users.read'], expiresAt: 'tomorrow' }, 'expiresAt'],
    ['an unknown field', { name: 'x', scopes: ['users.read'], key: 'odk_mine' }, 'key'],
    ['a long name', { name: 'x'.repeat(101), scopes: ['users.read'] }, 'name'],
    ['null as company', { name: 'x', scopes: ['users.read'], companyId: null }, 'companyId'],
  ];
  for (const [what, payload, ...fields] of WRONG) {
    it(`creating an API key with ${what} returns 400`, async () => {
      assertRefused(await post(CREATE, payload, superAdmin), 400, 'INVALID_INPUT', fields);
    });
  }

  it('an API key returns 403 SCOPE_REQUIRED for every operation outside its scope', async () => {
    for (const scope of SCOPES) {
      // What a webhook receives its maker has to be allowed to read.
      const scopes = scope === 'webhooks.manage' ? [scope, 'events.read' as const] : [scope];
      const { key } = await newKey({ scopes, companyId: acme.id });
      for (const { id, access, methods, path, scope: needed, standard } of OPERATIONS) {
        // SCIM has errors of its own form: test/scim/access.test.ts.
        if (access.name === 'public' || standard) continue;
        for (const method of methods) {
          const response = await by(key, { method, url: path, ...(method === 'POST' ? { payload: {} } : {}) });
          const isRefused = response.statusCode === 403 && response.json().code === 'SCOPE_REQUIRED';
          assert.equal(
            isRefused,
            needed !== 'any' && !scopes.some((one) => one === needed),
            `${scope}, ${method} ${id}: ${response.body.slice(0, 200)}`,
          );
          if (isRefused && needed) assert.ok(response.json().message.includes(needed), response.body);
        }
      }
      assertRefused(await by(key, '/api/nothing'), 404, 'NOT_FOUND');
    }
  });

  it('an API key of a company reads that company alone, and one of the platform every active company', async () => {
    const closed = await addCompany(api.db, 'Closed', { active: false });
    const { key } = await newKey({ scopes: ['users.read', 'departments.read'], companyId: acme.id });
    const { key: platform } = await newKey({ scopes: ['users.read', 'departments.read'] }, superAdmin);
    assert.equal((await by(key, usersOf(acme))).statusCode, 200);
    for (const company of [other, closed]) assertRefused(await by(key, usersOf(company)), 403, 'COMPANY_FORBIDDEN');
    for (const company of [acme, other]) {
      assert.equal((await by(platform, usersOf(company))).statusCode, 200);
      assert.equal((await by(platform, `/api/bands/list?companyId=${company.id}`)).statusCode, 200);
    }
    assertRefused(await by(platform, usersOf(closed)), 403, 'COMPANY_FORBIDDEN');
    const { id } = await addPerson(api.db, { company: other });
    assertRefused(await by(key, `/api/users/get?id=${id}`), 404, 'NOT_FOUND');
    assert.equal((await by(platform, `/api/users/get?id=${id}`)).statusCode, 200);
  });

  it("an API key with any scope gets the same answer for another company's ids as for unknown ids", async () => {
    const foreign = await addThings(api.db, other);
    const unknown = unknownThings();
    const list = (path: string) => (things: CompanyThings) => ({ url: path, query: { companyId: things.companyId } });
    const requests: Record<string, (things: CompanyThings) => InjectOptions> = {
      'users.list': list('/api/users/list'),
      'users.get': ({ userId }) => ({ url: `/api/users/get?id=${userId}` }),
      'approvalPolicies.list': list('/api/approval-policies/list'),
      'approvalPolicies.evaluate': ({ policyId }) => ({
        url: `/api/approval-policies/evaluate?id=${policyId}&amount=1.00`,
      }),
      'departments.list': list('/api/departments/list'),
      'departments.spending': list('/api/departments/spending'),
      'bands.list': list('/api/bands/list'),
      'audit.list': list('/api/audit/list'),
      'events.list': list('/api/events/list'),
      'bookings.record': ({ companyId, userId }) => ({
        method: 'POST',
        url: '/api/bookings/record',
        payload: { bookings: [{ id: 'foreign', companyId, userId, amount: '1.00' }] },
      }),
    };
    const foreignRequest = (id: string, method: Method, url: string) => (things: CompanyThings) => {
      const given =
        requestsFor({ ...other, id: things.companyId }, things)[id] ?? assert.fail(`There is no request for ${id}.`);
      if (id === 'users.import')
        return { method, url, query: { companyId: things.companyId }, headers: CSV, payload: 'email\r\n' };
      return method === 'GET' ? { url, query: given as Record<string, string> } : { method, url, payload: given };
    };
    const { key } = await newKey({ scopes: SCOPES, companyId: acme.id });
    for (const { id, scope, standard, methods, path } of OPERATIONS) {
      // Those of SCIM: test/scim/access.test.ts.
      if (scope === undefined || standard) continue;
      // Those that name nothing of a company, and the one that tries a webhook for five seconds.
      if (scope === 'any' || ['companies.list', 'companies.create', 'webhooks.test'].includes(id)) continue;
      const request = requests[id] ?? foreignRequest(id, methods[0] ?? 'GET', path);
      const [theirs, nobodys] = [await by(key, request(foreign)), await by(key, request(unknown))];
      const reported = ({ statusCode, body }: typeof theirs) => [statusCode, { ...JSON.parse(body), requestId: '' }];
      assert.deepEqual(reported(theirs), reported(nobodys), id);
      if (theirs.statusCode === 200) assert.deepEqual(theirs.json().data, [], id);
      else assert.ok([400, 403, 404].includes(theirs.statusCode), `${id}: ${theirs.body}`);
    }
  });

  it('an API key that is revoked, expired or of a closed company returns 401 from the next request on', async () => {
    const ends: Record<string, (key: NewApiKeyView, company: TestCompany) => Promise<unknown>> = {
      revoked: ({ id }) => post('/api/api-keys/revoke', { id }, superAdmin),
      expired: ({ id }) => api.db.query(sql`update api_keys set expires_at = now() where id = ${id}`),
      closed: (_key, { id }) => api.db.query(sql`update companies set active = false where id = ${id}`),
    };
    for (const [how, end] of Object.entries(ends)) {
      const company = await addCompany(api.db, `To be ${how}`);
      const made = await newKey({ companyId: company.id }, superAdmin);
      assert.equal((await by(made.key, usersOf(company))).statusCode, 200, how);
      await end(made, company);
      assertRefused(await by(made.key, usersOf(company)), 401, 'INVALID_TOKEN');
    }
    for (const token of ['odk_', 'odk_x', `odk_${'A'.repeat(43)}`]) {
      assertRefused(await by(token, usersOf(acme)), 401, 'INVALID_TOKEN');
    }
  });

  it("revoking an API key again returns the same answer, and another company's key 404", async () => {
    const { id } = await newKey({ companyId: acme.id });
    assertRefused(await post('/api/api-keys/revoke', { id: other.id }, admin), 404, 'NOT_FOUND');
    const platform = await newKey({}, superAdmin);
    assertRefused(await post('/api/api-keys/revoke', { id: platform.id }, admin), 404, 'NOT_FOUND');
    const first = dataOf<ApiKeyView>(await post('/api/api-keys/revoke', { id }, admin));
    assert.ok(first.revokedAt);
    assert.deepEqual(dataOf(await post('/api/api-keys/revoke', { id }, admin)), first);
    const [last] = await trailFor(api, admin);
    assert.deepEqual(
      [last?.action, last?.entityId, last?.changes.map(({ field }) => field)],
      ['changed', id, ['revokedAt']],
    );
  });

  it("the list of API keys contains the minute of a key's last use", async () => {
    const { id, key } = await newKey({ companyId: acme.id });
    await by(key, usersOf(acme));
    const { items } = pageOf<ApiKeyView>(await api.send({ url: `/api/api-keys/list?companyId=${acme.id}`, as: admin }));
    const used = items.find((item) => item.id === id)?.lastUsedAt;
    assert.match(String(used), /:00\.000Z$/);
  });

  it("an API key's trail and feed contain only changes of its company", async () => {
    const { key } = await newKey({ scopes: ['events.read' satisfies Scope], companyId: other.id }, superAdmin);
    await newKey({ companyId: other.id }, superAdmin);
    const { items } = pageOf<{ companyId: string }>(await by(key, '/api/audit/list?limit=100'));
    assert.ok(items.length > 0 && items.every(({ companyId }) => companyId === other.id));
    const feed = dataOf<{ companyId: string }[]>(await by(key, '/api/events/list?limit=1000'));
    assert.equal(feed.length, items.length);
  });
});
