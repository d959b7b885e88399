import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { DirectoryDetail, DirectoryView } from '../../src/features/directories/directories-schemas.ts';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addPerson } from '../support/people.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { createUser, directoryFor, type Json, openDirectory, patchOf, type TestDirectory } from './directory.ts';

const api = await buildCheckedApp({}, openTestDatabase);
after(() => api[Symbol.asyncDispose]());

/** A company with a directory, and its administrator. */
async function open(name: string) {
  const directory = await openDirectory(api, name);
  const { company } = directory;
  const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });
  const post = (path: string, payload: object) =>
    api.send({ method: 'POST', url: `/api/${path}`, as: admin.email, payload });
  const get = (path: string, query: Record<string, string>) =>
    api.send({ url: `/api/${path}`, as: admin.email, query });
  const detail = async (id: string) => dataOf<DirectoryDetail>(await get('directories/get', { id }));
  const list = async () => pageOf<DirectoryView>(await get('directories/list', { companyId: company.id })).items;
  return { directory, company, admin, post, get, detail, list };
}
type Opened = Awaited<ReturnType<typeof open>>;

const rolesOf = async (id: string) =>
  (await api.db.query<{ role: string }>(sql`select role from company_roles where user_id = ${id} order by 1`)).map(
    ({ role }) => role,
  );
const withKey = (directory: TestDirectory, key: string): TestDirectory => ({
  ...directory,
  key,
  send: (method, path, body, headers) =>
    directory.send(method, path, body, { authorization: `Bearer ${key}`, ...headers }),
});

/** A person whom a group of a directory makes a manager by a mapping of the group's id. */
async function manager({ directory, company, post }: Opened, by = directory) {
  const person = await createUser(by, { externalId: randomUUID() });
  const name = `Managers ${randomUUID()}`;
  const group = (await by.send('POST', '/Groups', { displayName: name, members: [{ value: person.id }] })).body;
  dataOf(await post('group-mappings/create', { companyId: company.id, groupId: group.id, role: 'MANAGER' }));
  assert.deepEqual(await rolesOf(person.id), ['EMPLOYEE', 'MANAGER']);
  return { person, group };
}

describe('a directory', () => {
  it('an API key for SCIM gets a directory of its name, which is in the list with its keys and last request', async () => {
    const { directory, company, list, detail, post } = await open('Of keys');
    const made = dataOf<Json>(
      await post('api-keys/create', { companyId: company.id, name: 'Entra', scopes: ['scim', 'users.read'] }),
    );
    dataOf(await post('api-keys/create', { companyId: company.id, name: 'Engine', scopes: ['users.read'] }));
    assert.deepEqual(
      (await list()).map(({ id, name, kind, connectionId, active, keys }) => [
        ...[id, name, kind, connectionId, active],
        keys.map((key) => key.id),
      ]),
      [
        [directory.keyId, 'Directory', 'OTHER', null, true, [directory.keyId]],
        [made.id, 'Entra', 'OTHER', null, true, [made.id]],
      ],
    );
    await createUser(directory);
    const { _count, lastRequestAt, leftOut } = await detail(directory.keyId);
    assert.deepEqual([_count, leftOut], [{ users: 1, groups: 0, mappings: 0, roles: 0 }, []]);
    assert.ok(lastRequestAt === null || Date.parse(lastRequestAt) > 0);
  });

  it('directories/create adds one without a key, for which keys are made by renew-key and api-keys/create', async () => {
    const opened = await open('Made');
    const { directory, company, post, detail } = opened;
    const { id, keys, prefix } = dataOf<DirectoryDetail>(
      await post('directories/create', { companyId: company.id, name: 'Google', kind: 'GOOGLE' }),
    );
    assert.deepEqual([keys, prefix], [[], '']);
    const first = dataOf<Json>(await post('directories/renew-key', { id }));
    const second = dataOf<Json>(
      await post('api-keys/create', { companyId: company.id, name: 'Beside', scopes: ['scim'], directoryId: id }),
    );
    const [one, two] = [withKey(directory, first.key), withKey(directory, second.key)];
    const group = (await one.send('POST', '/Groups', { displayName: 'Shared' })).body;
    assert.equal((await two.send('GET', `/Groups/${group.id}`)).status, 200);
    assert.equal((await directory.send('GET', `/Groups/${group.id}`)).status, 404);
    assert.deepEqual((await detail(id)).keys.map((key) => key.id).sort(), [first.id, second.id].sort());
    const other = await open('Others');
    const foreign = { companyId: other.company.id, name: 'Foreign', scopes: ['scim'], directoryId: id };
    assertInvalid(await other.post('api-keys/create', foreign), 'directoryId');
    assertInvalid(
      await post('api-keys/create', { ...foreign, companyId: company.id, scopes: ['users.read'] }),
      'directoryId',
    );
  });

  it('directories/update renames it and refuses its keys while it is not active', async () => {
    const { directory, post, detail } = await open('Paused');
    const update = (fields: object) => post('directories/update', { id: directory.keyId, ...fields });
    dataOf(await update({ name: 'Okta', kind: 'OKTA', active: false }));
    assert.equal((await directory.send('GET', '/Users')).status, 401);
    dataOf(await update({ active: true }));
    assert.equal((await directory.send('GET', '/Users')).status, 200);
    const { name, kind } = await detail(directory.keyId);
    assert.deepEqual([name, kind], ['Okta', 'OKTA']);
    assertInvalid(await update({ kind: 'PIGEON' }), 'kind');
    assertInvalid(await update({ connectionId: randomUUID() }), 'connectionId');
  });

  it('directories/get returns what the directory sent and was left out', async () => {
    const { directory, detail } = await open('Left out');
    const user = await createUser(directory, { roles: [{ value: 'astronaut' }] });
    const { leftOut } = await detail(directory.keyId);
    assert.deepEqual(
      leftOut.map(({ userId, values }) => [userId, values]),
      [[user.id, { roles: 'ASTRONAUT' }]],
    );
  });

  it('directories/get, join and delete return 404 for a directory of another company, and 400 for one to join with', async () => {
    const [{ directory, post, get }, other] = [await open('Mine'), await open('Theirs')];
    const foreign = other.directory.keyId;
    assertRefused(await get('directories/get', { id: foreign }), 404, 'NOT_FOUND');
    assertRefused(await post('directories/join', { id: foreign, intoId: directory.keyId }), 404, 'NOT_FOUND');
    assertRefused(await post('directories/delete', { id: foreign, choice: 'KEEP' }), 404, 'NOT_FOUND');
    assertInvalid(await post('directories/join', { id: directory.keyId, intoId: foreign }), 'intoId');
    assertInvalid(
      await post('directories/delete', { id: directory.keyId, choice: 'HAND_OVER', intoId: foreign }),
      'intoId',
    );
    assertInvalid(await post('directories/delete', { id: directory.keyId, choice: 'HAND_OVER' }), 'intoId');
  });
});

