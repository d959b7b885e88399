import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { MAX_COMPANY_KEYS } from '../../src/entities/api-key.ts';
import type { NewApiKeyView } from '../../src/features/api-keys/api-keys-schemas.ts';
import { addApiKey } from '../../src/features/api-keys/new-api-key.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openAdministration, told, userOf } from './administration.ts';
import { companyKeys } from './company-keys.ts';
import { testLeaversKeys } from './leavers-keys-tests.ts';

let statements: { text: string }[] = [];
const administration = await openAdministration(async () => {
  const recorded = recordStatements(await openTestDatabase());
  statements = recorded.statements;
  return recorded.db;
});
after(() => administration[Symbol.asyncDispose]());
const { api, home, superAdmin, admin, foreignAdmin, get, post, add, addCompany, changesOf } = administration;

const keys = companyKeys(administration);
const { makeKey, keysOf } = keys;

const SCIM_USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ORGDESK = 'urn:orgdesk:params:scim:schemas:extension:2.0:User';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Sends an operation of SCIM on a person, or a group, by a key. */
function scim(key: string, method: 'PATCH' | 'PUT' | 'GET' | 'POST', path: string, payload?: object) {
  return api.app.inject({
    method,
    url: `/scim/v2${path}`,
    headers: { authorization: `Bearer ${key}` },
    ...(payload === undefined ? {} : { payload }),
  });
}

const patched = (value: object) => ({ schemas: [PATCH_OP], Operations: [{ op: 'replace', value }] });

describe('who made an API key', () => {
  it('is told where it is made and listed, and in the trail', async () => {
    let made: NewApiKeyView | undefined;
    const [change] = await changesOf(async () => {
      made = await makeKey(admin);
    });
    assert.equal(made?.createdBy, admin.id);
    assert.equal((await keysOf(home.id)).find(({ id }) => id === made?.id)?.createdBy, admin.id);
    assert.deepEqual(change && told(change).fields.createdBy, [null, admin.id]);
  });

  it('is nobody where it was the command line', async () => {
    const given = { name: 'Command', scopes: ['users.read'] as const, companyId: home.id, expiresAt: null };
    const { id } = await api.db.transaction((transaction) => addApiKey(transaction, { kind: 'command' }, given));
    assert.equal((await keysOf(home.id)).find((key) => key.id === id)?.createdBy, null);
  });
});

describe('an API key that changes the person who made it', () => {
  it('gives them neither another approval limit nor another band, as they could not', async () => {
    const maker = await add({ roles: [['CORPORATE_ADMIN', home]] });
    const { key } = await makeKey(maker);
    const high = await post(admin, 'bands/create', { companyId: home.id, name: 'High', code: 'HIGH' });
    assert.equal(high.statusCode, 200, high.body);
    for (const [path, value] of [
      [`/Users/${maker.id}`, { [ORGDESK]: { approvalLimit: '987654321.00' } }],
      [`/Users/${maker.id}`, { [ORGDESK]: { bandCode: 'HIGH' } }],
    ] as const) {
      const response = await scim(key, 'PATCH', path, patched(value));
      assert.equal(response.statusCode, 403, response.body);
      const colleague = await add();
      const another = await scim(key, 'PATCH', `/Users/${colleague.id}`, patched(value));
      assert.equal(another.statusCode, 200, another.body);
    }
    const renamed = await scim(key, 'PATCH', `/Users/${maker.id}`, patched({ name: { familyName: 'Iyer' } }));
    assert.equal(renamed.statusCode, 200, renamed.body);
    const { key: another } = await makeKey(admin);
    const value = { [ORGDESK]: { approvalLimit: '9.00' } };
    const response = await scim(another, 'PATCH', `/Users/${maker.id}`, patched(value));
    assert.equal(response.statusCode, 200, response.body);
  });

  it('follows the rules of a Super Admin, who may give themselves more', async () => {
    const maker = await add({ systemRole: { role: 'SUPER_ADMIN', active: true } });
    const { key } = await makeKey(maker);
    const value = { [ORGDESK]: { approvalLimit: '9.00' } };
    const response = await scim(key, 'PATCH', `/Users/${maker.id}`, patched(value));
    assert.equal(response.statusCode, 200, response.body);
  });

  it('brings nobody back who was dismissed', async () => {
    const maker = await add({ roles: [['CORPORATE_ADMIN', home]] });
    const { key } = await makeKey(maker);
    const role = { userId: maker.id, companyId: home.id, role: 'CORPORATE_ADMIN' };
    assert.equal((await post(admin, 'users/revoke-role', role)).statusCode, 200);
    assert.equal((await post(admin, 'users/update', { id: maker.id, active: false })).statusCode, 200);
    const person = { schemas: [SCIM_USER], userName: maker.email, name: { givenName: 'Ana', familyName: 'Iyer' } };
    const groups = await scim(key, 'GET', '/Groups?excludedAttributes=members');
    const admins = groups
      .json<{ Resources: { id: string; displayName: string }[] }>()
      .Resources.find(({ displayName }) => displayName === 'Corporate Admins');
    assert.ok(admins);
    const members = { op: 'add', path: 'members', value: [{ value: maker.id }] };
    for (const [method, path, body] of [
      ['PATCH', `/Users/${maker.id}`, patched({ active: true })],
      ['PATCH', `/Users/${maker.id}`, patched({ roles: [{ value: 'CORPORATE_ADMIN' }] })],
      ['PUT', `/Users/${maker.id}`, { ...person, active: true }],
      ['PATCH', `/Groups/${admins.id}`, { schemas: [PATCH_OP], Operations: [members] }],
    ] as const) {
      const response = await scim(key, method, path, body);
      assert.equal(response.statusCode, 403, `${method} ${path}: ${response.body}`);
    }
    const { active, roles } = userOf(await get(admin, 'users/get', { id: maker.id }));
    assert.deepEqual([active, roles], [false, []]);
    const { key: another } = await makeKey(admin);
    const back = { active: true, roles: [{ value: 'CORPORATE_ADMIN' }] };
    const response = await scim(another, 'PATCH', `/Users/${maker.id}`, patched(back));
    assert.equal(response.statusCode, 200, response.body);
  });

  it('gives them roles as long as they administer the company', async () => {
    const maker = await add({ roles: [['CORPORATE_ADMIN', home]] });
    const { key } = await makeKey(maker);
    const roles = { roles: [{ value: 'CORPORATE_ADMIN' }, { value: 'MANAGER' }] };
    const response = await scim(key, 'PATCH', `/Users/${maker.id}`, patched(roles));
    assert.equal(response.statusCode, 200, response.body);
  });
});

