import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { buildTestApp } from '../support/build-test-app.ts';
import { addPerson } from '../support/people.ts';
import { ENTERPRISE, GROUP, type Json, openDirectory, PATCH_OP, USER } from './directory.ts';

/*
 * What Microsoft Entra ID sends: the requests of its documentation, with an address where that has a name that is none.
 * https://learn.microsoft.com/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups
 * https://learn.microsoft.com/entra/identity/app-provisioning/application-provisioning-config-problem-scim-compatibility ("False" as a text)
 * Its requests that make, rename and delete groups are refused: provisioning is set up as a custom application, see docs/provisioning.md.
 */

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Entra');
// Whoever is patched may lose the role.
const { company } = directory;
await addPerson(api.db, { company, roles: [['CORPORATE_ADMIN', company]] });

const userName = `Test_User_${randomUUID()}@testuser.com`;
const workEmail = `Test_User_${randomUUID()}@testuser.com`;
const externalId = '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef';

const created = await directory.send('POST', '/Users', {
  schemas: [USER, ENTERPRISE],
  externalId,
  userName,
  active: true,
  emails: [{ primary: true, type: 'work', value: workEmail }],
  meta: { resourceType: 'User' },
  name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
  roles: [],
});
const url = `/Users/${created.body.id}`;

async function patch(...Operations: readonly object[]): Promise<Json> {
  const { status, body } = await directory.send('PATCH', url, { schemas: [PATCH_OP], Operations });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual((await directory.send('GET', url)).body, body);
  return body;
}
const filtered = async (path: string, filter: string, more = '') =>
  (await directory.send('GET', `${path}?${more}filter=${encodeURIComponent(filter)}`)).body;

