import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { buildTestApp } from '../support/build-test-app.ts';
import { type Answer, createUser, ENTERPRISE, GROUP, type Json, newUser, openDirectory, patchOf } from './directory.ts';

/* Requests in the forms of clients that are in use: each does what its client expects. */

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'Client requests');
const { send } = directory;
const UNKNOWN = randomUUID();

async function done(answer: Promise<Answer>, ...statuses: readonly number[]): Promise<Json> {
  const { status, body } = await answer;
  assert.ok(statuses.includes(status), `${status} ${JSON.stringify(body)}`);
  return body;
}
const name = (what: string) => `${what} ${randomUUID()}`;
const addGroup = (displayName: string, ...members: readonly string[]) =>
  done(send('POST', '/Groups', { schemas: [GROUP], displayName, members: members.map((value) => ({ value })) }), 201);
const membersOf = async (id: string) =>
  ((await done(send('GET', `/Groups/${id}`), 200)).members ?? []).map(({ value }: Json) => value);

describe('requests about people', () => {
  const kept: Readonly<Record<string, { sent: object; answered: object }>> = {
    'authentik: one word of a name': {
      sent: { name: { formatted: 'Suharto', familyName: '', givenName: 'Suharto' } },
      answered: { displayName: 'Suharto' },
    },
    'Rauthy: its own roles': {
      sent: { roles: [{ value: 'rauthy_admin', primary: true }], locale: 'en', preferredLanguage: 'en' },
      answered: { roles: [{ value: 'EMPLOYEE' }] },
    },
    'keycloak-scim2-storage: ids of all roles of the realm': {
      sent: { roles: Array.from({ length: 9 }, () => ({ value: randomUUID(), display: 'uma_authorization' })) },
      answered: { roles: [{ value: 'EMPLOYEE' }] },
    },
    'OneLogin: the former enterprise extension': {
      sent: { 'urn:scim:schemas:extension:enterprise:2.0': { department: 'Field sales', employeeNumber: 'OL-1' } },
      answered: { [ENTERPRISE]: { department: 'Field sales', employeeNumber: 'OL-1' } },
    },
    'HelloID: the former enterprise extension next to the schemas that it names': {
      sent: {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', 'urn:scim:schemas:extension:enterprise:2.0'],
        'urn:scim:schemas:extension:enterprise:2.0': { department: 'HelloID desk' },
      },
      answered: { [ENTERPRISE]: { department: 'HelloID desk' } },
    },
    'Google: telephones as RFC 7643 recommends them': {
      sent: { phoneNumbers: [{ value: 'tel:+1-201-555-0123', type: 'work', primary: true }] },
      answered: { phoneNumbers: [{ value: '+12015550123', type: 'work' }] },
    },
    'Zitadel: a whole user of its test data': {
      sent: {
        externalId: randomUUID(),
        nickName: 'Babs',
        profileUrl: 'https://login.example.com/bjensen',
        userType: 'Employee',
        title: 'Tour Guide',
        preferredLanguage: 'en-US',
        locale: 'en-US',
        timezone: 'America/Los_Angeles',
        password: 'Password1!',
        ims: [{ value: 'someaimhandle', type: 'aim' }],
        photos: [{ value: 'https://photos.example.com/profilephoto/72930000000Ccne/F', type: 'photo' }],
        entitlements: [{ value: 'my-entitlement-1', primary: true }],
        roles: [{ value: 'my-role-1', display: 'Rolle 1', type: 'main-role', primary: true }],
        addresses: [{ type: 'work', locality: 'Hollywood', region: 'CA', country: 'USA', postalCode: '91608' }],
      },
      answered: {
        title: 'Tour Guide',
        addresses: [{ type: 'work', locality: 'Hollywood', region: 'CA', country: 'USA', postalCode: '91608' }],
      },
    },
    'Workday: number, cost centre and title': {
      sent: { title: 'Clerk', [ENTERPRISE]: { employeeNumber: 'WD-7', costCenter: 'CC-7' } },
      answered: { title: 'Clerk' },
    },
  };
  for (const [what, { sent, answered }] of Object.entries(kept)) {
    it(`${what}: POST returns 201 with the kept values, and a PUT of the answer returns 200`, async () => {
      const person = await createUser(directory, sent);
      const found = Object.fromEntries(Object.keys(answered).map((key) => [key, person[key]]));
      for (const [key, value] of Object.entries(answered)) {
        if (key === ENTERPRISE) assert.deepEqual({ ...found[key], ...value }, found[key]);
        else assert.deepEqual(found[key], value, what);
      }
      assert.equal((await send('PUT', `/Users/${person.id}`, person)).status, 200);
    });
  }

  it("scimgateway's PATCH of ten operations without schemas changes the person", async () => {
    const { id, userName } = await createUser(directory);
    const Operations = [
      { op: 'replace', path: 'name.givenName', value: 'Jeff' },
      { op: 'replace', path: 'name.familyName', value: 'Jackson' },
      { op: 'replace', path: 'active', value: 'True' },
      { op: 'add', path: 'emails[type eq "work"].value', value: userName },
      { op: 'add', path: 'phoneNumbers', value: [{ type: 'work', value: 'tel:+47 123 45 678' }] },
      { op: 'add', path: 'title', value: 'Consultant' },
      { op: 'add', path: `${ENTERPRISE}:employeeNumber`, value: '991999' },
      { op: 'add', path: 'entitlements', value: [{ type: 'newentitlement', value: 'X' }] },
      { op: 'replace', path: 'password', value: 'testpasswd' },
    ];
    const changed = await done(send('PATCH', `/Users/${id}`, { Operations }), 200);
    assert.deepEqual(
      [changed.displayName, changed.title, changed.phoneNumbers?.[0]?.value],
      ['Jeff Jackson', 'Consultant', '+4712345678'],
    );
    const filter = encodeURIComponent(`${ENTERPRISE}:employeeNumber eq "991999"`);
    assert.deepEqual(
      (await done(send('GET', `/Users?filter=${filter}`), 200)).Resources.map((one: Json) => one.id),
      [id],
    );
    const created = encodeURIComponent('meta.created ge "2010-01-01T00:00:00Z"');
    assert.ok((await done(send('GET', `/Users?filter=${created}`), 200)).totalResults > 0);
  });

  it("Entra ID's PATCH of a surname and an empty department stores the name and default department", async () => {
    const { id } = await createUser(directory, { [ENTERPRISE]: { department: 'To be emptied' } });
    const operations = [
      { op: 'Replace', path: 'name.familyName', value: 'Married' },
      { op: 'Remove', path: `${ENTERPRISE}:department` },
    ];
    const changed = await done(send('PATCH', `/Users/${id}`, patchOf(...operations)), 200);
    assert.deepEqual([changed.name.familyName, changed[ENTERPRISE].department], ['Married', 'Sales']);
  });

  it('a manager that PingFederate names before the manager exists is linked on creation', async () => {
    const number = randomUUID();
    const { id } = await createUser(directory, { [ENTERPRISE]: { manager: { value: number } } });
    const above = await createUser(directory, { [ENTERPRISE]: { employeeNumber: number } });
    assert.equal((await done(send('GET', `/Users/${id}`), 200))[ENTERPRISE].manager.value, above.id);
  });
});

