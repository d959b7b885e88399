import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import type { ProfileView } from '../../src/features/profile/profile-schemas.ts';
import { assertInvalid, assertRefused, dataOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { describeChange, openAdministration, personFields } from './administration.ts';

const administration = await openAdministration();
const { api, home, other, superAdmin, admin, get, post, add, changesOf, withoutTrace } = administration;
after(() => administration[Symbol.asyncDispose]());

const NONE = {
  employeeNumber: null,
  jobTitle: null,
  costCenter: null,
  managerId: null,
  startDate: null,
  endDate: null,
};
const EMPLOYED: object = { employeeNumber: 'E-1', jobTitle: 'Engineer', costCenter: 'CC-1', startDate: '2024-01-01' };

interface Leaves {
  people: number;
  departments: { id: string; name: string }[];
  policies: { id: string; name: string }[];
  approves: { id: string; name: string }[];
  keys: number;
  substitutes: number;
  others: object[];
}

interface User extends Person {
  leaves?: Leaves;
  manager: { id: string; firstName: string; lastName: string } | null;
  externalId: string | null;
  works: boolean;
  employment: Record<keyof typeof NONE, string | null> & {
    manager: { id: string; firstName: string; lastName: string } | null;
  };
}

const userOf = (response: LightMyRequestResponse) => dataOf<User>(response);
const update = (id: string, fields: object, as = admin) => post(as, 'users/update', { id, ...fields });
const employ = (id: string, employment: object, as = admin) => update(id, { employment }, as);
const list = async (query: Record<string, string>) =>
  dataOf<User[]>(await get(admin, 'users/list', { companyId: home.id, ...query }));

describe('employment', () => {
  it('employment fields are null by default, and the users operations write and read each of them', async () => {
    const manager = await add();
    const bare = userOf(await post(admin, 'users/create', personFields(home)));
    assert.deepEqual([bare.employment, bare.works, bare.externalId], [{ ...NONE, manager: null }, true, null]);
    const employment: object = { ...EMPLOYED, managerId: manager.id };
    const body = { ...personFields(home), externalId: 'hr-1', employment };
    const created = userOf(await post(admin, 'users/create', body));
    const who = { id: manager.id, firstName: 'Ana', lastName: 'Rao' };
    assert.deepEqual(created.employment, { ...NONE, ...employment, manager: who });
    assert.deepEqual([created.manager, bare.manager], [who, null]);
    assert.deepEqual(userOf(await post(admin, 'users/create', body)), created, 'a repeated create is the same');
    const roleSources = [{ companyId: home.id, role: 'EMPLOYEE', byHand: true, groups: [] }];
    assert.deepEqual(userOf(await get(admin, 'users/get', { id: created.id })), { ...created, roleSources });
    const [listed] = await list({ employeeNumber: 'e-1' });
    assert.deepEqual([listed?.employment, listed?.works, listed?.externalId], [created.employment, true, 'hr-1']);
    assert.deepEqual(listed?.manager, who);
    const changed = userOf(await employ(created.id, { jobTitle: ' Lead ', managerId: null }));
    assert.deepEqual(changed.employment, { ...created.employment, jobTitle: 'Lead', managerId: null, manager: null });
  });

  it('users/update records employment fields in the trail and the feed as fields of the person', async () => {
    const { id } = await add();
    const [change] = await changesOf(() => employ(id, { employeeNumber: 'E-trail', costCenter: 'CC-9' }));
    assert.ok(change);
    assert.deepEqual(describeChange(change).fields, { employeeNumber: [null, 'E-trail'], costCenter: [null, 'CC-9'] });
  });

  it('users/profile returns employment only on request', async () => {
    const { id, email } = await add({ roles: [['EMPLOYEE', home]] });
    userOf(await employ(id, { jobTitle: 'Driver' }));
    const plain = dataOf<object>(await api.send({ url: '/api/users/profile', as: email }));
    const whole = userOf(await api.send({ url: '/api/users/profile?include=employment', as: email }));
    const { employment, manager, ...rest } = whole;
    assert.deepEqual([plain, employment.jobTitle, manager], [rest, 'Driver', null]);
    assertInvalid(await api.send({ url: '/api/users/profile?include=all', as: email }), 'include');
  });

  it('users/profile returns the currency of the company on request, by default that of the service', async () => {
    const { email } = await add({ roles: [['EMPLOYEE', home]] });
    const plain = await api.send({ url: '/api/users/profile', as: email });
    const currencyOf = async () => {
      const response = await api.send({ url: '/api/users/profile?include=company', as: email });
      const { company, ...rest } = dataOf<ProfileView & { company: { currency: string; brand: object } }>(response);
      const { currency, brand, ...same } = company;
      assert.deepEqual(brand, {});
      assert.deepEqual({ ...rest, company: same }, dataOf(plain));
      assert.equal(response.headers.etag, plain.headers.etag);
      return currency;
    };
    assert.equal(await currencyOf(), 'INR');
    await post(superAdmin, 'companies/update', { id: home.id, currency: 'JPY' });
    assert.equal(await currencyOf(), 'JPY');
    await post(superAdmin, 'companies/update', { id: home.id, currency: null });
  });

  it('users/list finds people by exact e-mail address, employee number, external id and manager', async () => {
    const manager = await add();
    const fields = { externalId: 'Ext-7', employment: { employeeNumber: 'N-7', managerId: manager.id } };
    const one = userOf(await post(admin, 'users/create', { ...personFields(home), ...fields }));
    for (const query of [
      { email: one.email.toUpperCase() },
      { employeeNumber: 'n-7' },
      { externalId: 'Ext-7' },
      { managerId: manager.id },
    ]) {
      assert.deepEqual(
        (await list(query)).map(({ id }) => id),
        [one.id],
        String(Object.keys(query)),
      );
    }
    assert.deepEqual([await list({ externalId: 'ext-7' }), await list({ email: 'one' })], [[], []]);
  });

  it('users/create and users/update return 409 for an employee number or external id of a colleague', async () => {
    const [one, another] = [await add(), await add()];
    userOf(await update(one.id, { externalId: 'x-1', employment: { employeeNumber: 'U-1' } }));
    const taken = await withoutTrace(() => employ(another.id, { employeeNumber: 'u-1' }));
    assertRefused(taken, 409, 'ALREADY_EXISTS', ['employment.employeeNumber']);
    assertRefused(await update(another.id, { externalId: 'x-1' }), 409, 'ALREADY_EXISTS', ['externalId']);
    const create = { ...personFields(home), employment: { employeeNumber: 'U-1' } };
    assertRefused(await post(admin, 'users/create', create), 409, 'ALREADY_EXISTS', ['employment.employeeNumber']);
    const elsewhere = { ...personFields(other), externalId: 'x-1', employment: { employeeNumber: 'U-1' } };
    assert.equal(userOf(await post(superAdmin, 'users/create', elsewhere)).externalId, 'x-1');
  });

  it('users/update returns 400 for unknown employment fields, wrong values, and days in the wrong order', async () => {
    const { id } = await add();
    for (const [employment, field] of [
      [{ number: '1' }, 'employment.number'],
      [{ employeeNumber: 'x'.repeat(51) }, 'employment.employeeNumber'],
      [{ startDate: '2023-02-29' }, 'employment.startDate'],
      [{ startDate: '2024-02-02', endDate: '2024-02-01' }, 'employment.endDate'],
      [{ managerId: 'nobody' }, 'employment.managerId'],
      [null, 'employment'],
      [[], 'employment'],
    ] as const) {
      assertInvalid(await post(admin, 'users/update', { id, employment }), field);
    }
  });

  it('users/update returns 400 alike for a manager of another company and an unknown manager', async () => {
    const [{ id }, foreign] = [await add(), await add({ company: other })];
    for (const managerId of [foreign.id, randomUUID()]) {
      assertInvalid(await employ(id, { managerId }), 'employment.managerId');
    }
  });

  it('users/update returns 409 for a circle of managers of any length', async () => {
    const [a, b, c] = [await add(), await add(), await add()];
    userOf(await employ(a.id, { managerId: b.id }));
    userOf(await employ(b.id, { managerId: c.id }));
    for (const managerId of [a.id, b.id, c.id]) {
      const refused = await withoutTrace(() => employ(c.id, { managerId }));
      const { message } = assertRefused(refused, 409, 'CIRCLE', ['employment.managerId']);
      assert.match(message, /nor one below it: (.+) → (?:.+ → )?\1/);
    }
    // Turned round at once: what is in between does not matter.
    const turn = [
      { id: a.id, employment: { managerId: null } },
      { id: b.id, employment: { managerId: a.id } },
      { id: c.id, employment: { managerId: b.id } },
    ];
    const body = { companyId: home.id, update: [turn[1], turn[2], turn[0]] };
    assert.equal((await post(admin, 'users/save', body)).statusCode, 200);
    const bent = { companyId: home.id, update: [{ id: a.id, employment: { managerId: c.id } }] };
    assertRefused(await post(admin, 'users/save', bent), 409, 'CIRCLE', ['update[0].employment.managerId']);
  });

  it('two simultaneous users/update requests cannot form a circle of managers', async () => {
    const [a, b, c, d] = [await add(), await add(), await add(), await add()];
    userOf(await employ(b.id, { managerId: c.id }));
    userOf(await employ(d.id, { managerId: a.id }));
    const statuses = (await Promise.all([employ(a.id, { managerId: b.id }), employ(c.id, { managerId: d.id })])).map(
      ({ statusCode }) => statusCode,
    );
    assert.deepEqual(statuses.toSorted(), [200, 409]);
  });

  it('users/save accepts a new person as the manager of another new person', async () => {
    const [boss, worker] = [personFields(home), personFields(home)];
    const create = [{ ...worker, employment: { managerId: boss.id } }, boss].map(({ companyId: _, ...one }) => one);
    assert.equal((await post(admin, 'users/save', { companyId: home.id, create })).statusCode, 200);
    const { employment } = userOf(await get(admin, 'users/get', { id: worker.id }));
    assert.equal(employment.manager?.id, boss.id);
  });

  it('people before their first day or after their last day get 401, like deactivated people', async () => {
    const { id, email } = await add();
    const profile = () => api.send({ url: '/api/users/profile', as: email });
    for (const days of [
      { startDate: '2999-01-01', endDate: null },
      { startDate: null, endDate: '2000-01-01' },
    ]) {
      const user = userOf(await employ(id, days));
      assert.deepEqual([user.works, (user as unknown as { active: boolean }).active], [false, true]);
      assertRefused(await profile(), 401, 'INVALID_TOKEN');
    }
    assert.equal(userOf(await employ(id, { startDate: '2000-01-01', endDate: '2999-01-01' })).works, true);
    assert.equal((await profile()).statusCode, 200);
  });

  it('users/update refuses an end date for the last admin, and for a protected person by an admin', async () => {
    const past = { endDate: '2000-01-01' };
    assertRefused(await employ(admin.id, past), 409, 'LAST_ADMIN');
    const guestAdmin = await add({ roles: [['CORPORATE_ADMIN', other]] });
    assertRefused(await employ(guestAdmin.id, past), 403, 'PROTECTED_USER');
    const second = await add({ roles: [['CORPORATE_ADMIN', home]], columns: { start_date: '2999-01-01' } });
    assertRefused(await employ(admin.id, past), 409, 'LAST_ADMIN');
    userOf(await employ(second.id, { startDate: null }));
    const end = (endDate: string | null) => employ(admin.id, { endDate }, superAdmin);
    assert.equal(userOf(await end('2000-01-01')).works, false);
    assert.equal(userOf(await end(null)).works, true);
  });
});

describe('what a person leaves behind', () => {
  const NOTHING: Leaves = {
    people: 0,
    departments: [],
    policies: [],
    approves: [],
    keys: 0,
    substitutes: 0,
    others: [],
  };
  const policy = async (name: string, levels: object[], fields: object = {}) => {
    const body = { companyId: home.id, name, levels, ...fields };
    return dataOf<{ id: string }>(await post(admin, 'approval-policies/create', body)).id;
  };

  it('users/update returns what a deactivated person leaves behind, and users/get does on request', async () => {
    const roles = [
      ['MANAGER', home],
      ['CORPORATE_ADMIN', home],
    ] as const;
    const leaver = await add({ roles, columns: { approval_limit: '9000000.00' } });
    const [worker, gone, away] = [await add(), await add({ columns: { active: false } }), await add()];
    for (const { id } of [worker, gone]) userOf(await employ(id, { managerId: leaver.id }));
    const headed = { companyId: home.id, name: 'Led', costCode: 'LED', headId: leaver.id };
    const { id: departmentId } = dataOf<{ id: string }>(await post(admin, 'departments/create', headed));
    dataOf(
      await post(admin, 'cost-centers/create', { companyId: home.id, name: 'Owned', code: 'OWN', ownerId: leaver.id }),
    );
    dataOf(await post(admin, 'groups/create', { companyId: home.id, name: 'Board', userIds: [leaver.id] }));
    await add({ columns: { worker_type: 'GUEST', host_id: leaver.id } });
    const level = (roleRequired: string, minAmount = '0.00') => ({ level: 1, roleRequired, minAmount });
    const only = await policy('Managers', [level('MANAGER')]);
    await policy('Managers of before', [level('MANAGER')], { scope: { active: false } });
    await policy('Line', [level('LINE_MANAGER')]);
    const higher = await policy('Admins', [level('CORPORATE_ADMIN')]);
    const named = { userIds: [(await add()).id, leaver.id] };
    const asked = await policy('Asked', [level('EMPLOYEE')], { defaultApprovers: named, scope: { active: false } });
    const signed = await policy(
      'Signed',
      [1, 2].map((each) => ({ level: each, minAmount: '0.00', approver: named })),
      {
        scope: { priority: 1 },
      },
    );
    dataOf(
      await post(admin, 'users/set-substitute', {
        userId: away.id,
        substituteId: leaver.id,
        from: '2020-01-01',
        until: '2999-01-01',
      }),
    );
    dataOf(await post(leaver, 'api-keys/create', { companyId: home.id, name: 'Theirs', scopes: ['users.read'] }));
    const expected: Leaves = {
      people: 1,
      departments: [{ id: departmentId, name: 'Led' }],
      // Other Corporate Admins may approve less.
      policies: [
        { id: higher, name: 'Admins' },
        { id: only, name: 'Managers' },
        { id: signed, name: 'Signed' },
      ],
      approves: [
        { id: asked, name: 'Asked' },
        { id: signed, name: 'Signed' },
      ],
      keys: 1,
      substitutes: 1,
      others: [
        { entity: 'costCenter', field: 'ownerId', count: 1 },
        { entity: 'group', field: 'userIds', count: 1 },
        { entity: 'user', field: 'hostId', count: 1 },
      ],
    };
    const before = userOf(await get(admin, 'users/get', { id: leaver.id, include: 'leaves' }));
    assert.deepEqual(before.leaves, expected);
    assert.equal(userOf(await get(admin, 'users/get', { id: leaver.id })).leaves, undefined);
    assert.deepEqual(userOf(await update(leaver.id, { active: false })).leaves, expected);
    const back = userOf(await update(leaver.id, { active: true }));
    assert.equal(back.leaves, undefined);
    assert.deepEqual(userOf(await employ(leaver.id, { endDate: '2001-01-01' })).leaves, expected);
    assert.deepEqual(userOf(await update(worker.id, { active: false })).leaves, NOTHING);
  });

  it('users/get returns no information about what a guest would leave behind', async () => {
    const guest = await add({ company: other, roles: [['MANAGER', home]] });
    assert.equal(userOf(await get(admin, 'users/get', { id: guest.id, include: 'leaves' })).leaves, undefined);
    assertInvalid(await get(admin, 'users/get', { id: guest.id, include: 'all' }), 'include');
  });
});

describe('departments as a tree', () => {
  it('departments return their parent, head and people, with and without departments below', async () => {
    const head = await add();
    interface Shown {
      id: string;
      parentId?: string | null;
      head?: { id: string } | null;
      people: object;
    }
    const make = async (fields: object) =>
      dataOf<Shown>(await post(admin, 'departments/create', { companyId: home.id, ...fields })).id;
    const top = await make({ name: 'Tree top', costCode: 'TT', headId: head.id });
    const middle = await make({ name: 'Tree middle', costCode: 'TM', parentId: top });
    const leaf = await make({ name: 'Tree leaf', costCode: 'TL', parentId: middle });
    for (const departmentId of [top, leaf, leaf]) await add({ columns: { department_id: departmentId } });
    const response = await get(admin, 'departments/get', { id: top });
    const who = { id: head.id, firstName: 'Ana', lastName: 'Rao' };
    const whole = dataOf<Shown>(response);
    assert.deepEqual([whole.people, whole.head], [{ own: 1, withBelow: 3 }, who]);
    await add({ columns: { department_id: leaf } });
    const renamed = await post(
      admin,
      'departments/update',
      { id: top, name: 'Tree' },
      { 'if-match': String(response.headers.etag) },
    );
    assert.deepEqual(dataOf<Shown>(renamed).people, { own: 1, withBelow: 4 }, 'the tag does not cover the people');
    const listed = async (query: Record<string, string>) =>
      dataOf<Shown[]>(await get(admin, 'departments/list', { companyId: home.id, search: 'tree', ...query }));
    const plain = await listed({});
    assert.deepEqual(
      (await listed({ include: 'structure' })).map(({ id, parentId, head: shown }) => [id, parentId, shown]),
      [
        [top, null, who],
        [leaf, middle, null],
        [middle, top, null],
      ],
    );
    assert.ok(plain.every((item) => !('parentId' in item) && !('head' in item)));
    const people = (below: string) => list({ departmentId: top, below }).then(({ length }) => length);
    assert.deepEqual([await people('false'), await people('true')], [1, 4]);
  });

  const create = async (fields: object) =>
    dataOf<{ id: string }>(await post(admin, 'departments/create', { companyId: home.id, name: 'D', ...fields })).id;
  const move = (id: string, parentId: string | null) => post(admin, 'departments/update', { id, parentId });

  it('departments refuse circles, more than ten levels, and deletion while others are below', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 10; at++) ids.push(await create({ costCode: `L${at}`, parentId: ids.at(-1) ?? null }));
    const [top = '', second = ''] = ids;
    const deep = { companyId: home.id, name: 'D', costCode: 'L10', parentId: ids.at(-1) };
    assertInvalid(await post(admin, 'departments/create', deep), 'parentId');
    for (const parentId of [top, second, ids.at(-1) ?? '']) {
      assertRefused(await withoutTrace(() => move(top, parentId)), 409, 'CIRCLE', ['parentId']);
    }
    assertInvalid(await move(top, await create({ costCode: 'NEW' })), 'parentId');
    assertInvalid(await move(top, other.departmentId), 'parentId');
    assertRefused(await post(admin, 'departments/delete', { id: top }), 409, 'IN_USE');
    assert.equal((await move(second, null)).statusCode, 200);
    assert.equal((await post(admin, 'departments/delete', { id: top })).statusCode, 200);
  });
});
