import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { MAX_COMPANY_KEYS } from '../../src/entities/api-key.ts';
import type { ApiKeyView, NewApiKeyView } from '../../src/features/api-keys/api-keys-schemas.ts';
import { addApiKey } from '../../src/features/api-keys/new-api-key.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { describeChange, openAdministration, userOf } from './administration.ts';
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
function scim(key: string, method: 'PATCH' | 'PUT' | 'GET' | 'POST' | 'DELETE', path: string, payload?: object) {
  return api.app.inject({
    method,
    url: `/scim/v2${path}`,
    headers: { authorization: `Bearer ${key}` },
    ...(payload === undefined ? {} : { payload }),
  });
}

const patched = (value: object) => ({ schemas: [PATCH_OP], Operations: [{ op: 'replace', value }] });

describe('who made an API key', () => {
  it('api-keys/create and api-keys/list return who created a key, and the trail has it', async () => {
    let made: NewApiKeyView | undefined;
    const changes = await changesOf(async () => {
      made = await makeKey(admin);
    });
    const change = changes.find(({ entity }) => entity === 'apiKey');
    assert.equal(made?.createdBy, admin.id);
    assert.equal((await keysOf(home.id)).find(({ id }) => id === made?.id)?.createdBy, admin.id);
    assert.deepEqual(change && describeChange(change).fields.createdBy, [null, admin.id]);
  });

  it('api-keys/list returns no creator for a key of the command line', async () => {
    const given = { name: 'Command', scopes: ['users.read'] as const, companyId: home.id, expiresAt: null };
    const { id } = await api.db.transaction((transaction) => addApiKey(transaction, { kind: 'command' }, given));
    assert.equal((await keysOf(home.id)).find((key) => key.id === id)?.createdBy, null);
  });
});

