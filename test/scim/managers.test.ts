import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';
import {
  assertFault,
  createUser,
  ENTERPRISE,
  type Json,
  newUser,
  openDirectory,
  patchOf,
  replace,
} from './directory.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Managers of a directory');
const { company } = directory;
const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });

const MANAGER = `${ENTERPRISE}:manager`;
const managedBy = (value: unknown) => ({ [ENTERPRISE]: { manager: { value } } });
const readUser = async (id: string): Promise<Json> => (await directory.send('GET', `/Users/${id}`)).body;
const managerOf = async (id: string): Promise<Json> => (await readUser(id))[ENTERPRISE].manager;
const employmentOf = async (id: string): Promise<Json> => {
  const response = await api.send({ url: `/api/users/get?id=${id}`, as: admin.email });
  return response.json().data.employment;
};
const patch = (id: string, ...operations: object[]) => directory.send('PATCH', `/Users/${id}`, patchOf(...operations));
const filtered = async (filter: string): Promise<string[]> => {
  const { status, body } = await directory.send('GET', `/Users?filter=${encodeURIComponent(filter)}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.Resources.map(({ id }: Json) => id);
};
const post = (path: string, payload: object) =>
  api.send({ method: 'POST', url: `/api/${path}`, as: admin.email, payload });

const importCsv = (payload: string) =>
  api.send({
    method: 'POST',
    url: `/api/users/import?companyId=${company.id}`,
    as: admin.email,
    headers: { 'content-type': 'text/csv' },
    payload,
  });

describe('the manager that a directory sends', () => {
  it('a manager sent by id, externalId, employee number or address is returned with id and name by SCIM', async () => {
    const boss = await createUser(directory, {
      name: { givenName: 'Ada', familyName: 'Boss' },
      externalId: 'boss-1',
      [ENTERPRISE]: { employeeNumber: 'B-100' },
    });
    for (const named of [boss.id, 'boss-1', 'b-100', boss.userName.toUpperCase()]) {
      const { id } = await createUser(directory, managedBy(named));
      const $ref = `http://localhost:80/scim/v2/Users/${boss.id}`;
      assert.deepEqual(await managerOf(id), { value: boss.id, $ref, displayName: 'Ada Boss' }, named);
      assert.equal((await employmentOf(id)).managerId, boss.id);
      assert.ok((await filtered(`${MANAGER}.value eq "${boss.id}"`)).includes(id));
    }
  });

  it("SCIM's PATCH in the forms of directories and PUT set, change and remove the manager", async () => {
    const [one, two] = [await createUser(directory), await createUser(directory)];
    const user = await createUser(directory);
    const forms = [
      { op: 'Add', path: MANAGER, value: one.id },
      { op: 'replace', path: MANAGER, value: { value: two.id } },
      { op: 'Add', path: MANAGER, value: [{ $ref: '../Users/x', value: one.id }] },
      { op: 'replace', path: `${MANAGER}.value`, value: two.id },
      { op: 'add', value: { [ENTERPRISE]: { manager: { value: one.id, displayName: 'Ignored' } } } },
      { op: 'replace', value: { [MANAGER]: two.id } },
    ];
    for (const [index, form] of forms.entries()) {
      const { status, body } = await patch(user.id, form);
      assert.deepEqual([status, body[ENTERPRISE].manager.value], [200, index % 2 === 0 ? one.id : two.id]);
    }
    const { body } = await patch(user.id, { op: 'remove', path: MANAGER });
    assert.equal(body[ENTERPRISE].manager, undefined);
    const put = await directory.send('PUT', `/Users/${user.id}`, { ...user, ...managedBy(one.id) });
    assert.equal(put.body[ENTERPRISE].manager.value, one.id);
    await directory.send('PUT', `/Users/${user.id}`, user);
    assert.equal((await employmentOf(user.id)).managerId, null);
  });

  it('an unknown manager is kept by name, and linked when created by directory, console or import', async () => {
    const address = () => `${randomUUID()}@joiner.example`;
    const [bySelf, byForm, byFile] = [address(), address(), address()];
    const waiting = new Map<string, string>();
    for (const named of [bySelf, byForm, byFile]) {
      const { id } = await createUser(directory, managedBy(named));
      assert.deepEqual([await managerOf(id), (await employmentOf(id)).managerId], [{ value: named }, null]);
      assert.deepEqual(await filtered(`${MANAGER}.value eq "${named.toUpperCase()}"`), [id]);
      waiting.set(named, id);
    }
    await createUser(directory, { userName: bySelf });
    const made = { companyId: company.id, email: byForm, firstName: 'Form', lastName: 'Boss' };
    assert.equal((await post('users/create', made)).statusCode, 200);
    const csv = `email,firstName,lastName,clientType,approvalLimit\n${byFile},File,Boss,CORPORATE,0.00\n`;
    const response = await importCsv(csv);
    assert.equal(response.statusCode, 200, response.body);
    for (const [named, id] of waiting) {
      const [boss] = await filtered(`userName eq "${named}"`);
      assert.equal((await managerOf(id)).value, boss, named);
      assert.equal((await employmentOf(id)).managerId, boss);
    }
  });

  it('an unknown manager is linked when a person gets that employee number', async () => {
    const { id } = await createUser(directory, managedBy('N-77'));
    const boss = await createUser(directory);
    assert.equal((await patch(boss.id, replace(`${ENTERPRISE}:employeeNumber`, 'n-77'))).status, 200);
    assert.equal((await managerOf(id)).value, boss.id);
  });

  it("SCIM's PATCH of a manager that forms a circle returns 409, and no waiting link forms one", async () => {
    const [one, two] = [await createUser(directory), await createUser(directory)];
    assert.equal((await patch(one.id, replace(MANAGER, two.id))).status, 200);
    for (const own of [one.id, two.id]) assertFault(await patch(two.id, replace(MANAGER, own)), 409);
    const named = `${randomUUID()}@joiner.example`;
    const waiting = await createUser(directory, managedBy(named));
    const { status, body } = await directory.send(
      'POST',
      '/Users',
      newUser({ userName: named, ...managedBy(waiting.id) }),
    );
    assert.deepEqual([status, body[ENTERPRISE].manager.value], [201, waiting.id]);
    assert.deepEqual(await managerOf(waiting.id), { value: named });
  });
});