describe("users, as Entra ID's documentation has them", () => {
  it("Entra ID's POST of a user returns 201 with the sent values", () => {
    const { status, body } = created;
    assert.equal(status, 201);
    assert.deepEqual(
      [body.userName, body.externalId, body.name.formatted, body.active, body.emails],
      [userName, externalId, 'givenName familyName', true, [{ value: workEmail, type: 'work', primary: true }]],
    );
    assert.deepEqual(body.roles, [{ value: 'EMPLOYEE' }]);
  });

  it('Entra ID finds a user by id, userName, externalId and work email, and nobody by an unknown value', async () => {
    assert.equal((await directory.send('GET', url)).status, 200);
    assert.equal((await directory.send('GET', '/Users/5171a35d82074e068ce2')).status, 404);
    for (const filter of [
      `userName eq "${userName}"`,
      `externalId eq "${externalId}"`,
      `emails[type eq "work"].value eq "${workEmail}"`,
    ]) {
      assert.deepEqual((await filtered('/Users', filter)).Resources[0]?.id, created.body.id, filter);
    }
    const { totalResults, Resources } = await filtered('/Users', 'userName eq "non-existent user"');
    assert.deepEqual([totalResults, Resources], [0, []]);
  });

  it("Entra ID's PATCH of several values changes them and keeps the userName", async () => {
    const body = await patch(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
    );
    assert.deepEqual(body.emails, [{ value: 'updatedEmail@microsoft.com', type: 'work', primary: true }]);
    assert.equal(body.name.formatted, 'givenName updatedFamilyName');
    assert.equal(body.userName, userName);
  });

  it("Entra ID's PATCH of the userName keeps the work address", async () => {
    const value = `${randomUUID()}@testuser.com`;
    const body = await patch({ op: 'Replace', path: 'userName', value });
    assert.deepEqual([body.userName, body.emails[0].value], [value, 'updatedEmail@microsoft.com']);
  });

  it("Entra ID's PATCH disables and enables a user by a boolean and by a word", async () => {
    for (const [value, active] of [
      [false, false],
      ['True', true],
      ['False', false],
      ['true', true],
    ] as const) {
      assert.equal((await patch({ op: 'Replace', path: 'active', value })).active, active);
    }
  });

  it("Entra ID's PATCH by the default mapping stores the known attributes, and the others change nothing", async () => {
    const body = await patch(
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+919845012345' },
      { op: 'Add', path: 'addresses[type eq "work"].streetAddress', value: '14 Lake View Road' },
      { op: 'Add', path: 'addresses[type eq "work"].postalCode', value: '560001' },
      { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'Bengaluru' },
      { op: 'Add', path: 'addresses[type eq "work"].country', value: 'IN' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Research' },
      { op: 'Add', path: `${ENTERPRISE}:employeeNumber`, value: '701984' },
      { op: 'Add', path: 'title', value: 'Boss' },
    );
    assert.deepEqual([body[ENTERPRISE].employeeNumber, body.title], ['701984', 'Boss']);
    assert.deepEqual(body.phoneNumbers, [{ value: '+919845012345', type: 'mobile' }]);
    assert.deepEqual(body.addresses, [
      { type: 'work', streetAddress: '14 Lake View Road', locality: 'Bengaluru', postalCode: '560001', country: 'IN' },
    ]);
    assert.equal(body[ENTERPRISE].department, 'Research');
    const same = await patch(
      { op: 'Replace', path: 'displayName', value: 'Somebody else' },
      { op: 'Replace', path: 'name.formatted', value: 'Somebody else' },
      { op: 'Add', path: 'preferredLanguage', value: 'en-US' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: '2819c223-7f76-453a-919d-413861904646' },
      { op: 'Remove', path: `${ENTERPRISE}:manager` },
      { op: 'Remove', path: 'nickName' },
    );
    assert.deepEqual(same, body);
  });

  it("Entra ID's PATCH without a path sets the values by their full names", async () => {
    const body = await patch({
      op: 'Add',
      value: { [`${ENTERPRISE}:department`]: 'Legal', 'name.givenName': 'Ada', externalId: 'other', active: 'True' },
    });
    assert.deepEqual([body[ENTERPRISE].department, body.name.givenName, body.externalId], ['Legal', 'Ada', 'other']);
  });

  it("Entra ID's PATCH of a phone of another type replaces the stored phone, and a removal clears the list", async () => {
    const changed = await patch({
      op: 'Replace',
      path: 'phoneNumbers[type eq "mobile"].value',
      value: '+919845054321',
    });
    assert.equal(changed.phoneNumbers[0].value, '+919845054321');
    const both = await patch({ op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+919845011111' });
    assert.deepEqual(both.phoneNumbers, [{ value: '+919845011111', type: 'work' }]);
    assert.equal((await patch({ op: 'Remove', path: 'phoneNumbers[type eq "work"]' })).phoneNumbers, undefined);
  });

  it("Entra ID's PATCH of the one primary role takes the other roles away", async () => {
    for (const [op, value, roles] of [
      ['Add', 'MANAGER', ['MANAGER']],
      ['Replace', 'employee', ['EMPLOYEE']],
      ['Add', 'EMPLOYEE', ['EMPLOYEE']],
    ] as const) {
      const body = await patch({ op, path: 'roles[primary eq "True"].value', value });
      assert.deepEqual(
        body.roles.map(({ value: role }: Json) => role),
        roles,
      );
    }
    await patch({
      op: 'Add',
      path: 'roles',
      value: [{ value: 'MANAGER' }, { value: 'CORPORATE_ADMIN', primary: true }],
    });
    const one = await patch({ op: 'Replace', path: 'roles[primary eq "True"].value', value: 'EMPLOYEE' });
    assert.deepEqual(one.roles, [{ value: 'EMPLOYEE' }]);
    const same = await patch(
      { op: 'Add', path: 'roles[primary eq "True"].display', value: 'Employee' },
      { op: 'Add', path: 'roles[primary eq "True"].type', value: 'WindowsAzureActiveDirectoryRole' },
    );
    assert.deepEqual(same.roles, one.roles);
    assert.equal((await patch({ op: 'Remove', path: 'roles[primary eq "True"]' })).roles, undefined);
  });

  it("Entra ID's PATCH of several roles adds them, and removes a role by its value", async () => {
    const json = (value: string) => ({ value: JSON.stringify({ id: randomUUID(), value, displayName: value }) });
    const both = await patch({ op: 'Add', path: 'roles', value: [json('MANAGER'), json('Employee')] });
    assert.deepEqual(both.roles, [{ value: 'EMPLOYEE' }, { value: 'MANAGER' }]);
    const less = await patch({ op: 'Remove', path: 'roles', value: [json('MANAGER')] });
    assert.deepEqual(less.roles, [{ value: 'EMPLOYEE' }]);
    const none = await directory.send('PATCH', url, {
      schemas: [PATCH_OP],
      Operations: [{ op: 'Add', path: 'roles', value: [json('Employe')] }],
    });
    assert.deepEqual([none.status, none.body.scimType], [400, 'invalidValue']);
  });

  it("Entra ID's DELETE of a user returns 204, and later requests for the user return 404", async () => {
    assert.equal((await directory.send('DELETE', url)).status, 204);
    assert.equal((await directory.send('GET', url)).status, 404);
    assert.equal((await directory.send('DELETE', url)).status, 404);
    assert.equal((await filtered('/Users', 'externalId eq "other"')).totalResults, 0);
  });
});

const { body: member } = await directory.send('POST', '/Users', {
  schemas: [USER],
  userName: `${randomUUID()}@testuser.com`,
  name: { givenName: 'A', familyName: 'Member' },
});
const groups = async (name: string) =>
  (await filtered('/Groups', `displayName eq "${name}"`, 'excludedAttributes=members&')).Resources;
const group = (await groups('Managers'))[0];
const groupUrl = `/Groups/${group.id}`;

describe("groups, as Entra ID's documentation has them", () => {
  const send = (operation: object) =>
    directory.send('PATCH', groupUrl, { schemas: [PATCH_OP], Operations: [operation] });
  const members = async () => (await directory.send('GET', groupUrl)).body.members.map(({ value }: Json) => value);

  it('Entra ID finds a group by name and id, without its members', async () => {
    assert.equal(group.members, undefined);
    assert.deepEqual(await groups('displayName'), []);
    const { status, body } = await directory.send('GET', `${groupUrl}?excludedAttributes=members`);
    assert.deepEqual([status, body.displayName, body.members], [200, 'Managers', undefined]);
  });

  it("Entra ID's PATCH of a role's group sets the externalId, and another name returns 403", async () => {
    assert.equal(
      (await send({ op: 'Replace', path: 'externalId', value: '60f1bb27-2e1e-402d-bcc4-ec999564a194' })).status,
      204,
    );
    assert.equal((await send({ op: 'Replace', path: 'displayName', value: 'Managers' })).status, 204);
    assert.equal((await send({ op: 'Replace', path: 'displayName', value: 'updatedDisplayName' })).status, 403);
    assert.equal((await directory.send('GET', groupUrl)).body.externalId, '60f1bb27-2e1e-402d-bcc4-ec999564a194');
  });

  it("Entra ID's PATCH of members adds and removes a member, who gains and loses the role", async () => {
    const value = [{ $ref: null, value: member.id }];
    assert.equal((await send({ op: 'Add', path: 'members', value })).status, 204);
    assert.deepEqual(await members(), [member.id]);
    assert.deepEqual((await directory.send('GET', `/Users/${member.id}`)).body.roles, [
      { value: 'EMPLOYEE' },
      { value: 'MANAGER' },
    ]);
    assert.equal((await send({ op: 'Remove', path: 'members', value })).status, 204);
    assert.deepEqual(await members(), []);
  });

  it("Entra ID creates and deletes a group, and the deletion of a role's group returns 403", async () => {
    const body = {
      schemas: [GROUP],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'displayName',
      meta: { resourceType: 'Group' },
    };
    const made = await directory.send('POST', '/Groups', body);
    assert.deepEqual([made.status, made.body.displayName, made.body.members], [201, 'displayName', []]);
    assert.equal((await directory.send('DELETE', `/Groups/${made.body.id}`)).status, 204);
    assert.equal((await directory.send('DELETE', groupUrl)).status, 403);
  });
});