describe('an API key that changes the person who made it', () => {
  it('a key of a Corporate Admin cannot raise the approval limit or band of its creator', async () => {
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

  it('a key of a Super Admin can raise the approval limit of its creator', async () => {
    const maker = await add({ systemRole: { role: 'SUPER_ADMIN', active: true } });
    const { key } = await makeKey(maker);
    const value = { [ORGDESK]: { approvalLimit: '9.00' } };
    const response = await scim(key, 'PATCH', `/Users/${maker.id}`, patched(value));
    assert.equal(response.statusCode, 200, response.body);
  });

  it('a key cannot reactivate its creator after they were dismissed', async () => {
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

  it('a key can give its creator roles while they administer the company', async () => {
    const maker = await add({ roles: [['CORPORATE_ADMIN', home]] });
    const { key } = await makeKey(maker);
    const roles = { roles: [{ value: 'CORPORATE_ADMIN' }, { value: 'MANAGER' }] };
    const response = await scim(key, 'PATCH', `/Users/${maker.id}`, patched(roles));
    assert.equal(response.statusCode, 200, response.body);
  });
});

describe("the limits of an admin's own band", () => {
  const band = (fields: object, as = admin) => post(as, 'bands/update', { id: home.bandId, ...fields });

  it("bands/update refuses higher limits for the admin's own band, and another admin can raise them", async () => {
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

  it("bands/update reports a limit of the admin's own band before a stale ETag", async () => {
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
  it('api-keys/create accepts at most 50 usable keys of a company, also in simultaneous requests', async () => {
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

  it('api-keys/revoke locks only keys that the caller may revoke', async () => {
    const { id } = await makeKey(admin);
    statements.length = 0;
    assertRefused(await post(foreignAdmin, 'api-keys/revoke', { id }), 404, 'NOT_FOUND');
    const locks = statements.filter(({ text }) => /from api_keys[^;]*for update/s.test(text));
    assert.equal(locks.length, 1);
    assert.match(locks[0]?.text ?? '', /company_id = any/);
  });
});

describe('an API key whose maker has left', () => {
  async function suspendedKey(more: object = {}) {
    const maker = await add({ roles: [['CORPORATE_ADMIN', home]] });
    const made = await makeKey(maker, more);
    const answer = await post(admin, 'users/save', { companyId: home.id, update: [{ id: maker.id, active: false }] });
    assert.equal(dataOf<{ keysMade: number }>(answer).keysMade, 1);
    return { ...made, maker };
  }
  const isSuspended = async (id: string) => (await keysOf(home.id)).find((key) => key.id === id)?.suspended;
  const employee = () => add({ roles: [['EMPLOYEE', home]], columns: { approval_limit: '0.00' } });
  const joiner = (more: object) => ({
    schemas: [SCIM_USER, ORGDESK],
    userName: `${randomUUID()}@test.example`,
    name: { givenName: 'New', familyName: 'Joiner' },
    ...more,
  });

  it('a key whose creator has left can still add, change and deactivate ordinary people', async () => {
    const { id, key } = await suspendedKey();
    assert.equal(await isSuspended(id), true);
    const person = await employee();
    assert.equal((await scim(key, 'POST', '/Users', joiner({}))).statusCode, 201);
    for (const value of [
      { name: { givenName: 'Other' } },
      { userName: `${randomUUID()}@test.example` },
      { active: false },
      { active: true },
    ]) {
      const { statusCode, body } = await scim(key, 'PATCH', `/Users/${person.id}`, patched(value));
      assert.equal(statusCode, 200, body);
    }
  });

  it('a key whose creator has left grants nothing beyond an employee until the key is confirmed', async () => {
    const { id, key, maker } = await suspendedKey();
    const person = await employee();
    const manager = await add({ roles: [['MANAGER', home]] });
    const leaver = await add({ roles: [['MANAGER', home]], columns: { active: false } });
    const rich = await add({ roles: [['EMPLOYEE', home]], columns: { approval_limit: '10.00' } });
    const group = (await scim(key, 'GET', '/Groups'))
      .json()
      .Resources.find((each: { displayName: string }) => each.displayName === 'Managers');
    const member = { schemas: [PATCH_OP], Operations: [{ op: 'add', path: 'members', value: [{ value: person.id }] }] };
    const more: readonly (readonly ['POST' | 'PATCH', string, object])[] = [
      ['POST', '/Users', joiner({ roles: [{ value: 'CORPORATE_ADMIN' }] })],
      ['POST', '/Users', joiner({ [ORGDESK]: { approvalLimit: '5.00' } })],
      ['PATCH', `/Users/${person.id}`, patched({ roles: [{ value: 'MANAGER' }] })],
      ['PATCH', `/Users/${person.id}`, patched({ [ORGDESK]: { approvalLimit: '5.00' } })],
      ['PATCH', `/Users/${manager.id}`, patched({ userName: `${randomUUID()}@test.example` })],
      ['PATCH', `/Users/${rich.id}`, patched({ userName: `${randomUUID()}@test.example` })],
      ['PATCH', `/Users/${leaver.id}`, patched({ active: true })],
      ['PATCH', `/Groups/${group.id}`, member],
    ];
    for (const [method, path, body] of more) {
      const answer = await scim(key, method, path, body);
      assert.equal(answer.statusCode, 403, answer.body);
      assert.match(answer.json().detail, /no longer administers the company/);
    }
    const changes = await changesOf(async () => {
      const confirmed = dataOf<ApiKeyView>(await post(admin, 'api-keys/confirm', { id }));
      assert.deepEqual([confirmed.suspended, confirmed.confirmedBy, confirmed.createdBy], [false, admin.id, maker.id]);
    });
    assert.deepEqual(
      changes.map((change) => describeChange(change).fields),
      [{ confirmedBy: [null, admin.id] }],
    );
    assert.deepEqual(await changesOf(() => post(admin, 'api-keys/confirm', { id })), []);
    for (const [method, path, body] of more) {
      const answer = await scim(key, method, path, body);
      assert.ok(answer.statusCode < 300, answer.body);
    }
    // Neither the one who left nor the one who confirmed gets anything by it.
    assert.equal((await scim(key, 'PATCH', `/Users/${maker.id}`, patched({ active: true }))).statusCode, 403);
    assert.equal(
      (await scim(key, 'PATCH', `/Users/${admin.id}`, patched({ [ORGDESK]: { approvalLimit: '9.00' } }))).statusCode,
      403,
    );
  });

  it('users/import by a key whose creator has left returns 403 until the key is confirmed', async () => {
    const { id, key } = await suspendedKey({ scopes: ['users.write'] });
    const email = `${randomUUID()}@test.example`;
    const bring = () =>
      api.app.inject({
        method: 'POST',
        url: `/api/users/import?companyId=${home.id}`,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
        payload: `email,firstName,lastName\n${email},New,Joiner\n`,
      });
    const refused = await bring();
    assert.equal(refused.statusCode, 403, refused.body);
    assert.match(refused.json().message, /no longer administers the company/);
    assert.equal((await api.db.query(sql`select from users where email = ${email}`)).length, 0);
    dataOf(await post(admin, 'api-keys/confirm', { id }));
    assert.equal(dataOf<{ added: number }>(await bring()).added, 1);
  });

  it('api-keys/confirm by an administrator of another company returns 404, and by a Super Admin confirms', async () => {
    const { id } = await suspendedKey();
    assertRefused(await post(foreignAdmin, 'api-keys/confirm', { id }), 404, 'NOT_FOUND');
    assert.equal(await isSuspended(id), true);
    dataOf(await post(superAdmin, 'api-keys/confirm', { id }));
    assert.equal(await isSuspended(id), false);
  });

  it('users/import and SCIM return the number of keys that a deactivated person has created', async () => {
    const [one, other] = [
      await add({ roles: [['CORPORATE_ADMIN', home]] }),
      await add({ roles: [['CORPORATE_ADMIN', home]] }),
    ];
    const key = await makeKey(admin);
    for (const person of [one, other]) await makeKey(person);
    const csv = `email,active\n${one.email},false\n`;
    const imported = await api.app.inject({
      method: 'POST',
      url: `/api/users/import?companyId=${home.id}`,
      headers: { authorization: `Bearer ${await api.tokenFor(admin.email)}`, 'content-type': 'text/csv' },
      payload: csv,
    });
    assert.equal(dataOf<{ keysMade: number }>(imported).keysMade, 1);
    const left = await scim(key.key, 'PATCH', `/Users/${other.id}`, patched({ active: false }));
    assert.equal(left.headers['x-keys-made'], '1');
    const again = await scim(key.key, 'DELETE', `/Users/${other.id}`);
    assert.deepEqual([again.statusCode, again.headers['x-keys-made']], [204, '1']);
  });
});
