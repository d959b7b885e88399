import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { addCompany, addPerson, userRow } from '../support/people.ts';
import {
  assertFault,
  createUser,
  directoryFor,
  ENTERPRISE,
  type Json,
  newUser,
  ORGDESK,
  openDirectory,
  patchOf,
  replace,
  trailOf,
} from './directory.ts';
import { FULL, testUserChanges } from './user-changes-tests.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'People');
const { company } = directory;
const other = await openDirectory(api, 'Others');

const create = (more: object = {}) => directory.send('POST', '/Users', newUser(more));
const get = async (id: string) => (await directory.send('GET', `/Users/${id}`)).body;
const patch = (id: string, ...operations: object[]) => directory.send('PATCH', `/Users/${id}`, patchOf(...operations));

describe('a user that is created', () => {
  it("SCIM's POST stores and returns all values of the user", async () => {
    const user = await createUser(directory, { ...FULL, userName: 'Full.Person@People.example' });
    const { name, department_id: departmentId, ...row } = await userRow(api.db, user.id);
    assert.deepEqual(
      [row.email, row.first_name, row.last_name, row.phone, row.active, row.company_id],
      ['Full.Person@People.example', 'Ines', 'Joiner', '+919845000002', true, company.id],
    );
    assert.deepEqual(
      [
        row.address_line_1,
        row.address_line_2,
        row.pincode,
        row.date_of_birth,
        row.gender,
        row.approval_limit,
        row.client_type,
      ],
      ['14 Lake View Road', 'Flat 3B', '560001', '1990-05-14', 'Female', 120.5, 'AGENCY'],
    );
    assert.deepEqual([name, departmentId], [undefined, company.departmentId]);
    assert.deepEqual(user.phoneNumbers, [{ value: '+919845000002', type: 'work' }]);
    assert.deepEqual(user.roles, [{ value: 'EMPLOYEE' }, { value: 'MANAGER' }]);
    assert.deepEqual(user[ORGDESK], FULL[ORGDESK]);
    const added = (await trailOf(api, user.id)).filter(({ entity }) => entity === 'user');
    assert.deepEqual(
      added.map(({ action }) => action),
      ['added'],
    );
    assert.ok(added[0]?.fields.includes('externalId') && added[0].fields.includes('workEmail'));
    const { meta } = user;
    assert.deepEqual([meta.resourceType, meta.location], ['User', `http://localhost:80/scim/v2/Users/${user.id}`]);
    assert.deepEqual(await get(user.id), user);
  });

  it("SCIM's POST without roles, department and band gives the company's defaults and the employee role", async () => {
    for (const roles of [undefined, []]) {
      const user = await createUser(directory, { roles });
      assert.deepEqual(
        [user.roles, user[ENTERPRISE].department, user[ORGDESK].bandCode],
        [[{ value: 'EMPLOYEE' }], 'Sales', 'B1'],
      );
      assert.deepEqual([user.phoneNumbers, user.addresses, user[ORGDESK].gender], [undefined, undefined, undefined]);
    }
  });

  it("SCIM's POST without names or userName, or with an unreadable value, returns 400 invalidValue", async () => {
    for (const wrong of [
      { name: undefined },
      { name: 'Ines Joiner' },
      { userName: undefined },
      { userName: 'no address' },
      { userName: ['a@b.example', 'c@d.example'] },
      { roles: [{ value: 'EMPLOYES' }] },
      { active: 'perhaps' },
      { emails: 5 },
      { [ORGDESK]: { bandCode: 'none' } },
      { [ORGDESK]: { approvalLimit: '-1' } },
      { [ORGDESK]: 'x' },
      { externalId: 'x'.repeat(501) },
    ]) {
      assertFault(await create(wrong), 400, 'invalidValue');
    }
  });

  it("SCIM's POST without department and band in a company without defaults returns 400", async () => {
    const bare = await directoryFor(api, await addCompany(api.db, 'Bare'));
    const answer = await bare.send('POST', '/Users', newUser());
    assertFault(answer, 400, 'invalidValue');
    assert.match(answer.body.detail, /no default/);
    const places = { [ENTERPRISE]: { department: 'New' }, [ORGDESK]: { bandCode: 'B1' } };
    assert.equal((await bare.send('POST', '/Users', newUser(places))).status, 201);
  });

  it("SCIM's POST whose primary phone is unreadable stores no phone", async () => {
    const phoneNumbers = [
      { value: 'call me', primary: true },
      { value: '+919845000001', type: 'work' },
    ];
    assert.equal((await createUser(directory, { phoneNumbers })).phoneNumbers, undefined);
  });

  it("SCIM's POST stores the primary phone, else the one for work, else the mobile one, else the first", async () => {
    const [home, mobile, work] = ['home', 'mobile', 'work'].map((type, place) => ({
      value: `+9198450000${place}`,
      type,
    }));
    for (const [phoneNumbers, type] of [
      [[home, mobile, work, { ...home, type: 'pager', primary: true }], 'pager'],
      [[home, mobile, work], 'work'],
      [[home, mobile], 'mobile'],
      [[home], 'home'],
    ] as const) {
      assert.equal((await createUser(directory, { phoneNumbers })).phoneNumbers[0].type, type);
    }
  });

  it("SCIM's POST of a taken userName or externalId returns 409, and nothing about another company", async () => {
    const user = await createUser(directory, { externalId: 'taken' });
    const capitals = newUser({ userName: user.userName.toUpperCase() });
    const [here, there] = [
      await directory.send('POST', '/Users', capitals),
      await other.send('POST', '/Users', capitals),
    ];
    assertFault(here, 409, 'uniqueness');
    assert.deepEqual(there.body, here.body);
    assertFault(await create({ externalId: 'taken' }), 409, 'uniqueness');
    assert.equal((await other.send('POST', '/Users', newUser({ externalId: 'taken' }))).status, 201);
    assertFault(await patch((await createUser(directory)).id, replace('externalId', 'taken')), 409, 'uniqueness');
    assertFault(await patch((await createUser(directory)).id, replace('userName', user.userName)), 409, 'uniqueness');
  });

  it("SCIM's department is found by name or cost code in any case, and an unknown one is created once", async () => {
    const departmentId = async (department: string) =>
      (await userRow(api.db, (await createUser(directory, { [ENTERPRISE]: { department } })).id)).department_id;
    assert.equal(await departmentId('sÁLES'), company.departmentId);
    assert.equal(await departmentId('CC-1'), company.departmentId);
    const made = await Promise.all(['Logistics', 'LOGISTICS', 'logistics'].map(departmentId));
    assert.equal(new Set(made).size, 1);
    const [row] = await api.db.query<{ name: string; code: string }>(sql`
      select lower(name) as name, lower(cost_code) as code from departments where id = ${String(made[0])}`);
    assert.deepEqual(row, { name: 'logistics', code: 'logistics' });
  });
});