describe("the limits of an admin's own band", () => {
  const band = (fields: object, as = admin) => post(as, 'bands/update', { id: home.bandId, ...fields });

  it('are raised by another admin alone', async () => {
    const created = dataOf<{ id: string }>(
      await post(admin, 'bands/create', { companyId: home.id, name: 'Theirs', code: 'THEIRS' }),
    );
    const second = await add({ roles: [['CORPORATE_ADMIN', home]], columns: { band_id: created.id } });
    const limits = { autoApprovalLimit: '100.00', maxBookingLimit: '500.00' };
    assert.equal((await band(limits, second)).statusCode, 200);
    for (const fields of [
      { autoApprovalLimit: '100.01' },
      { maxBookingLimit: '500.01' },
      { maxBookingLimit: null },
      { name: 'Renamed', autoApprovalLimit: '1000000000000.00' },
    ]) {
      assertRefused(await administration.withoutTrace(() => band(fields)), 403, 'OWN_LIMIT');
    }
    for (const fields of [limits, { name: 'Renamed' }, { autoApprovalLimit: '99.99', maxBookingLimit: '400.00' }]) {
      assert.equal((await band(fields)).statusCode, 200);
    }
    assert.equal((await band({ autoApprovalLimit: '1000.00', maxBookingLimit: null }, second)).statusCode, 200);
  });

  it('are looked at before the tag', async () => {
    const response = await post(
      admin,
      'bands/update',
      { id: home.bandId, autoApprovalLimit: '999999.00' },
      { 'if-match': '"gone"' },
    );
    assertRefused(response, 403, 'OWN_LIMIT');
  });
});

testLeaversKeys(administration, keys);

describe('API keys of a company', () => {
  it('are 50 at most that can be used, however they are made at once', async () => {
    const company = await addCompany();
    await add({ company, roles: [['CORPORATE_ADMIN', company]] });
    const create = () =>
      post(superAdmin, 'api-keys/create', { name: 'Engine', scopes: ['users.read'], companyId: company.id });
    for (let made = 0; made < MAX_COMPANY_KEYS - 2; made++) assert.equal((await create()).statusCode, 200);
    const responses = await Promise.all(Array.from({ length: 6 }, create));
    const refused = responses.filter(({ statusCode }) => statusCode !== 200);
    assert.equal(refused.length, 4);
    for (const response of refused) assertRefused(response, 409, 'LIMIT_REACHED');
    const [first] = await keysOf(company.id);
    assert.ok(first);
    await post(superAdmin, 'api-keys/revoke', { id: first.id });
    assert.equal((await create()).statusCode, 200);
    const [second] = (await keysOf(company.id)).filter(({ revokedAt }) => revokedAt === null);
    await api.db.query(sql`update api_keys set expires_at = now() where id = ${second?.id}`);
    assert.equal((await create()).statusCode, 200);
    assertRefused(await create(), 409, 'LIMIT_REACHED');
  });

  it('are locked by whoever may revoke them alone', async () => {
    const { id } = await makeKey(admin);
    statements.length = 0;
    assertRefused(await post(foreignAdmin, 'api-keys/revoke', { id }), 404, 'NOT_FOUND');
    const locks = statements.filter(({ text }) => /from api_keys[^;]*for update/s.test(text));
    assert.equal(locks.length, 1);
    assert.match(locks[0]?.text ?? '', /company_id = any/);
  });
});