describe('requests about groups', () => {
  it('groups by authentik, Rauthy, JumpCloud and OneLogin are created with members, renamed and deleted', async () => {
    const { id: member } = await createUser(directory);
    for (const displayName of [
      name('authentik Admins'),
      name('rauthy_admin'),
      name('All JumpCloud Users'),
      name('a "b" ü'),
    ]) {
      const { id } = await addGroup(displayName, member);
      assert.deepEqual(await membersOf(id), [member]);
      await done(
        send('PATCH', `/Groups/${id}`, patchOf({ op: 'replace', path: 'displayName', value: name('Renamed') })),
        204,
        200,
      );
      await done(send('DELETE', `/Groups/${id}`), 204);
      await done(send('GET', `/Groups/${id}`), 404);
    }
  });

  it('unknown members in a group by authentik or Okta are left out, and the known ones are added', async () => {
    const { id: member } = await createUser(directory);
    const { id } = await addGroup(name('Some known'), member, UNKNOWN);
    assert.deepEqual(await membersOf(id), [member]);
    const add = { op: 'add', path: 'members', value: [{ value: UNKNOWN }, { value: member }] };
    await done(send('PATCH', `/Groups/${id}`, patchOf(add)), 204, 200);
    const members = [
      { value: UNKNOWN, display: 'x' },
      { value: member, display: 'y' },
    ];
    await done(send('PUT', `/Groups/${id}`, { schemas: [GROUP], displayName: name('Some known'), members }), 200);
    assert.deepEqual(await membersOf(id), [member]);
  });

  it("Okta's group PATCH without a path returns 2xx, and one that removes and adds members does both", async () => {
    const [one, two] = [await createUser(directory), await createUser(directory)];
    const displayName = name('Okta push');
    const { id } = await addGroup(displayName, one.id);
    await done(send('PATCH', `/Groups/${id}`, patchOf({ op: 'replace', value: { id, displayName } })), 204, 200);
    const operations = [
      { op: 'remove', path: `members[value eq "${one.id}"]` },
      { op: 'add', path: 'members', value: [{ value: two.id, display: two.userName }] },
    ];
    await done(send('PATCH', `/Groups/${id}`, patchOf(...operations)), 204, 200);
    assert.deepEqual(await membersOf(id), [two.id]);
  });

  it('SailPoint, PostHog and scimgateway find the groups of a person, and groups by their member', async () => {
    const { id: member } = await createUser(directory);
    const displayName = name('Read both ways');
    const { id } = await addGroup(displayName, member);
    const person = await done(send('GET', `/Users/${member}`), 200);
    assert.ok(person.groups.some((group: Json) => group.value === id && group.display === displayName));
    const filter = encodeURIComponent(`members.value eq "${member}"`);
    const { Resources } = await done(send('GET', `/Groups?filter=${filter}&attributes=id,displayName`), 200);
    assert.ok(Resources.some((group: Json) => group.id === id));
  });

  it("a second directory's group of the same name takes no member out of the first directory's group", async () => {
    const { id: member } = await createUser(directory);
    const first = await addGroup('Managers of nobody', member);
    const other = await openDirectory(api, 'Another directory');
    await done(other.send('POST', '/Groups', { displayName: 'Managers of nobody', members: [] }), 201);
    assert.deepEqual(await membersOf(first.id), [member]);
  });
});