describe('a key that is renewed', () => {
  it('the new key sees, changes and removes all that the former one made: people, groups, members and what mappings give', async () => {
    const opened = await open('Renewed');
    const { directory, company, post, get } = opened;
    const { person, group } = await manager(opened);
    const [place] = pageOf<Json>(await get('departments/list', { companyId: company.id })).items;
    const mapped = dataOf<Json>(
      await post('departments/create', { companyId: company.id, name: 'Mapped', costCode: 'MAPPED' }),
    );
    dataOf(await post('group-mappings/create', { companyId: company.id, groupId: group.id, departmentId: mapped.id }));
    const departmentOf = async (id: string) => dataOf<Json>(await get('users/get', { id })).departmentId;
    assert.equal(await departmentOf(person.id), mapped.id);
    const byAttribute = await createUser(directory, { roles: [{ value: 'MANAGER' }] });
    const fixed = (await directory.send('GET', '/Groups?filter=displayName eq "Managers"')).body.Resources[0];
    const byGroup = await createUser(directory);
    const memberOf = (op: string, { id }: Json) => patchOf({ op, path: 'members', value: [{ value: id }] });
    assert.equal((await directory.send('PATCH', `/Groups/${fixed.id}`, memberOf('add', byGroup))).status, 204);
    assert.deepEqual(await rolesOf(byGroup.id), ['EMPLOYEE', 'MANAGER']);

    const { key } = dataOf<Json>(await post('directories/renew-key', { id: directory.keyId, overlapDays: 0 }));
    assert.equal((await directory.send('GET', '/Users')).status, 401);
    const renewed = withKey(directory, key);
    const found = await renewed.send('GET', `/Users?filter=externalId eq "${person.externalId}"`);
    assert.deepEqual(
      found.body.Resources.map(({ id, groups }: Json) => [id, groups.some(({ value }: Json) => value === group.id)]),
      [[person.id, true]],
    );
    for (const [id, member] of [
      [group.id, person],
      [fixed.id, byGroup],
    ]) {
      assert.equal((await renewed.send('PATCH', `/Groups/${id}`, memberOf('remove', member))).status, 204);
      assert.deepEqual(await rolesOf(member.id), ['EMPLOYEE']);
    }
    const one = patchOf({ op: 'replace', path: 'roles[primary eq "True"].value', value: 'EMPLOYEE' });
    assert.equal((await renewed.send('PATCH', `/Users/${byAttribute.id}`, one)).status, 200);
    assert.deepEqual(await rolesOf(byAttribute.id), ['EMPLOYEE']);
    const department = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department';
    const back = patchOf({ op: 'replace', path: department, value: place?.name });
    assert.equal((await renewed.send('PATCH', `/Users/${person.id}`, back)).status, 200);
    assert.equal(await departmentOf(person.id), place?.id);
    assert.equal((await renewed.send('DELETE', `/Groups/${group.id}`)).status, 204);
    assert.equal((await renewed.send('DELETE', `/Users/${person.id}`)).status, 204);
    assert.equal((await renewed.send('GET', `/Users/${person.id}`)).status, 404);
  });

  it('directories/get returns what each key sent and was left out, once, and also of a former key', async () => {
    const { directory, post, detail } = await open('Left out by keys');
    const user = await createUser(directory, { roles: [{ value: 'astronaut' }] });
    const { key } = dataOf<Json>(await post('directories/renew-key', { id: directory.keyId, overlapDays: 0 }));
    const leftOut = async () => (await detail(directory.keyId)).leftOut.map(({ values }) => values);
    assert.deepEqual(await leftOut(), [{ roles: 'ASTRONAUT' }]);
    for (const role of ['astronaut', 'pilot']) {
      const roles = patchOf({ op: 'replace', path: 'roles', value: [{ value: role }] });
      assert.equal((await withKey(directory, key).send('PATCH', `/Users/${user.id}`, roles)).status, 200);
    }
    assert.deepEqual(await leftOut(), [{ roles: 'PILOT' }, { roles: 'ASTRONAUT' }]);
  });
});

