import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { OPERATIONS } from '../../src/app/all-operations.ts';
import { SCOPES } from '../../src/entities/api-key.ts';
import type { NewApiKeyView } from '../../src/features/api-keys/api-keys-schemas.ts';
import { dataOf } from '../support/answers.ts';
import { userRow } from '../support/people.ts';
import { openAdministration, personFields } from './administration.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { api, home, other, admin, post, add } = administration;

const { key } = await suspendedKey();

async function suspendedKey(): Promise<NewApiKeyView> {
  const maker = await add({ roles: [['CORPORATE_ADMIN', home]] });
  const made = await post(maker, 'api-keys/create', { name: 'All', scopes: SCOPES, companyId: home.id });
  await post(admin, 'users/revoke-role', { userId: maker.id, companyId: home.id, role: 'CORPORATE_ADMIN' });
  return dataOf<NewApiKeyView>(made);
}

function send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: Record<string, unknown>) {
  const headers = { authorization: `Bearer ${key}` };
  return api.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
}

const employee = (columns: Record<string, unknown> = { approval_limit: '0.00' }) =>
  add({ roles: [['EMPLOYEE', home]], columns });

it('a suspended key gets 403 KEY_SUSPENDED from every operation that writes, but those that provision people', async () => {
  const open: string[] = [];
  for (const { id, scope, writes, path, methods } of OPERATIONS) {
    if (scope === undefined || scope === 'any') continue;
    for (const method of methods) {
      const { statusCode, body } = await send(
        method,
        path.replace(':id', randomUUID()),
        method === 'GET' ? undefined : {},
      );
      const isRefused = statusCode === 403 && body.includes('no longer administers the company');
      if (writes && !isRefused) open.push(id);
      if (!writes) assert.ok(!isRefused, `${method} ${path}: ${body}`);
    }
  }
  const people = ['users.create', 'users.save', 'users.update'];
  assert.deepEqual([...new Set(open.filter((id) => !id.startsWith('scim.')))].sort(), people);
});

it('a suspended key adds, changes and deactivates people who have no role but EMPLOYEE', async () => {
  const [{ id }, manager] = [await employee(), await employee()];
  const { companyId, ...joiner } = personFields(home);
  for (const [path, body] of [
    ['create', personFields(home)],
    ['update', { id, firstName: 'Other', email: `${randomUUID()}@new.example`, employment: { managerId: manager.id } }],
    ['update', { id, active: false }],
    ['save', { companyId, create: [joiner], update: [{ id, active: true, departmentId: home.departmentId }] }],
  ] as const) {
    const response = await send('POST', `/api/users/${path}`, body);
    assert.equal(response.statusCode, 200, response.body);
  }
});

it('a suspended key gets 403 KEY_SUSPENDED for limits, roles, and every change of somebody with a role', async () => {
  const [person, manager, guest] = [
    await employee(),
    await add({ roles: [['MANAGER', home]] }),
    await add({
      roles: [
        ['EMPLOYEE', home],
        ['EMPLOYEE', other],
      ],
    }),
  ];
  const rich = await employee({ approval_limit: '10.00' });
  for (const body of [
    { ...personFields(home), roles: ['MANAGER'] },
    { ...personFields(home), approvalLimit: '0.01' },
    { ...personFields(home), loyaltyPoints: 1 },
  ]) {
    assert.equal((await send('POST', '/api/users/create', body)).json().code, 'KEY_SUSPENDED', JSON.stringify(body));
  }
  const workEmail = [{ value: `${randomUUID()}@new.example`, type: 'work', primary: true }];
  const patch = (value: object) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', value }],
  });
  for (const { id } of [admin, manager, guest]) {
    for (const changes of [{ active: false }, { firstName: 'Other' }, { employment: { jobTitle: 'Clerk' } }]) {
      assert.equal((await send('POST', '/api/users/update', { id, ...changes })).json().code, 'KEY_SUSPENDED');
    }
    for (const value of [{ emails: workEmail }, { externalId: 'taken' }, { roles: [{ value: 'EMPLOYEE' }] }]) {
      const { statusCode, body } = await send('PATCH', `/scim/v2/Users/${id}`, patch(value));
      if (id !== guest.id || !('roles' in value)) assert.equal(statusCode, 403, body);
    }
  }
  for (const changes of [{ approvalLimit: '5.00' }, { loyaltyPoints: 9 }]) {
    const response = await send('POST', '/api/users/update', { id: person.id, ...changes });
    assert.equal(response.json().code, 'KEY_SUSPENDED');
  }
  assert.equal((await send('PATCH', `/scim/v2/Users/${rich.id}`, patch({ emails: workEmail }))).statusCode, 403);
  assert.equal((await send('PATCH', `/scim/v2/Users/${rich.id}`, patch({ active: false }))).statusCode, 200);
});

it('a suspended key gives newcomers the address of an employee who has left, and 403 KEY_SUSPENDED for that of anybody else', async () => {
  const left = (role: 'EMPLOYEE' | 'CORPORATE_ADMIN') =>
    add({ roles: [[role, home]], columns: { active: false, approval_limit: '0.00' } });
  const names = { firstName: 'Zoe', lastName: 'Xu' };
  const byHand = ({ email }: { email: string }) =>
    send('POST', '/api/users/create', { ...personFields(home), ...names, email });
  const byScim = ({ email }: { email: string }) =>
    send('POST', '/scim/v2/Users', { userName: email, name: { givenName: 'Zoe', familyName: 'Xu' } });
  for (const create of [byHand, byScim]) {
    assert.ok((await create(await left('EMPLOYEE'))).statusCode < 300);
    const former = await left('CORPORATE_ADMIN');
    const { statusCode, body } = await create(former);
    assert.ok(statusCode === 403 && body.includes('no longer administers'), body);
    assert.equal((await userRow(api.db, former.id)).email, former.email);
  }
});