describe('the life of a person', () => {
  it('a person who returns with another externalId is a newcomer, and with the same keeps their role', async () => {
    const roles = [{ value: 'MANAGER' }];
    const leave = async (id: string) =>
      done(send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: false })), 200);
    const externalId = randomUUID();
    const { id, ...sent } = await createUser(directory, { externalId, roles, title: 'Head of travel' });
    await leave(id);
    const back = await done(send('PUT', `/Users/${id}`, { ...sent, active: true }), 200);
    assert.deepEqual([back.roles, back.title], [roles, 'Head of travel']);
    await leave(id);
    const { roles: _, title: __, meta: ___, groups: ____, ...joiner } = sent;
    const newcomer = await done(
      send('PUT', `/Users/${id}`, { ...joiner, externalId: randomUUID(), active: true }),
      200,
    );
    assert.deepEqual([newcomer.roles, newcomer.title], [[{ value: 'EMPLOYEE' }], undefined]);
  });

  it('a limit with separators returns 400, an unknown resource 404 and a taken externalId 409 in SCIM', async () => {
    const limit = { 'urn:orgdesk:params:scim:schemas:extension:2.0:User': { approvalLimit: '1,200.00' } };
    const refused = await send('POST', '/Users', newUser(limit));
    assert.deepEqual([refused.status, refused.body.scimType], [400, 'invalidValue']);
    assert.match(refused.body.detail, /approvalLimit/);
    for (const path of ['/Roles', '/Entitlements']) assert.equal((await send('GET', path)).status, 404);
    const externalId = randomUUID();
    await createUser(directory, { externalId });
    assert.equal((await send('POST', '/Users', newUser({ externalId }))).status, 409);
  });
});