describe('two directories that are joined', () => {
  it('directories/join lets the keys of both see and remove what either made, and joins groups of one name', async () => {
    const opened = await open('Joined');
    const { directory: one, company, post, list, detail } = opened;
    const two = await directoryFor(api, company);
    const { person, group } = await manager(opened);
    const [ada, bob] = [await createUser(one), await createUser(two)];
    const shared = (by: TestDirectory, member: Json) =>
      by.send('POST', '/Groups', { displayName: 'Shared', members: [{ value: member.id }] });
    const [first, second] = [(await shared(one, ada)).body, (await shared(two, bob)).body];
    dataOf(await post('group-mappings/create', { companyId: company.id, groupId: first.id, role: 'MANAGER' }));
    const joined = dataOf<DirectoryDetail>(await post('directories/join', { id: one.keyId, intoId: two.keyId }));
    assert.deepEqual(joined._count, { users: 3, groups: 2, mappings: 2, roles: 3 });
    assert.deepEqual(
      (await list()).map(({ id, keys }) => [id, keys.map((key) => key.id).sort()]),
      [[two.keyId, [one.keyId, two.keyId].sort()]],
    );
    assert.equal(joined.id, two.keyId);
    for (const id of [person.id, ada.id, bob.id]) assert.deepEqual(await rolesOf(id), ['EMPLOYEE', 'MANAGER']);
    for (const by of [one, two]) {
      const { body } = await by.send('GET', `/Groups/${second.id}`);
      assert.deepEqual(body.members.map(({ value }: Json) => value).sort(), [ada.id, bob.id].sort());
    }
    const remove = patchOf({ op: 'remove', path: `members[value eq "${person.id}"]` });
    assert.equal((await two.send('PATCH', `/Groups/${group.id}`, remove)).status, 204);
    assert.deepEqual(await rolesOf(person.id), ['EMPLOYEE']);
    const renewed = dataOf<Json>(await post('directories/renew-key', { id: two.keyId, overlapDays: 0 }));
    for (const by of [one, two]) assert.equal((await by.send('GET', '/Users')).status, 401);
    assert.equal((await withKey(one, renewed.key).send('GET', `/Groups/${second.id}`)).status, 200);
    assert.equal((await detail(two.keyId)).keys.length, 1);
  });
});

