import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { GROUP, type Json, newUser, openDirectory, patchOf, trailOf } from './directory.ts';

const { db, statements } = recordStatements(await openTestDatabase());
const api = await buildTestApp({}, async () => db);
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Groups');
const other = await openDirectory(api, 'Guests');

const all = (await directory.send('GET', '/Groups')).body.Resources;
const groupOf = (name: string) => all.find(({ displayName }: Json) => displayName === name);
const managers = `/Groups/${groupOf('Managers').id}`;
const joiner = async (more: object = {}) => (await directory.send('POST', '/Users', newUser(more))).body;
const members = async (url = managers) =>
  (await directory.send('GET', url)).body.members.map(({ value }: Json) => value);
const rolesOf = async (id: string) =>
  ((await directory.send('GET', `/Users/${id}`)).body.roles ?? []).map(({ value }: Json) => value);

describe('groups', () => {
  it("SCIM's groups of a company are its three roles, with constant ids", async () => {
    assert.deepEqual(all.map(({ displayName }: Json) => displayName).sort(), [
      'Corporate Admins',
      'Employees',
      'Managers',
    ]);
    assert.deepEqual(
      all.map(({ id }: Json) => id).sort(),
      all.map(({ id }: Json) => id),
    );
    const again = (await directory.send('GET', '/Groups')).body.Resources;
    assert.deepEqual(
      again.map(({ id }: Json) => id),
      all.map(({ id }: Json) => id),
    );
    const ofOthers = (await other.send('GET', '/Groups')).body.Resources;
    assert.equal(new Set([...all, ...ofOthers].map(({ id }: Json) => id)).size, 6);
    const { body } = await directory.send('GET', '/Groups?startIndex=2&count=1&excludedAttributes=members');
    assert.deepEqual(
      [body.totalResults, body.itemsPerPage, body.Resources[0].displayName, body.Resources[0].members],
      [3, 1, all[1].displayName, undefined],
    );
  });

  it('SCIM finds a group of a role by name, id and externalId, and another filter returns 400', async () => {
    const { id } = groupOf('Employees');
    assert.equal(
      (await directory.send('PATCH', `/Groups/${id}`, patchOf({ op: 'add', path: 'externalId', value: 'e-1' }))).status,
      204,
    );
    for (const filter of [
      'displayName eq "employees"',
      `id eq "${id}"`,
      'externalId eq "e-1"',
      `displayName eq "x" or id eq "${id}"`,
    ]) {
      const { body } = await directory.send('GET', `/Groups?filter=${encodeURIComponent(filter)}`);
      assert.deepEqual(
        body.Resources.map((group: Json) => group.id),
        [id],
        filter,
      );
    }
    for (const filter of ['members.display eq "x"', 'displayName co "E"', 'displayName eq 5']) {
      const { status, body } = await directory.send('GET', `/Groups?filter=${encodeURIComponent(filter)}`);
      assert.deepEqual([status, body.scimType], [400, 'invalidFilter'], filter);
    }
    assert.equal(
      (await directory.send('PATCH', `/Groups/${id}`, patchOf({ op: 'remove', path: 'externalId' }))).status,
      204,
    );
    assert.equal((await directory.send('GET', `/Groups/${id}`)).body.externalId, undefined);
  });

  it("a SCIM PATCH or PUT of a group's members grants and revokes the role, by the key in the trail", async () => {
    const [first, second, third] = [await joiner(), await joiner(), await joiner()];
    const patch = (...operations: object[]) => directory.send('PATCH', managers, patchOf(...operations));
    assert.equal(
      (await patch({ op: 'add', path: 'members', value: [{ value: first.id }, { value: second.id }] })).status,
      204,
    );
    assert.deepEqual(await members(), [first.id, second.id].sort());
    assert.deepEqual(await rolesOf(first.id), ['EMPLOYEE', 'MANAGER']);
    const version = (await directory.send('GET', managers)).headers.etag;
    const either = `members[value eq "${first.id}" or value eq "${second.id}"]`;
    await patch({ op: 'remove', path: either }, { op: 'Add', value: { members: [{ value: third.id }] } });
    assert.deepEqual(await members(), [third.id]);
    assert.notEqual((await directory.send('GET', managers)).headers.etag, version);
    const stale = await directory.send('PATCH', managers, patchOf({ op: 'remove', path: 'members' }), {
      'if-match': String(version),
    });
    assert.equal(stale.status, 412);
    await patch(
      { op: 'replace', path: 'members', value: [{ value: first.id }] },
      { op: 'remove', path: `members[value eq "${first.id}"]` },
    );
    assert.deepEqual(await members(), []);
    const whole = {
      schemas: [GROUP],
      displayName: 'Managers',
      externalId: 'm-1',
      members: [{ value: second.id }, { value: third.id }],
    };
    const put = await directory.send('PUT', managers, whole);
    assert.deepEqual([put.status, put.body.externalId, put.body.members.length], [200, 'm-1', 2]);
    assert.equal((await directory.send('PUT', managers, { displayName: 'Managers' })).body.members.length, 2);
    await patch({ op: 'remove', path: 'members' });
    assert.deepEqual(await members(), []);
    const rows = (await trailOf(api, second.id)).filter(
      ({ entity, fields }) => entity === 'companyRole' && fields.length > 0,
    );
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['added', 'added', 'removed', 'added', 'removed'],
    );
    assert.ok(rows.every(({ actor }) => actor === `key ${directory.keyId}`));
  });

  it('SCIM finds group members by ids in any case, and stores each once', async () => {
    const [first, second] = [await joiner(), await joiner()];
    const upper = ({ id }: Json) => id.toUpperCase();
    const patch = (...operations: object[]) => directory.send('PATCH', managers, patchOf(...operations));
    await patch({ op: 'add', path: 'members', value: [{ value: upper(first) }, { value: first.id }, second.id] });
    assert.deepEqual(await members(), [first.id, second.id].sort());
    await patch({ op: 'remove', path: `members[value eq "${upper(first)}"]` });
    assert.deepEqual(await members(), [second.id]);
    await patch({ op: 'Remove', path: 'MEMBERS', value: [{ VALUE: upper(second) }] });
    assert.deepEqual(await members(), []);
    const whole = {
      displayName: 'MANAGERS',
      Members: [{ value: upper(first), display: 'x', $ref: 'y', type: 'User' }],
    };
    assert.equal((await directory.send('PUT', managers, whole)).status, 200);
    assert.deepEqual(await members(), [first.id]);
    for (const operation of [
      { op: 'remove', path: `members[value eq "${randomUUID()}"]` },
      { op: 'remove', path: 'members[value eq "nobody"]' },
      { op: 'remove', path: 'members', value: [{ value: 'nobody' }] },
      { op: 'remove', path: 'members', value: [] },
      { op: 'add', path: 'members', value: [] },
      { op: 'add', path: 'members', value: { value: first.id } },
      { op: 'add', path: `${GROUP}:members`, value: [first.id] },
      { op: 'replace', value: { id: randomUUID(), schemas: [GROUP], displayName: 'Managers', meta: {} } },
    ]) {
      assert.equal((await patch(operation)).status, 204, JSON.stringify(operation));
      assert.deepEqual(await members(), [first.id]);
    }
    for (const value of ['x', 5, true]) {
      const { status, body } = await patch({ op: 'add', path: 'members', value });
      assert.deepEqual([status, body.scimType], [400, 'invalidValue'], String(value));
    }
    await directory.send('PUT', managers, { displayName: 'Managers', members: [] });
    assert.deepEqual(await members(), []);
  });

  it('a SCIM PATCH of a group with requested attributes returns them, and a search finds the group', async () => {
    const person = await joiner({ roles: [{ value: 'MANAGER' }] });
    const operation = patchOf({ op: 'replace', path: 'externalId', value: 'm-2' });
    for (const [query, expected] of [
      ['attributes=', ['displayName', 'externalId', 'id', 'members', 'meta', 'schemas']],
      ['attributes=displayName', ['displayName', 'id', 'schemas']],
      ['attributes=members.value', ['id', 'members', 'schemas']],
      ['excludedAttributes=members', ['displayName', 'externalId', 'id', 'meta', 'schemas']],
    ] as const) {
      const { status, body } = await directory.send('PATCH', `${managers}?${query}`, operation);
      assert.deepEqual([status, Object.keys(body).sort()], [200, expected], query);
    }
    const { body: some } = await directory.send('GET', `${managers}?attributes=members.VALUE,members.display`);
    assert.deepEqual(some.members, [{ value: person.id, display: 'Ines Joiner' }]);
    const search = { filter: 'displayName eq "Managers"', excludedAttributes: ['members.display', 'meta'] };
    const { status, body } = await directory.send('POST', '/Groups/.search', search);
    assert.deepEqual([status, body.totalResults, body.Resources[0].displayName], [200, 1, 'Managers']);
    assert.deepEqual(Object.keys(body.Resources[0].members[0]).sort(), ['$ref', 'type', 'value']);
    await directory.send('PUT', managers, { displayName: 'Managers', members: [], externalId: 'm-1' });
  });

  it("SCIM's POST of a group with a role's name returns 409, and one without a name 400", async () => {
    for (const [displayName, status, scimType] of [
      ['managers', 409, 'uniqueness'],
      ['Corporate Admins', 409, 'uniqueness'],
      [undefined, 400, 'invalidValue'],
    ] as const) {
      const answer = await directory.send('POST', '/Groups', { schemas: [GROUP], displayName, members: [] });
      assert.deepEqual([answer.status, answer.body.scimType], [status, scimType], displayName);
    }
  });

  it('a SCIM PATCH of a group with one refused operation changes nothing', async () => {
    const person = await joiner();
    for (const [operation, status] of [
      [{ op: 'replace', path: 'displayName', value: 'Bosses' }, 403],
      [{ op: 'replace', path: 'id', value: randomUUID() }, 400],
      [{ op: 'replace', path: 'nonsense', value: 'x' }, 400],
      [{ op: 'remove', path: 'members[display eq "x"]' }, 400],
      [{ op: 'add', value: 'x' }, 400],
      [{ op: 'add', path: 'members', value: [5] }, 400],
    ] as const) {
      const operations = [{ op: 'add', path: 'members', value: [{ value: person.id }] }, operation];
      assert.equal(
        (await directory.send('PATCH', managers, patchOf(...operations))).status,
        status,
        JSON.stringify(operation),
      );
    }
    assert.equal(
      (await directory.send('PUT', managers, { displayName: 'Bosses', members: [{ value: person.id }] })).status,
      403,
    );
    assert.deepEqual(await rolesOf(person.id), ['EMPLOYEE']);
  });

  it("a SCIM group of a role has no guest or deleted person as member, and a PUT keeps guests' roles", async () => {
    const guest = await addPerson(api.db, { company: other.company, roles: [['MANAGER', directory.company]] });
    const gone = await joiner({ roles: [{ value: 'MANAGER' }] });
    await directory.send('DELETE', `/Users/${gone.id}`);
    assert.deepEqual(await members(), []);
    await directory.send('PUT', managers, { displayName: 'Managers', members: [] });
    const [held] = await api.db.query<{ count: number }>(
      sql`select count(*)::integer as count from company_roles where user_id = ${guest.id}`,
    );
    assert.equal(held?.count, 1);
  });

  it('a SCIM PATCH with a thousand members adds and removes them in at most 20 statements', async () => {
    const people = await Promise.all(Array.from({ length: 60 }, () => joiner()));
    const value = people.map(({ id }) => ({ value: id, display: 'x'.repeat(200) }));
    const many = Array.from({ length: 1_000 }, (_, index) => value[index % value.length] ?? {});
    for (const [op, left] of [
      ['replace', people.length],
      ['remove', 0],
    ] as const) {
      statements.length = 0;
      const { status } = await directory.send('PATCH', managers, patchOf({ op, path: 'members', value: many }));
      assert.equal(status, 204);
      assert.ok(statements.length <= 20, `${op}: ${statements.length} statements`);
      assert.equal((await members()).length, left);
    }
  });
});
