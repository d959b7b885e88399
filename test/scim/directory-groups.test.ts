import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';
import {
  assertFault,
  createUser,
  directoryFor,
  GROUP,
  type Json,
  openDirectory,
  patchOf,
  replace,
} from './directory.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Directory groups');
const { company } = directory;
const second = await directoryFor(api, company);
const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });

const post = (path: string, payload: object) =>
  api.send({ method: 'POST', url: `/api/${path}`, as: admin.email, payload });
const get = async (path: string): Promise<Json> => (await api.send({ url: `/api/${path}`, as: admin.email })).json();
const valuesOf = (items: readonly Json[]) => items.map(({ value }) => value);

async function createGroup(displayName: string, members: readonly Json[] = [], of = directory): Promise<Json> {
  const body = { schemas: [GROUP], displayName, members: members.map(({ id }) => ({ value: id })) };
  const answer = await of.send('POST', '/Groups', body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

async function map(content: object): Promise<Json> {
  const response = await post('group-mappings/create', { companyId: company.id, ...content });
  assert.equal(response.statusCode, 200, response.body);
  assert.equal(response.json().message, 'Group Mapping created successfully');
  return response.json().data;
}

const personOf = async (id: string) => (await get(`users/get?id=${id}`)).data;
const rolesOf = async (id: string): Promise<string[]> => (await personOf(id)).roles;
const isManager = async ({ id }: Json) => (await rolesOf(id)).includes('MANAGER');
const filtered = async (filter: string, of = directory) =>
  (await of.send('GET', `/Groups?filter=${encodeURIComponent(filter)}`)).body.Resources.map(({ id }: Json) => id);
const managers = `/Groups/${(await filtered('displayName eq "Managers"'))[0]}`;
const change = (verb: 'grant' | 'revoke', { id }: Json) =>
  post(`users/${verb}-role`, { userId: id, role: 'MANAGER', companyId: company.id });
const adding = (...people: readonly Json[]) =>
  patchOf({ op: 'add', path: 'members', value: people.map(({ id }) => ({ value: id })) });

describe('a group of a directory', () => {
  it('a group created by SCIM is read, changed and deleted by its own key alone', async () => {
    const [one, two] = [await createUser(directory), await createUser(directory)];
    const group = await createGroup('Sales', [one]);
    assert.deepEqual([group.displayName, valuesOf(group.members)], ['Sales', [one.id]]);
    const url = `/Groups/${group.id}`;
    assert.equal((await second.send('GET', url)).status, 404);
    assert.deepEqual(await filtered('displayName eq "sales"', second), []);
    for (const filter of [
      'displayName eq "sales"',
      `members.value eq "${one.id}"`,
      `members eq "${one.id}"`,
      `members[value eq "${one.id}"]`,
    ]) {
      assert.ok((await filtered(filter)).includes(group.id), filter);
    }
    const add = patchOf({ op: 'add', path: 'members', value: [{ value: two.id }] }, replace('externalId', 'g-1'));
    assert.equal((await directory.send('PATCH', url, add)).status, 204);
    assert.deepEqual(await filtered('externalId eq "g-1"'), [group.id]);
    const { groups } = (await directory.send('GET', `/Users/${two.id}`)).body;
    const own = groups.find(({ value }: Json) => value === group.id);
    assert.deepEqual(own, {
      value: group.id,
      display: 'Sales',
      type: 'direct',
      $ref: `http://localhost:80/scim/v2${url}`,
    });
    const whole = { schemas: [GROUP], displayName: 'Sales EMEA', members: [{ value: two.id }] };
    const { status, body } = await directory.send('PUT', url, whole);
    assert.deepEqual(
      [status, body.displayName, body.externalId, valuesOf(body.members)],
      [200, 'Sales EMEA', 'g-1', [two.id]],
    );
    assertFault(await directory.send('POST', '/Groups', { ...whole, displayName: 'SALES emea' }), 409, 'uniqueness');
    await createGroup('Sales EMEA', [], second);
    assert.equal((await directory.send('DELETE', url)).status, 204);
    assert.equal((await directory.send('GET', url)).status, 404);
  });

  it("a group's POST, PUT and PATCH by SCIM leave unknown members out", async () => {
    const members = [{ value: (await createUser(directory)).id }, { value: randomUUID() }, { value: 'nobody' }];
    const { status, body } = await directory.send('POST', '/Groups', { displayName: 'Some unknown', members });
    assert.deepEqual([status, body.members.length], [201, 1]);
    const url = `/Groups/${body.id}`;
    assert.equal((await directory.send('PUT', url, { displayName: 'Some unknown', members })).body.members.length, 1);
    const add = patchOf({ op: 'add', path: 'members', value: members });
    assert.equal((await directory.send('PATCH', url, add)).status, 204);
    assert.equal((await directory.send('GET', url)).body.members.length, 1);
  });

  it("SCIM's list of groups by cursor contains each group once while others are created", async () => {
    const own: Json[] = [];
    for (let index = 0; index < 5; index++) own.push(await createGroup(`Page ${index}`));
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: Json = (await directory.send('GET', `/Groups?count=2&cursor=${cursor}`)).body;
      assert.equal(page.startIndex, undefined);
      seen.push(...page.Resources.map(({ id }: Json) => id));
      cursor = page.nextCursor;
      if (seen.length < 10) await createGroup(`Meanwhile ${seen.length}`);
    }
    assert.ok(own.every(({ id }) => seen.includes(id)));
    assert.deepEqual(seen, [...new Set(seen)].sort());
    assertFault(await directory.send('GET', '/Groups?cursor=x'), 400, 'invalidCursor');
  });
});

describe('people of a directory', () => {
  it("SCIM's list of people by cursor contains each person once, in the order of ids", async () => {
    const own: Json[] = [];
    for (let index = 0; index < 5; index++) own.push(await createUser(directory));
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: Json = (await directory.send('GET', `/Users?count=2&cursor=${cursor}`)).body;
      seen.push(...page.Resources.map(({ id }: Json) => id));
      cursor = page.nextCursor;
    }
    assert.ok(own.every(({ id }) => seen.includes(id)));
    assert.deepEqual(seen, [...new Set(seen)].sort());
  });
});