describe('a directory that ends', () => {
  it('directories/delete returns 400 with the numbers where nothing is chosen, which directories/get has', async () => {
    const opened = await open('Numbers');
    const { directory, post, detail } = opened;
    await manager(opened);
    assert.deepEqual((await detail(directory.keyId))._count, { users: 1, groups: 1, mappings: 1, roles: 1 });
    const { message } = assertInvalid(await post('directories/delete', { id: directory.keyId }), 'choice');
    assert.match(message, /1 person, 1 group, 1 mapping, 1 role/);
    assert.equal((await directory.send('GET', '/Users')).status, 200);
  });

  it('directories/delete with HAND_OVER gives groups, mappings and people to the other, whose keys remove them', async () => {
    const opened = await open('Handed over');
    const { directory, company, post, list, get } = opened;
    const heir = await directoryFor(api, company);
    const { person, group } = await manager(opened);
    const body = { id: directory.keyId, choice: 'HAND_OVER', intoId: heir.keyId };
    dataOf(await post('directories/delete', body));
    assert.equal((await directory.send('GET', '/Users')).status, 401);
    assert.deepEqual(
      (await list()).map(({ id, _count }) => [id, _count]),
      [[heir.keyId, { users: 1, groups: 1 }]],
    );
    assertRefused(await get('directories/get', { id: directory.keyId }), 404, 'NOT_FOUND');
    assert.deepEqual(await rolesOf(person.id), ['EMPLOYEE', 'MANAGER']);
    assert.equal((await heir.send('DELETE', `/Groups/${group.id}`)).status, 204);
    assert.deepEqual(await rolesOf(person.id), ['EMPLOYEE']);
  });

  it('directories/delete with KEEP leaves roles as given by hand, which an administrator revokes', async () => {
    const opened = await open('Kept');
    const { directory, company, post, get, list } = opened;
    const { person } = await manager(opened);
    const byAttribute = await createUser(directory, { roles: [{ value: 'MANAGER' }, { value: 'EMPLOYEE' }] });
    const revoke = (id: string) => post('users/revoke-role', { userId: id, role: 'MANAGER', companyId: company.id });
    assertRefused(await revoke(person.id), 409, 'MANAGED_BY_DIRECTORY');
    dataOf(await post('directories/delete', { id: directory.keyId, choice: 'KEEP' }));
    for (const { id } of [person, byAttribute]) assert.deepEqual(await rolesOf(id), ['EMPLOYEE', 'MANAGER']);
    const {
      roleSources,
      directory: keeper,
      externalId,
    } = dataOf<Json>(await get('users/get', { id: person.id, include: 'directory' }));
    assert.deepEqual(
      roleSources.map(({ byHand, groups }: Json) => [byHand, groups]),
      [
        [true, []],
        [true, []],
      ],
    );
    assert.deepEqual([keeper, externalId], [null, person.externalId]);
    dataOf(await revoke(person.id));
    assert.deepEqual(await rolesOf(person.id), ['EMPLOYEE']);
    assert.deepEqual(await list(), []);
    assert.equal((await directory.send('GET', '/Users')).status, 401);
    const mappings = pageOf<Json>(await get('group-mappings/list', { companyId: company.id })).items;
    assert.deepEqual(mappings, []);
  });

  it('directories/delete with LET_GO takes away what it alone gave, and keeps what another directory gives', async () => {
    const opened = await open('Let go');
    const { directory, company, post, get } = opened;
    const other = await directoryFor(api, company);
    const { person } = await manager(opened);
    const { person: shared } = await manager(opened);
    const group = { displayName: 'Of another', members: [{ value: shared.id }] };
    await other.send('POST', '/Groups', group);
    dataOf(await post('group-mappings/create', { companyId: company.id, groupName: 'Of another', role: 'MANAGER' }));
    const byAttribute = await createUser(directory, { roles: [{ value: 'MANAGER' }, { value: 'EMPLOYEE' }] });
    dataOf(await post('directories/delete', { id: directory.keyId, choice: 'LET_GO' }));
    assert.deepEqual(await rolesOf(person.id), ['EMPLOYEE']);
    assert.deepEqual(await rolesOf(byAttribute.id), ['EMPLOYEE']);
    assert.deepEqual(await rolesOf(shared.id), ['EMPLOYEE', 'MANAGER']);
    assert.equal(dataOf<Json>(await get('users/get', { id: person.id })).externalId, null);
    assert.equal((await directory.send('GET', '/Users')).status, 401);
  });

  it('directories/delete with LET_GO returns 409 where it would take the last Corporate Admin', async () => {
    const { directory, admin } = await open('Last admin');
    const chief = await createUser(directory, { roles: [{ value: 'CORPORATE_ADMIN' }] });
    await api.db.query(sql`delete from company_roles where user_id = ${admin.id}`);
    const ending = { id: directory.keyId, choice: 'LET_GO' };
    const response = await api.send({
      method: 'POST',
      url: '/api/directories/delete',
      as: chief.userName,
      payload: ending,
    });
    assertRefused(response, 409, 'LAST_ADMIN');
    assert.deepEqual(await rolesOf(chief.id), ['CORPORATE_ADMIN']);
  });
});
