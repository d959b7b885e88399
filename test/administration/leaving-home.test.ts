import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { assertRefused, dataOf } from '../support/answers.ts';
import { openAdministration, userOf } from './administration.ts';
import { companyKeys } from './company-keys.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { api, home, other, admin, superAdmin, post, get, add } = administration;
const { makeKey } = companyKeys(administration);

const guest = () =>
  add({
    roles: [
      ['EMPLOYEE', home],
      ['MANAGER', other],
    ],
  });
const rolesOf = async (id: string) =>
  userOf(await get(superAdmin, 'users/get', { id })).companyRoles.map(({ role }) => role);

it('the directory of the home company renames, deactivates and deletes a person with a role in another company', async () => {
  const { key } = await makeKey(admin, { scopes: ['scim'] });
  const scim = (method: 'PATCH' | 'DELETE', id: string, payload?: object) =>
    api.app.inject({
      method,
      url: `/scim/v2/Users/${id}`,
      headers: { authorization: `Bearer ${key}` },
      ...(payload === undefined ? {} : { payload }),
    });
  const patch = (value: object) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', value }],
  });
  const [one, two] = [await guest(), await guest()];
  const renamed = await scim('PATCH', one.id, patch({ name: { familyName: 'Married' }, active: false }));
  assert.deepEqual(
    [renamed.statusCode, renamed.json().name.familyName, renamed.json().active],
    [200, 'Married', false],
  );
  assert.deepEqual(await rolesOf(one.id), ['EMPLOYEE']);
  assert.equal((await scim('DELETE', two.id)).statusCode, 204);
  assert.deepEqual(await rolesOf(two.id), ['EMPLOYEE']);
});

it('users/import by the home company deactivates a guest of another company and ends the roles there', async () => {
  const person = await guest();
  const response = await api.app.inject({
    method: 'POST',
    url: `/api/users/import?companyId=${home.id}`,
    headers: { authorization: `Bearer ${await api.tokenFor(admin.email)}`, 'content-type': 'text/csv' },
    payload: `email,active\n${person.email},false\n`,
  });
  assert.equal(dataOf<{ changed: number }>(response).changed, 1, response.body);
  assert.deepEqual(await rolesOf(person.id), ['EMPLOYEE']);
});

it('users/update returns 409 for the last Corporate Admin of another company, and keeps the roles', async () => {
  const company = await administration.addCompany();
  const person = await add({ roles: [['CORPORATE_ADMIN', company]] });
  const { message } = assertRefused(
    await post(admin, 'users/update', { id: person.id, active: false }),
    409,
    'LAST_ADMIN',
  );
  assert.ok(!message.includes('Initech'));
  assert.deepEqual(await rolesOf(person.id), ['CORPORATE_ADMIN']);
});
