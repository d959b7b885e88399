import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { NewApiKeyView } from '../../src/features/api-keys/api-keys-schemas.ts';
import type { ChangedPersonView, ListedUserView, PersonView } from '../../src/features/people/users-schemas.ts';
import { assertRefused, dataOf, pageOf } from '../support/answers.ts';
import type { Person } from '../support/people.ts';
import { openAdministration } from './administration.ts';

const administration = await openAdministration();
const { api, home, other, superAdmin, admin, foreignAdmin, get, post, add, addCompany } = administration;
after(() => administration[Symbol.asyncDispose]());

const third = await addCompany();
const manager = await add({ roles: [['MANAGER', home]] });
const guest = await add({
  company: other,
  roles: [
    ['MANAGER', home],
    ['EMPLOYEE', home],
    ['EMPLOYEE', other],
    ['MANAGER', third],
  ],
  systemRole: { role: 'PLATFORM_RM', active: true },
  columns: { first_name: 'Gita', approval_limit: '5.00', updated_at: '2026-03-01T00:00:00.000Z' },
});
const away = await add({
  company: third,
  roles: [['EMPLOYEE', home]],
  columns: { first_name: 'Anand', active: false, approval_limit: '1.00', updated_at: '2026-02-01T00:00:00.000Z' },
});
// Neither lives here, nor holds a role here.
const stranger = await add({ company: other, roles: [['MANAGER', third]] });

/** Every field of a person, of whom nothing is known but this. */
async function guestOf(known: object): Promise<{ roleSources?: unknown }> {
  const whole = dataOf<PersonView>(await get(superAdmin, 'users/get', { id: superAdmin.id }));
  return { ...Object.fromEntries(Object.keys(whole).map((name) => [name, null])), ...known };
}

const IDENTITY = { id: guest.id, email: guest.email, firstName: 'Gita', lastName: 'Rao', active: true };

/** A key of the company that may read people. */
async function keyOf(companyId: string | null): Promise<string> {
  const key = { name: randomUUID(), scopes: ['users.read'], ...(companyId === null ? {} : { companyId }) };
  return dataOf<NewApiKeyView>(await post(superAdmin, 'api-keys/create', key)).key;
}

function byKey(key: string, path: string, query: Record<string, string>) {
  return api.send({ url: `/api/${path}`, query, headers: { authorization: `Bearer ${key}` } });
}

async function rolesHeld({ id }: { id: string }) {
  const roles = await api.db.query<{ id: string; companyId: string; role: string }>(sql`
    select id, company_id as "companyId", role from company_roles where user_id = ${id} order by role`);
  return roles.filter(({ companyId }) => companyId === home.id);
}

describe('the list of guests', () => {
  const list = (query: Record<string, string> = {}, as = admin) =>
    get(as, 'users/list', { companyId: home.id, guests: 'true', ...query });
  const names = async (query: Record<string, string> = {}) =>
    pageOf<ListedUserView>(await list(query)).items.map(({ firstName }) => firstName);

  it('users/list with guests=true returns people of other companies with a role, and hides private fields', async () => {
    for (const as of [admin, manager, superAdmin]) {
      const { items, pagination } = pageOf<ListedUserView>(await list({}, as));
      const hidden = {
        phone: null,
        approvalLimit: null,
        department: null,
        band: null,
        externalId: null,
        works: null,
        employment: null,
        manager: null,
        workEmail: null,
        workerType: null,
        lastSignInAt: null,
        updatedAt: null,
      };
      assert.deepEqual(items, [
        {
          id: away.id,
          email: away.email,
          firstName: 'Anand',
          lastName: 'Rao',
          active: false,
          roles: ['EMPLOYEE'],
          ...hidden,
        },
        { ...IDENTITY, roles: ['EMPLOYEE', 'MANAGER'], ...hidden },
      ]);
      assert.equal(pagination.totalItems, 2);
    }
  });

  it('users/list without guests=true returns only people of the company', async () => {
    for (const query of [{}, { guests: 'false' }] as Record<string, string>[]) {
      const { items, pagination } = pageOf<ListedUserView>(
        await get(admin, 'users/list', { companyId: home.id, ...query }),
      );
      assert.deepEqual(items.map(({ id }) => id).sort(), [admin.id, manager.id].sort());
      assert.equal(pagination.totalItems, 2);
      assert.ok(items.every(({ department, band, updatedAt }) => department && band && updatedAt));
    }
  });

  it('users/list with guests=true searches, filters, sorts and pages as for other people', async () => {
    assert.deepEqual(await names({ search: 'GITA' }), ['Gita']);
    assert.deepEqual(await names({ search: away.email }), ['Anand']);
    assert.deepEqual(await names({ search: 'nobody of this name' }), []);
    assert.deepEqual(await names({ role: 'MANAGER' }), ['Gita']);
    assert.deepEqual(await names({ role: 'CORPORATE_ADMIN' }), []);
    assert.deepEqual(await names({ activeOnly: 'true' }), ['Gita']);
    assert.deepEqual(await names({ inactiveOnly: 'true' }), ['Anand']);
    assert.deepEqual(await names({ sort: 'name' }), ['Anand', 'Gita']);
    assert.deepEqual(await names({ sort: '-name' }), ['Gita', 'Anand']);
    assert.deepEqual(await names({ limit: '1', page: '2' }), ['Gita']);
    for (const [query, total] of [
      [{ limit: '1' }, 2],
      [{ role: 'MANAGER' }, 1],
      [{ search: 'a', limit: '1' }, 2],
    ] as [Record<string, string>, number][]) {
      assert.equal(pageOf(await list(query)).pagination.totalItems, total);
    }
  });

  it('users/list with guests=true neither sorts nor filters by hidden values', async () => {
    const byId = [guest, away].map(({ id }) => id).sort();
    for (const sort of ['approvalLimit', '-approvalLimit', 'updatedAt', '-updatedAt']) {
      for (const search of ['', 'rao']) {
        const { items } = pageOf<ListedUserView>(await list({ sort, search }));
        assert.deepEqual(
          items.map(({ id }) => id),
          byId,
          sort,
        );
      }
    }
    assert.deepEqual(await names({ departmentId: other.departmentId }), []);
    assert.deepEqual(await names({ bandId: other.bandId }), []);
  });

  it('users/list with guests=true is open to keys of the company, and closed to other companies', async () => {
    const query = { companyId: home.id, guests: 'true' };
    for (const companyId of [home.id, null]) {
      assert.equal(pageOf(await byKey(await keyOf(companyId), 'users/list', query)).items.length, 2);
    }
    assertRefused(await byKey(await keyOf(other.id), 'users/list', query), 403, 'COMPANY_FORBIDDEN');
    assertRefused(await list({}, foreignAdmin), 403, 'COMPANY_FORBIDDEN');
  });
});