testUserChanges(api, directory);

it("SCIM's POST and PUT with a family name alone, or a whole name alone, give the person a first name", async () => {
  const named = await openDirectory(api, 'One name');
  for (const [sent, name] of [
    [{ name: { familyName: 'Sukarno' } }, ['Sukarno', undefined]],
    [{ name: { formatted: 'Ada King Lovelace' } }, ['Ada King', 'Lovelace']],
    [{ name: undefined, displayName: 'Lovelace, Ada' }, ['Ada', 'Lovelace']],
  ] as const) {
    const user = await createUser(named, sent);
    assert.deepEqual([user.name.givenName, user.name.familyName], name);
    const { status, body } = await named.send(
      'PUT',
      `/Users/${user.id}`,
      newUser({ ...sent, userName: user.userName }),
    );
    assert.deepEqual([status, body.name], [200, user.name]);
  }
  assertFault(await named.send('POST', '/Users', newUser({ name: {} })), 400, 'invalidValue');
});

describe('the rules about people', () => {
  it("SCIM's change of the userName of a person with a platform role or a role elsewhere returns 403, of names and active 200", async () => {
    const superAdmin = await addPerson(api.db, { company, systemRole: { role: 'SUPER_ADMIN', active: true } });
    const elsewhere = await addPerson(api.db, { company, roles: [['MANAGER', other.company]] });
    for (const { id } of [superAdmin, elsewhere]) {
      assertFault(await patch(id, replace('userName', 'new@people.example')), 403);
      assert.equal((await patch(id, replace('name.givenName', 'Else'))).status, 200);
      assert.equal((await patch(id, replace('active', false))).status, 200);
      const isBack = (await patch(id, replace('active', true))).status;
      assert.equal(isBack, id === elsewhere.id ? 200 : 403, 'roles elsewhere have ended');
      assert.equal((await directory.send('DELETE', `/Users/${id}`)).status, 204);
    }
  });

  it("SCIM's deactivation, deletion or demotion of the last administrator returns 409", async () => {
    const alone = await openDirectory(api, 'Alone');
    const admins = await Promise.all(
      [1, 2].map(
        async () => (await alone.send('POST', '/Users', newUser({ roles: [{ value: 'CORPORATE_ADMIN' }] }))).body.id,
      ),
    );
    const deactivations = await Promise.all(
      admins.map((id) => alone.send('PATCH', `/Users/${id}`, patchOf(replace('active', 'False')))),
    );
    assert.deepEqual(deactivations.map(({ status }) => status).sort(), [200, 409]);
    const last = admins[deactivations.findIndex(({ status }) => status === 409)];
    const refused = await alone.send('DELETE', `/Users/${last}`);
    assertFault(refused, 409);
    assert.match(refused.body.detail, /last active Corporate Admin/);
    assertFault(await alone.send('PATCH', `/Users/${last}`, patchOf(replace('roles', [{ value: 'EMPLOYEE' }]))), 409);
    const { body: groups } = await alone.send('GET', '/Groups');
    const group = groups.Resources.find(({ displayName }: Json) => displayName === 'Corporate Admins');
    assertFault(await alone.send('PUT', `/Groups/${group.id}`, { displayName: 'Corporate Admins', members: [] }), 409);
    assert.equal((await alone.send('GET', `/Users/${last}`)).body.active, true);
  });
});