describe('title, cost centre and number of a directory', () => {
  it('SCIM filters find a person by title, cost centre and employee number', async () => {
    const sent = { title: 'Chief Tester', [ENTERPRISE]: { costCenter: 'CC-9', employeeNumber: 'T-9' } };
    const { id } = await createUser(directory, sent);
    const filters = [
      'title eq "chief tester"',
      `${ENTERPRISE}:costCenter sw "cc-9"`,
      `${ENTERPRISE}:employeeNumber eq "t-9"`,
    ];
    for (const filter of filters) assert.deepEqual(await filtered(filter), [id], filter);
  });
});

describe('a person with one name', () => {
  it('SCIM creates a person without a familyName, and PATCH adds and removes a family name', async () => {
    for (const name of [{ givenName: 'Budi' }, { givenName: 'Budi', familyName: '' }]) {
      const { id, ...made } = await createUser(directory, { name });
      assert.deepEqual([made.name, made.displayName], [{ givenName: 'Budi', formatted: 'Budi' }, 'Budi']);
      assert.ok((await filtered('displayName eq "budi"')).includes(id));
      assert.equal((await patch(id, replace('name.familyName', 'Utomo'))).body.displayName, 'Budi Utomo');
      const { status, body } = await patch(id, replace('name.familyName', ''));
      assert.deepEqual([status, body.displayName], [200, 'Budi']);
    }
  });

  it('an administrator adds, changes and imports a person without a last name, which is returned empty', async () => {
    const email = `${randomUUID()}@one.example`;
    const made = await post('users/create', { companyId: company.id, email, firstName: 'Sukarno', lastName: '' });
    assert.deepEqual([made.statusCode, made.json().data.lastName], [200, '']);
    const { id } = made.json().data;
    const renamed = await post('users/update', { id, lastName: 'Two' });
    assert.equal(renamed.json().data.lastName, 'Two');
    const cleared = await post('users/update', { id, lastName: '' });
    assert.deepEqual([cleared.statusCode, cleared.json().data.lastName], [200, '']);
    const profile = await api.send({ url: '/api/users/profile', as: email });
    assert.equal(profile.json().data.lastName, '');
    const csv = `email,firstName,lastName,clientType,approvalLimit\n${randomUUID()}@one.example,Suharto,,CORPORATE,0.00\n`;
    const imported = await importCsv(csv);
    assert.deepEqual([imported.statusCode, imported.json().data.added], [200, 1], imported.body);
    const listed = await api.send({ url: `/api/users/list?companyId=${company.id}&search=suharto`, as: admin.email });
    assert.deepEqual(listed.json().data[0].lastName, '');
  });

  it("a person's own profile update without a last name returns 400", async () => {
    const person = await addPerson(api.db, { company });
    const send = (lastName: string) =>
      api.send({ method: 'POST', url: '/api/users/update-profile', as: person.email, payload: { lastName } });
    const refused = await send('');
    assert.equal(refused.statusCode, 400);
    assert.match(refused.json().message, /lastName must be 1 to 100 characters/);
    assert.equal((await send('New')).statusCode, 200);
  });
});
