import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';
import { createUser, directoryFor, type Json, openDirectory, patchOf, type TestDirectory } from './directory.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const first = await openDirectory(api, 'Renewed keys');
const { company } = first;
const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
const post = (path: string, payload: object, as = admin) =>
  api.send({ method: 'POST', url: `/api/${path}`, as: as.email, payload });

async function renewed(overlapDays: number): Promise<TestDirectory> {
  const response = await post('directories/renew-key', { id: first.keyId, overlapDays });
  assert.equal(response.statusCode, 200, response.body);
  const { id, key } = response.json().data;
  return {
    company,
    keyId: id,
    key,
    async send(method, path, body) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/scim+json' };
      const answer = await api.app.inject({
        method,
        url: `/scim/v2${path}`,
        headers: body === undefined ? { authorization: headers.authorization } : headers,
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      const content = answer.body === '' ? undefined : (answer.json() as Json);
      return { status: answer.statusCode, body: content, headers: answer.headers };
    },
  };
}

const rolesOf = async (id: string) =>
  (await api.db.query<{ role: string }>(sql`select role from company_roles where user_id = ${id} order by 1`)).map(
    ({ role }) => role,
  );

it('a renewed key sees, changes and removes everything that the old key of the directory made', async () => {
  const carl = await createUser(first);
  const yve = await createUser(first);
  const groups = (await first.send('GET', '/Groups')).body.Resources;
  const admins = groups.find(({ displayName }: Json) => displayName === 'Corporate Admins');
  const add = patchOf({ op: 'add', path: 'members', value: [{ value: carl.id }] });
  assert.equal((await first.send('PATCH', `/Groups/${admins.id}`, add)).status, 204);
  await post('group-mappings/create', { companyId: company.id, groupName: 'Approvers', role: 'MANAGER' });
  const members = [{ value: yve.id }];
  const approvers = (await first.send('POST', '/Groups', { displayName: 'Approvers', members })).body;
  assert.deepEqual(await rolesOf(carl.id), ['CORPORATE_ADMIN', 'EMPLOYEE']);
  assert.deepEqual(await rolesOf(yve.id), ['EMPLOYEE', 'MANAGER']);

  const second = await renewed(7);
  assert.equal((await first.send('GET', '/Users?count=1')).status, 200);
  const third = await renewed(0);
  assert.equal((await first.send('GET', '/Users?count=1')).status, 401);
  assert.equal((await second.send('GET', '/Users?count=1')).status, 401);

  const seen = await third.send('GET', `/Groups/${approvers.id}`);
  assert.deepEqual(
    seen.body.members.map(({ value }: Json) => value),
    [yve.id],
  );
  const remove = patchOf({ op: 'remove', path: `members[value eq "${carl.id}"]` });
  assert.equal((await third.send('PATCH', `/Groups/${admins.id}`, remove)).status, 204);
  assert.deepEqual(await rolesOf(carl.id), ['EMPLOYEE']);
  assert.equal((await third.send('DELETE', `/Groups/${approvers.id}`)).status, 204);
  assert.deepEqual(await rolesOf(yve.id), ['EMPLOYEE']);
});

it('directories/list returns one directory for all of its keys, with its id, people and groups', async () => {
  const { data } = (await api.send({ url: `/api/directories/list?companyId=${company.id}`, as: admin.email })).json();
  assert.deepEqual(
    data.map(({ id, _count }: Json) => [id, _count]),
    [[first.keyId, { users: 2, groups: 0 }]],
  );
});

it('directories/renew-key returns 404 for a directory of another company and for a key without scim', async () => {
  const other = await directoryFor(api, (await openDirectory(api, 'Others')).company);
  assert.equal((await post('directories/renew-key', { id: other.keyId })).statusCode, 404);
  const made = await post('api-keys/create', { companyId: company.id, name: 'Engine', scopes: ['users.read'] });
  assert.equal((await post('directories/renew-key', { id: made.json().data.id })).statusCode, 404);
});