describe('lists', () => {
  it("SCIM's list of people has pages with the requested attributes", async () => {
    const { body: all } = await directory.send('GET', '/Users?count=0');
    assert.deepEqual([all.Resources, all.itemsPerPage], [[], 0]);
    const ids = new Set<string>();
    for (let start = 1; start <= all.totalResults; start += 7) {
      const { body } = await directory.send(
        'GET',
        `/Users?startIndex=${start}&count=7&attributes=userName,name.familyName,${ORGDESK}:bandCode`,
      );
      assert.deepEqual([body.startIndex, body.totalResults], [start, all.totalResults]);
      for (const { id, ...rest } of body.Resources) {
        ids.add(id);
        assert.deepEqual(Object.keys(rest), ['schemas', 'userName', 'name', ORGDESK]);
        assert.deepEqual([Object.keys(rest.name), Object.keys(rest[ORGDESK])], [['familyName'], ['bandCode']]);
      }
    }
    assert.equal(ids.size, all.totalResults);
    const { body } = await directory.send(
      'GET',
      '/Users?count=1&startIndex=-3&excludedAttributes=emails,name.formatted,meta',
    );
    assert.equal(body.startIndex, 1);
    assert.deepEqual(
      [body.Resources[0].emails, body.Resources[0].meta, body.Resources[0].name.formatted],
      [undefined, undefined, undefined],
    );
    assertFault(await directory.send('GET', '/Users?count=many'), 400, 'invalidValue');
    assert.equal((await directory.send('GET', `/Users?startIndex=999999999999999`)).body.itemsPerPage, 0);
  });
});