describe('a mapping of a group', () => {
  it('a group mapping gives its members role and department, and its change takes the role away', async () => {
    const [one, two] = [await createUser(directory), await createUser(directory)];
    const mapping = await map({ groupName: 'approvers', role: 'MANAGER', departmentId: company.departmentId });
    assert.deepEqual([mapping.groupId, mapping.priority, mapping._count], [null, 100, { groups: 0, users: 0 }]);
    const group = await createGroup('Approvers', [one]);
    const source = (await personOf(one.id)).roleSources.find(({ role }: Json) => role === 'MANAGER');
    const groups = [{ id: group.id, name: 'Approvers' }];
    assert.deepEqual(source, { companyId: company.id, role: 'MANAGER', byHand: false, groups });
    const url = `/Groups/${group.id}`;
    await directory.send('PATCH', url, patchOf({ op: 'replace', path: 'members', value: [{ value: two.id }] }));
    assert.deepEqual([await isManager(one), await isManager(two)], [false, true]);
    const changed = await post('group-mappings/update', { id: mapping.id, role: null });
    assert.deepEqual([changed.statusCode, changed.json().message], [200, 'Group Mapping updated successfully']);
    assert.equal(await isManager(two), false);
    const byId = await map({ groupId: group.id, role: 'MANAGER' });
    assert.equal(await isManager(two), true);
    await directory.send('DELETE', url);
    assert.equal(await isManager(two), false);
    const { data, message } = await get(`group-mappings/list?companyId=${company.id}`);
    const kept = data.find(({ id }: Json) => id === byId.id);
    assert.deepEqual(
      [message, kept.groupId, kept.groupName],
      ['Group Mappings retrieved successfully', null, 'Approvers'],
    );
    const removed = await post('group-mappings/delete', { id: byId.id });
    assert.deepEqual([removed.statusCode, removed.json().message], [200, 'Group Mapping deleted successfully']);
  });

  it("the group mapping of the lowest priority decides the department against the directory's value", async () => {
    const create = async (name: string) =>
      (await post('departments/create', { companyId: company.id, name, costCode: name })).json().data.id;
    const person = await createUser(directory);
    await createGroup('Late', [person]);
    await createGroup('Early', [person]);
    await map({ groupName: 'Late', departmentId: await create('Late'), priority: 20 });
    await map({ groupName: 'Early', departmentId: await create('Early'), priority: 10 });
    assert.equal((await personOf(person.id)).department.name, 'Early');
    const path = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department';
    const { status } = await directory.send('PATCH', `/Users/${person.id}`, patchOf(replace(path, 'Sent')));
    assert.deepEqual([status, (await personOf(person.id)).department.name], [200, 'Early']);
  });

  it('a group mapping without exactly one group and a role or department of the company returns 400', async () => {
    const foreign = await openDirectory(api, 'Foreign groups');
    for (const [content, field] of [
      [{ role: 'MANAGER' }, 'groupName'],
      [{ groupName: 'x' }, 'role'],
      [{ groupName: 'x', groupId: randomUUID(), role: 'MANAGER' }, 'groupName'],
      [{ groupId: randomUUID(), role: 'MANAGER' }, 'groupId'],
      [{ groupName: 'x', departmentId: foreign.company.departmentId }, 'departmentId'],
      [{ groupName: 'x', role: 'SUPER_ADMIN' }, 'role'],
      [{ groupName: 'x', role: 'MANAGER', priority: -1 }, 'priority'],
    ] as const) {
      const response = await post('group-mappings/create', { companyId: company.id, ...content });
      const fields = response.json().errors.map((error: Json) => error.field);
      assert.deepEqual([response.statusCode, fields.includes(field)], [400, true], response.body);
    }
  });

  it('a group that a directory deletes leaves its mapping to the groups of its name, whose members have the role at once', async () => {
    const [mine, others] = [await createUser(directory), await createUser(second)];
    const group = await createGroup('Team X', [mine]);
    await createGroup('team x', [others], second);
    const { id } = await map({ groupId: group.id, role: 'MANAGER' });
    assert.deepEqual([await isManager(mine), await isManager(others)], [true, false]);
    assert.equal((await directory.send('DELETE', `/Groups/${group.id}`)).status, 204);
    assert.deepEqual([await isManager(mine), await isManager(others)], [false, true]);
    const { data } = await get(`group-mappings/get?id=${id}`);
    assert.deepEqual([data.groupId, data.groupName, data._count], [null, 'Team X', { groups: 1, users: 1 }]);
    const changes = await api.db.query(sql`
      select action, actor_id as actor from audit_changes where entity = 'groupMapping' and entity_id = ${id} order by id`);
    assert.deepEqual(changes.at(-1), { action: 'changed', actor: directory.keyId });
  });

  it('an update or delete of a group mapping with an old tag returns 412', async () => {
    const { id } = await map({ groupName: 'Tagged', role: 'MANAGER' });
    const read = await api.send({ url: `/api/group-mappings/get?id=${id}`, as: admin.email });
    assert.deepEqual([read.statusCode, read.json().data.groupName], [200, 'Tagged']);
    assert.equal(read.json().message, 'Group Mapping retrieved successfully');
    const tag = String(read.headers.etag);
    const send = (verb: string, payload: object) =>
      api.send({
        method: 'POST',
        url: `/api/group-mappings/${verb}`,
        as: admin.email,
        payload,
        headers: { 'if-match': tag },
      });
    assert.equal((await send('update', { id, priority: 7 })).statusCode, 200);
    for (const verb of ['update', 'delete']) assert.equal((await send(verb, { id })).statusCode, 412);
  });

  it('the trail contains a group mapping and the roles it gives as changes by its creator', async () => {
    const person = await createUser(directory);
    await createGroup('Traced', [person]);
    const { id } = await map({ groupName: 'Traced', role: 'MANAGER' });
    const rows = await api.db.query(sql`
      select entity, action, actor_id as actor from audit_changes
       where entity = 'groupMapping' and entity_id = ${id}
          or entity = 'companyRole' and user_id = ${person.id}::uuid and actor_kind = 'user' order by id`);
    assert.deepEqual(rows, [
      { entity: 'groupMapping', action: 'added', actor: admin.id },
      { entity: 'companyRole', action: 'added', actor: admin.id },
    ]);
  });
});

