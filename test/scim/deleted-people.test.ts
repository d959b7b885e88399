import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson, userRow } from '../support/people.ts';
import {
  type Answer,
  createDeletedUser,
  createUser,
  ENTERPRISE,
  type Json,
  newUser,
  ORGDESK,
  openDirectory,
  patchOf,
  trailOf,
} from './directory.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Leavers');
const other = await openDirectory(api, 'Others');
const { company } = directory;
const admin = await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });

const create = (more: object = {}) => directory.send('POST', '/Users', newUser(more));
const created = (more?: object) => createUser(directory, more);
const deleted = (more?: object) => createDeletedUser(directory, more);
const get = (id: string) => directory.send('GET', `/Users/${id}`);
const find = async (filter: string) =>
  (await directory.send('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body.totalResults;
const update = (payload: object) => api.send({ method: 'POST', url: '/api/users/update', as: admin.email, payload });

function assertFault({ status, body }: Answer, expected: number, scimType?: string): void {
  assert.deepEqual([status, body.status, body.scimType], [expected, String(expected), scimType], JSON.stringify(body));
}

const PROMOTED = {
  roles: [{ value: 'CORPORATE_ADMIN' }, { value: 'MANAGER' }],
  phoneNumbers: [{ value: '+919845000001', type: 'mobile' }],
  [ENTERPRISE]: { department: 'Board' },
  [ORGDESK]: { approvalLimit: '90000.00', clientType: 'AGENCY', gender: 'F' },
};

describe('a person that the directory deletes', () => {
  it('a person deleted by SCIM is deactivated, and every later SCIM request for them returns 404', async () => {
    const user = await deleted({ externalId: 'gone' });
    const row = await userRow(api.db, user.id);
    assert.deepEqual([row.active, row.email], [false, `${user.id}@deleted.invalid`]);
    for (const answer of [
      await get(user.id),
      await directory.send('PUT', `/Users/${user.id}`, user),
      await directory.send('PATCH', `/Users/${user.id}`, patchOf({ op: 'replace', path: 'active', value: true })),
      await directory.send('DELETE', `/Users/${user.id}`),
    ]) {
      assertFault(answer, 404);
    }
    for (const filter of [`userName eq "${user.userName}"`, 'externalId eq "gone"', `id eq "${user.id}"`]) {
      assert.equal(await find(filter), 0, filter);
    }
    const { body: groups } = await directory.send('GET', '/Groups');
    assert.ok(!JSON.stringify(groups).includes(user.id));
    assert.notEqual((await created({ externalId: 'gone' })).id, user.id);
  });

  it("SCIM's POST of a deleted userName restores the same person with the values of a joiner", async () => {
    const user = await deleted({ ...PROMOTED, externalId: 'back' });
    const { status, body: back } = await create({ userName: user.userName.toUpperCase() });
    assert.equal(status, 201);
    assert.deepEqual(
      [back.id, back.userName, back.active, back.roles, back.externalId, back.phoneNumbers],
      [user.id, user.userName.toUpperCase(), true, [{ value: 'EMPLOYEE' }], undefined, undefined],
    );
    assert.deepEqual(
      [back[ENTERPRISE], back[ORGDESK]],
      [{ department: 'Sales' }, { bandCode: 'B1', approvalLimit: '0.00', clientType: 'CORPORATE' }],
    );
    assert.deepEqual((await get(user.id)).body, back);
    assertFault(await create({ userName: user.userName }), 409, 'uniqueness');
  });

  it("SCIM's POST of a deleted userName gives the person the values that the POST contains", async () => {
    const user = await deleted(PROMOTED);
    const back = await created({ ...PROMOTED, userName: user.userName, active: false });
    const { meta: _, emails: __, ...expected } = { ...user, active: false };
    const { meta: ___, emails: ____, ...present } = back;
    assert.deepEqual(present, expected);
  });

  it('the userName of a deleted person can be given to another person, also of another company', async () => {
    const renamed = await created();
    for (const take of [
      ({ userName }: Json) => directory.send('PUT', `/Users/${renamed.id}`, { ...renamed, userName }),
      ({ userName }: Json) =>
        directory.send('PATCH', `/Users/${renamed.id}`, patchOf({ op: 'Replace', path: 'userName', value: userName })),
      ({ userName }: Json) => other.send('POST', '/Users', newUser({ userName })),
    ]) {
      const user = await deleted();
      const { status, body } = await take(user);
      assert.ok(status < 300, JSON.stringify(body));
      assertFault(await create({ userName: user.userName }), 409, 'uniqueness');
      assert.equal((await userRow(api.db, user.id)).email, `${user.id}@deleted.invalid`);
    }
  });

  it("SCIM's POST of a userName that two deleted people had restores the one deleted last", async () => {
    const first = await deleted();
    const second = await created();
    await directory.send(
      'PATCH',
      `/Users/${second.id}`,
      patchOf({ op: 'Replace', path: 'userName', value: first.userName }),
    );
    await directory.send('DELETE', `/Users/${second.id}`);
    assert.equal((await created({ userName: first.userName })).id, second.id);
  });

  it('of three simultaneous POSTs of a deleted userName one returns 201 and two return 409', async () => {
    const user = await deleted();
    const answers = await Promise.all([1, 2, 3].map(() => create({ userName: user.userName })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  });

  it("SCIM's POST by another company of a deleted userName creates a new person", async () => {
    const user = await deleted();
    const { status, body } = await other.send('POST', '/Users', newUser({ userName: user.userName }));
    assert.equal(status, 201);
    assert.notEqual(body.id, user.id);
  });
});

describe('a deleted person that an administrator activates', () => {
  it('a deleted person that an administrator activates is in the directory again, unchanged', async () => {
    const user = await deleted({ ...PROMOTED, externalId: 'as-was' });
    const response = await update({ id: user.id, active: true });
    assert.equal(response.statusCode, 200, response.body);
    assert.equal(response.json().data.email, user.userName);
    const { status, body } = await get(user.id);
    assert.equal(status, 200);
    const { meta: _, externalId: __, ...expected } = user;
    const { meta: ___, ...present } = body;
    assert.deepEqual(present, expected);
    assert.equal(await find(`userName eq "${user.userName}"`), 1);
    const { body: groups } = await directory.send('GET', '/Groups');
    assert.ok(JSON.stringify(groups).includes(user.id));
    const rows = await trailOf(api, user.id);
    assert.ok(rows.some(({ fields, actor }) => fields.includes('deletedAt') && actor.startsWith('user ')));
  });

  it('a deleted person activated by an administrator stays in the directory until it deletes them again', async () => {
    const user = await deleted();
    await update({ id: user.id, active: true });
    await update({ id: user.id, active: false });
    assert.equal((await get(user.id)).body.active, false);
    await update({ id: user.id, active: true });
    const { status } = await directory.send(
      'PATCH',
      `/Users/${user.id}`,
      patchOf({ op: 'replace', path: 'active', value: false }),
    );
    assert.equal(status, 200);
    assert.equal((await get(user.id)).body.active, false);
    assert.equal((await directory.send('DELETE', `/Users/${user.id}`)).status, 204);
    assert.equal((await get(user.id)).status, 404);
  });

  it('activating a deleted person with a taken address returns 409 until another address is sent', async () => {
    const user = await deleted();
    const heir = await created();
    const taken = { op: 'replace', path: 'userName', value: user.userName };
    assert.equal((await directory.send('PATCH', `/Users/${heir.id}`, patchOf(taken))).status, 200);
    const refused = await update({ id: user.id, active: true });
    assert.equal(refused.statusCode, 409);
    assert.deepEqual(
      refused.json().errors.map(({ field }: Json) => field),
      ['email'],
    );
    assert.equal((await get(user.id)).status, 404);
    const response = await update({ id: user.id, active: true, email: `again.${user.userName}` });
    assert.equal(response.statusCode, 200, response.body);
    assert.equal((await get(user.id)).body.userName, `again.${user.userName}`);
  });

  it('an administrator activates several deleted people of a directory in one request', async () => {
    const users = [await deleted(), await deleted()];
    const response = await api.send({
      method: 'POST',
      url: '/api/users/save',
      as: admin.email,
      payload: { companyId: company.id, update: users.map(({ id }) => ({ id, active: true })) },
    });
    assert.equal(response.statusCode, 200, response.body);
    for (const { id, userName } of users) assert.equal((await get(id)).body.userName, userName);
  });

  it('a deleted person activated directly in the database is readable and writable by SCIM again', async () => {
    const user = await deleted();
    await api.db.query(sql`update users set active = true where id = ${user.id}`);
    assert.equal((await get(user.id)).status, 200);
    const put = await directory.send('PUT', `/Users/${user.id}`, { ...user, active: false });
    assert.deepEqual([put.status, put.body.active], [200, false]);
    assert.equal((await get(user.id)).status, 200);
  });
});