describe('a guest', () => {
  const read = (as: Person, person = guest) => get(as, 'users/get', { id: person.id });

  it('users/get returns the identity of a guest and their roles here to admins, managers and keys', async () => {
    const companyRoles = await rolesHeld(guest);
    const roles = ['EMPLOYEE', 'MANAGER'];
    const roleSources = roles.map((role) => ({ companyId: home.id, role, byHand: true, groups: [] }));
    const expected = await guestOf({ ...IDENTITY, companyRoles, roles, roleSources });
    for (const as of [admin, manager]) assert.deepEqual(dataOf(await read(as)), expected);
    assert.deepEqual(dataOf(await byKey(await keyOf(home.id), 'users/get', { id: guest.id })), expected);
  });

  it('users/get returns all fields of a guest to the admin of their own company and to a Super Admin', async () => {
    const whole = dataOf<PersonView>(await read(superAdmin));
    assert.equal(whole.companyRoles.length, 4);
    assert.equal(whole.systemRoleMap?.role, 'PLATFORM_RM');
    assert.deepEqual(dataOf(await read(foreignAdmin)), whole);
  });

  it('users/get returns 404 for a person without a role in the company', async () => {
    const unknown = assertRefused(await read(admin, { ...guest, id: randomUUID() }), 404, 'NOT_FOUND');
    assert.equal(assertRefused(await read(admin, stranger), 404, 'NOT_FOUND').message, unknown.message);
    assertRefused(await read(foreignAdmin, away), 404, 'NOT_FOUND');
    assertRefused(await byKey(await keyOf(other.id), 'users/get', { id: away.id }), 404, 'NOT_FOUND');
  });

  it('users/get gives a guest an ETag of the visible fields, which hidden changes do not alter', async () => {
    const [shown, whole] = [await read(admin), await read(foreignAdmin)];
    assert.notEqual(shown.headers.etag, whole.headers.etag);
    const change = (fields: object) => post(superAdmin, 'users/update', { id: guest.id, ...fields });
    dataOf(await change({ approvalLimit: '6.00' }));
    assert.equal((await read(admin)).headers.etag, shown.headers.etag);
    assert.notEqual((await read(foreignAdmin)).headers.etag, whole.headers.etag);
    dataOf(await change({ lastName: 'Rao-Iyer' }));
    assert.notEqual((await read(admin)).headers.etag, shown.headers.etag);
    dataOf(await change({ lastName: 'Rao' }));
  });

  it('users/get by a key of all companies hides the closed company of a guest', async () => {
    const closed = await addCompany();
    const person = await add({
      company: closed,
      roles: [
        ['EMPLOYEE', home],
        ['MANAGER', closed],
      ],
    });
    dataOf(await post(superAdmin, 'companies/update', { id: closed.id, active: false }));
    const view = dataOf<PersonView>(await byKey(await keyOf(null), 'users/get', { id: person.id }));
    assert.deepEqual([view.companyId, view.roles], [null, ['EMPLOYEE']]);
    assert.equal(dataOf<PersonView>(await read(superAdmin, person)).companyId, closed.id);
  });

  it('the admin can revoke the roles of a guest in the company, and change nothing else', async () => {
    const leaving = await add({
      company: other,
      roles: [
        ['MANAGER', home],
        ['EMPLOYEE', home],
        ['MANAGER', other],
      ],
    });
    const change = { userId: leaving.id, companyId: home.id };
    assertRefused(await post(admin, 'users/update', { id: leaving.id, phone: '+91 98450 54321' }), 404, 'NOT_FOUND');
    assertRefused(await post(admin, 'users/update', { id: leaving.id, active: false }), 404, 'NOT_FOUND');
    assertRefused(await post(admin, 'users/grant-role', { ...change, role: 'CORPORATE_ADMIN' }), 404, 'NOT_FOUND');
    const identity = { id: leaving.id, email: leaving.email, firstName: 'Ana', lastName: 'Rao', active: true };
    for (const [role, roles] of [
      ['MANAGER', ['EMPLOYEE']],
      ['EMPLOYEE', []],
    ] as const) {
      const answer = dataOf<ChangedPersonView>(await post(admin, 'users/revoke-role', { ...change, role }));
      const companyRoles = await rolesHeld(leaving);
      const { roleSources: _, ...shown } = await guestOf({ ...identity, companyRoles, roles, keysMade: 0 });
      assert.deepEqual(answer, shown);
    }
    assertRefused(await read(admin, leaving), 404, 'NOT_FOUND');
    assert.equal(dataOf<PersonView>(await read(foreignAdmin, leaving)).companyRoles.length, 1);
  });
});
