import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { addCompany, addPerson, userRow } from '../support/people.ts';
import {
  type Answer,
  directoryFor,
  ENTERPRISE,
  type Json,
  newUser,
  ORGDESK,
  openDirectory,
  patchOf,
  trailOf,
  USER,
} from './directory.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const directory = await openDirectory(api, 'People');
const { company } = directory;
const other = await openDirectory(api, 'Others');

const create = (more: object = {}) => directory.send('POST', '/Users', newUser(more));
async function created(more: object = {}): Promise<Json> {
  const { status, body } = await create(more);
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}
const get = async (id: string) => (await directory.send('GET', `/Users/${id}`)).body;
const put = (id: string, body: object) => directory.send('PUT', `/Users/${id}`, body);
const patch = (id: string, ...operations: object[]) => directory.send('PATCH', `/Users/${id}`, patchOf(...operations));
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });

function assertFault({ status, body }: Answer, expected: number, scimType?: string): void {
  const told = JSON.stringify(body);
  assert.equal(status, expected, told);
  assert.deepEqual(body.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'], told);
  assert.deepEqual([body.status, body.scimType], [String(expected), scimType], told);
  assert.ok(body.detail.length > 0);
}

const FULL = {
  externalId: 'full-1',
  phoneNumbers: [
    { value: '+91 98450 00001', type: 'mobile' },
    { value: '+91 98450 00002', type: 'work' },
  ],
  addresses: [{ type: 'work', streetAddress: '14 Lake View Road', postalCode: '560001', locality: 'Bengaluru' }],
  roles: [{ value: 'MANAGER' }, { value: 'EMPLOYEE' }],
  [ENTERPRISE]: { department: 'Sales' },
  [ORGDESK]: {
    bandCode: 'B1',
    approvalLimit: '120.50',
    clientType: 'AGENCY',
    dateOfBirth: '1990-05-14',
    gender: 'Female',
    addressLine2: 'Flat 3B',
  },
};

describe('a user that is created', () => {
  it('has all that is sent, and is the person of the company', async () => {
    const user = await created({ ...FULL, userName: 'Full.Person@People.example' });
    const { name, department_id: departmentId, ...row } = await userRow(api.db, user.id);
    assert.deepEqual(
      [row.email, row.first_name, row.last_name, row.phone, row.active, row.company_id],
      ['Full.Person@People.example', 'Ines', 'Joiner', '+91 98450 00002', true, company.id],
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
    assert.deepEqual(user.phoneNumbers, [{ value: '+91 98450 00002', type: 'work' }]);
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

  it('has the defaults of the company, and the role of an employee', async () => {
    for (const roles of [undefined, []]) {
      const user = await created({ roles });
      assert.deepEqual(
        [user.roles, user[ENTERPRISE].department, user[ORGDESK].bandCode],
        [[{ value: 'EMPLOYEE' }], 'Sales', 'B1'],
      );
      assert.deepEqual([user.phoneNumbers, user.addresses, user[ORGDESK].gender], [undefined, undefined, undefined]);
    }
  });

  it('without names, with an address that is none, an unknown role or band, is refused', async () => {
    for (const wrong of [
      { name: undefined },
      { name: { givenName: 'Only' } },
      { name: 'Ines Joiner' },
      { userName: undefined },
      { userName: 'no address' },
      { userName: ['a@b.example', 'c@d.example'] },
      { roles: [{ value: 'EMPEROR' }] },
      { active: 'perhaps' },
      { emails: [{ type: 'work', value: 'no address' }] },
      { emails: 5 },
      { addresses: [{ type: 'work', postalCode: '!' }] },
      { [ORGDESK]: { bandCode: 'none' } },
      { [ORGDESK]: { approvalLimit: '-1' } },
      { [ORGDESK]: 'x' },
      { externalId: 'x'.repeat(501) },
    ]) {
      assertFault(await create(wrong), 400, 'invalidValue');
    }
  });

  it('in a company without defaults needs a department and a band', async () => {
    const bare = await directoryFor(api, await addCompany(api.db, 'Bare'));
    const answer = await bare.send('POST', '/Users', newUser());
    assertFault(answer, 400, 'invalidValue');
    assert.match(answer.body.detail, /no default/);
    const places = { [ENTERPRISE]: { department: 'New' }, [ORGDESK]: { bandCode: 'B1' } };
    assert.equal((await bare.send('POST', '/Users', newUser(places))).status, 201);
  });

  it('with a phone that is none comes without one, and no second choice is made', async () => {
    const phoneNumbers = [
      { value: 'call me', primary: true },
      { value: '+91 98450 00001', type: 'work' },
    ];
    assert.equal((await created({ phoneNumbers })).phoneNumbers, undefined);
  });

  it('takes the primary phone, else that for work, else the mobile one, else the first', async () => {
    const [home, mobile, work] = ['home', 'mobile', 'work'].map((type, place) => ({
      value: `+91 98450 0000${place}`,
      type,
    }));
    for (const [phoneNumbers, type] of [
      [[home, mobile, work, { ...home, type: 'pager', primary: true }], 'pager'],
      [[home, mobile, work], 'work'],
      [[home, mobile], 'mobile'],
      [[home], 'home'],
    ] as const) {
      assert.equal((await created({ phoneNumbers })).phoneNumbers[0].type, type);
    }
  });

  it('of a userName or externalId that is taken is a 409, which tells nothing of another company', async () => {
    const user = await created({ externalId: 'taken' });
    const capitals = newUser({ userName: user.userName.toUpperCase() });
    const [here, there] = [
      await directory.send('POST', '/Users', capitals),
      await other.send('POST', '/Users', capitals),
    ];
    assertFault(here, 409, 'uniqueness');
    assert.deepEqual(there.body, here.body);
    assertFault(await create({ externalId: 'taken' }), 409, 'uniqueness');
    assert.equal((await other.send('POST', '/Users', newUser({ externalId: 'taken' }))).status, 201);
    assertFault(await patch((await created()).id, replace('externalId', 'taken')), 409, 'uniqueness');
    assertFault(await patch((await created()).id, replace('userName', user.userName)), 409, 'uniqueness');
  });

  it('joins the department of that name whatever its case and accents, or of that cost code; an unknown one is made once', async () => {
    const departmentId = async (department: string) =>
      (await userRow(api.db, (await created({ [ENTERPRISE]: { department } })).id)).department_id;
    assert.equal(await departmentId('sÁLES'), company.departmentId);
    assert.equal(await departmentId('CC-1'), company.departmentId);
    const made = await Promise.all(['Logistics', 'LOGISTICS', 'logistics'].map(departmentId));
    assert.equal(new Set(made).size, 1);
    const [row] = await api.db.query<{ name: string; code: string }>(sql`
      select lower(name) as name, lower(cost_code) as code from departments where id = ${String(made[0])}`);
    assert.deepEqual(row, { name: 'logistics', code: 'logistics' });
  });
});

describe('a user that is replaced', () => {
  it('by what was read stays as they are, without a change in the trail', async () => {
    const sent = await created({ ...FULL, externalId: 'read' });
    const madeHere = await addPerson(api.db, { company, roles: [['EMPLOYEE', company]] });
    for (const { id } of [sent, madeHere]) {
      const before = await trailOf(api, id);
      const user = await get(id);
      const { status, body } = await put(id, user);
      assert.deepEqual([status, body], [200, user]);
      assert.deepEqual(await trailOf(api, id), before);
    }
  });

  it('loses what may be unset, and keeps active, department, band and roles', async () => {
    const { id, userName } = await created({
      ...FULL,
      externalId: 'cleared',
      active: false,
      emails: [{ type: 'work', value: 'w@x.example' }],
    });
    const { status, body } = await put(id, {
      schemas: [USER],
      userName,
      name: { givenName: 'New', familyName: 'Name' },
    });
    assert.equal(status, 200);
    assert.deepEqual(
      [body.active, body.roles, body[ENTERPRISE], body[ORGDESK]],
      [
        false,
        [{ value: 'EMPLOYEE' }, { value: 'MANAGER' }],
        { department: 'Sales' },
        { bandCode: 'B1', approvalLimit: '0.00', clientType: 'CORPORATE' },
      ],
    );
    assert.deepEqual([body.externalId, body.phoneNumbers, body.addresses], [undefined, undefined, undefined]);
    assert.deepEqual(body.emails, [{ value: userName, type: 'work', primary: true }]);
  });

  it('cannot lose userName or a name', async () => {
    const user = await created();
    for (const wrong of [
      { userName: '' },
      { userName: null },
      { name: { givenName: '', familyName: 'X' } },
      { name: null },
    ]) {
      assertFault(await put(user.id, { ...user, ...wrong }), 400, 'invalidValue');
    }
    for (const path of [
      'userName',
      'name',
      'name.givenName',
      'name.familyName',
      'active',
      `${ENTERPRISE}:department`,
      `${ORGDESK}:bandCode`,
      ENTERPRISE,
      ORGDESK,
    ]) {
      assertFault(await patch(user.id, { op: 'remove', path }), 400, 'mutability');
      assertFault(await patch(user.id, replace(path, null)), 400, 'invalidValue');
    }
    assert.deepEqual(await get(user.id), user);
  });

  it('has a work address of its own as soon as one is sent, and the userName until then', async () => {
    const { id, userName } = await created({ emails: undefined });
    const addresses = async () => {
      const user = await get(id);
      return [user.userName, user.emails[0].value];
    };
    assert.deepEqual(await addresses(), [userName, userName]);
    await patch(id, replace('userName', 'second@people.example'));
    assert.deepEqual(await addresses(), ['second@people.example', 'second@people.example']);
    await patch(id, replace('emails[type eq "work"].value', 'Work@people.example'));
    await patch(id, replace('userName', 'third@people.example'));
    assert.deepEqual(await addresses(), ['third@people.example', 'Work@people.example']);
    await patch(id, { op: 'remove', path: 'emails' });
    assert.deepEqual(await addresses(), ['third@people.example', 'third@people.example']);
  });

  it('keeps the old phone where the new one is none', async () => {
    const { id } = await created({ phoneNumbers: [{ value: '+91 98450 00001', type: 'mobile' }] });
    const { body } = await patch(id, replace('phoneNumbers', [{ value: 'ext. 12', type: 'work' }]));
    assert.deepEqual(body.phoneNumbers, [{ value: '+91 98450 00001', type: 'mobile' }]);
  });
});

describe('a patch', () => {
  it('is refused where it says nothing, or nothing that there is', async () => {
    const { id } = await created();
    for (const [operations, scimType] of [
      [[], 'invalidSyntax'],
      [[{ op: 'move', path: 'active', value: true }], 'invalidSyntax'],
      [[{ op: 'remove' }], 'noTarget'],
      [[{ op: 'replace', path: 'active' }], 'invalidValue'],
      [[{ op: 'replace', value: 'x' }], 'invalidValue'],
      [[replace('nonsense', 1)], 'invalidPath'],
      [[replace('name.nonsense', 1)], 'invalidPath'],
      [[replace('emails[type eq "work"', 1)], 'invalidPath'],
      [[replace('emails[nonsense eq "x"].value', 'a@b.example')], 'invalidPath'],
      [[replace('emails[type pr and].value', 'a@b.example')], 'invalidFilter'],
      [[replace('emails[type co "home"].value', 'a@b.example')], 'noTarget'],
      [[replace('userName[type eq "x"]', 'a@b.example')], 'invalidPath'],
      [[replace('id', randomUUID())], 'mutability'],
      [[replace('meta.version', 'x')], 'mutability'],
    ] as const) {
      assertFault(await directory.send('PATCH', `/Users/${id}`, patchOf(...operations)), 400, scimType);
    }
    assertFault(
      await directory.send('PATCH', `/Users/${id}`, { Operations: [replace('active', true)] }),
      400,
      'invalidSyntax',
    );
  });

  it('leaves one change in the trail, by the key', async () => {
    const { id } = await created();
    const before = (await trailOf(api, id)).length;
    const { status } = await patch(
      id,
      replace('name.givenName', 'Trail'),
      replace('externalId', 'trail'),
      replace('active', 'False'),
    );
    assert.equal(status, 200);
    const rows = (await trailOf(api, id)).slice(before);
    assert.deepEqual(
      rows.map(({ fields, actor, action }) => [action, fields, actor]),
      [['changed', ['firstName', 'active', 'externalId'], `key ${directory.keyId}`]],
    );
  });
});

describe('the rules about people', () => {
  it('protect the sign-in of those who hold a platform role, or a role elsewhere', async () => {
    const superAdmin = await addPerson(api.db, { company, systemRole: { role: 'SUPER_ADMIN', active: true } });
    const elsewhere = await addPerson(api.db, { company, roles: [['MANAGER', other.company]] });
    for (const { id } of [superAdmin, elsewhere]) {
      assertFault(await patch(id, replace('active', false)), 403);
      assertFault(await patch(id, replace('userName', 'new@people.example')), 403);
      assertFault(await directory.send('DELETE', `/Users/${id}`), 403);
      assert.equal((await patch(id, replace('name.givenName', 'Else'))).status, 200);
      assert.equal((await get(id)).active, true);
    }
  });

  it('leave the last admin of the company active, by whatever way', async () => {
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

describe('versions', () => {
  it('are honoured in If-Match and If-None-Match, and change with every change', async () => {
    const { id, meta } = await created();
    const url = `/Users/${id}`;
    const read = await directory.send('GET', url);
    assert.equal(read.headers.etag, meta.version);
    assert.equal(
      (await directory.send('GET', url, undefined, { 'if-none-match': `"x", W/${meta.version}` })).status,
      304,
    );
    const changed = await directory.send('PATCH', url, patchOf(replace('name.givenName', 'One')), {
      'if-match': meta.version,
    });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.etag, meta.version);
    assert.equal((await directory.send('GET', url, undefined, { 'if-none-match': meta.version })).status, 200);
    const late = { 'if-match': meta.version };
    assertFault(await directory.send('PATCH', url, patchOf(replace('name.givenName', 'Two')), late), 412);
    assertFault(await directory.send('PUT', url, changed.body, late), 412);
    assertFault(await directory.send('DELETE', url, undefined, late), 412);
    assert.deepEqual(await get(id), changed.body);
    assert.equal(
      (await directory.send('DELETE', url, undefined, { 'if-match': String(changed.headers.etag) })).status,
      204,
    );
  });
});

describe('lists', () => {
  it('come in pages, with the attributes that are asked for', async () => {
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