describe('roles by hand and by groups', () => {
  it('linking the group of a role takes the role from nobody who has it by hand', async () => {
    const [hand, both, group] = [await createUser(directory), await createUser(directory), await createUser(directory)];
    for (const person of [hand, both]) assert.equal((await change('grant', person)).statusCode, 200);
    const link = { displayName: 'Managers', members: [{ value: both.id }, { value: group.id }] };
    assert.equal((await directory.send('PUT', managers, link)).status, 200);
    const held = () => Promise.all([hand, both, group].map(isManager));
    assert.deepEqual(await held(), [true, true, true]);
    await directory.send('PUT', managers, { displayName: 'Managers', members: [] });
    assert.deepEqual(await held(), [true, true, false]);
  });

  it('a role given by two directories stays until both have taken the person out of the group', async () => {
    const person = await createUser(directory);
    for (const each of [directory, second])
      assert.equal((await each.send('PATCH', managers, adding(person))).status, 204);
    const remove = patchOf({ op: 'remove', path: `members[value eq "${person.id}"]` });
    await second.send('PATCH', managers, remove);
    assert.equal(await isManager(person), true);
    await directory.send('PATCH', managers, remove);
    assert.equal(await isManager(person), false);
  });

  it('revoking or importing away a role that a group gives returns 409 or 400 while its key is in use', async () => {
    const person = await createUser(second);
    const group = await createGroup('Leads', [person], second);
    await map({ groupId: group.id, role: 'MANAGER' });
    const refused = await change('revoke', person);
    assert.deepEqual([refused.statusCode, refused.json().code], [409, 'MANAGED_BY_DIRECTORY'], refused.body);
    assert.match(refused.json().message, /Leads/);
    const importRoles = (roles: string) =>
      api.send({
        method: 'POST',
        url: `/api/users/import?companyId=${company.id}`,
        as: admin.email,
        headers: { 'content-type': 'text/csv' },
        payload: `email,roles\n${person.userName},${roles}\n`,
      });
    const imported = await importRoles('EMPLOYEE');
    assert.equal(imported.statusCode, 400);
    const [problem] = imported.json().data.problems;
    assert.deepEqual([problem.line, problem.column], [2, 'roles']);
    assert.match(problem.message, /by its group Leads/);
    assert.equal((await importRoles('EMPLOYEE MANAGER')).statusCode, 200);
    await api.db.query(sql`update api_keys set revoked_at = now() where id = ${second.keyId}::uuid`);
    assert.equal((await importRoles('EMPLOYEE')).statusCode, 200);
    assert.deepEqual(await rolesOf(person.id), ['EMPLOYEE']);
    await map({ groupName: 'Anybody', role: 'EMPLOYEE' });
    assert.deepEqual(await rolesOf(person.id), ['EMPLOYEE'], 'the former group gives nothing again');
    await api.db.query(sql`update api_keys set revoked_at = null where id = ${second.keyId}::uuid`);
  });

  it('an administrator revokes a role that a directory with a revoked key gave', async () => {
    const person = await createUser(second);
    const group = await createGroup('Former', [person], second);
    await map({ groupId: group.id, role: 'MANAGER' });
    await api.db.query(sql`update api_keys set revoked_at = now() where id = ${second.keyId}::uuid`);
    assert.equal((await change('revoke', person)).statusCode, 200);
    assert.deepEqual(await rolesOf(person.id), ['EMPLOYEE']);
  });

  it("SCIM's removal of the last administrator from the group of administrators returns 409", async () => {
    const other = await openDirectory(api, 'Last by group');
    const person = await createUser(other);
    const url = `/Groups/${(await filtered('displayName eq "Corporate Admins"', other))[0]}`;
    assert.equal((await other.send('PATCH', url, adding(person))).status, 204);
    assertFault(await other.send('PATCH', url, patchOf({ op: 'remove', path: 'members' })), 409);
  });
});
