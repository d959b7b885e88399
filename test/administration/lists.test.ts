import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { ListedUserView } from '../../src/features/people/users-schemas.ts';
import { assertInvalid, dataOf, pageOf } from '../support/answers.ts';
import { testListSearch } from '../support/list-search-tests.ts';
import type { ListedItem, PagedList } from '../support/paged-list.ts';
import { testPagedList } from '../support/paged-list-tests.ts';
import { insertRow, uuid } from '../support/rows.ts';
import { NO_EMPLOYMENT, openAdministration } from './administration.ts';

const administration = await openAdministration();
const { api, home, other, admin, get, post, add } = administration;
after(() => administration[Symbol.asyncDispose]());

const NAMES = [
  'Twin',
  'TWÍN',
  'twin',
  '50_50 Split',
  'Slash\\es',
  'Half',
  'Étranger',
  'Tran',
  'Straße',
  'An',
  'Ian',
  'Zoë',
  'Trần',
];
for (const [index, name] of NAMES.entries()) {
  const id = uuid(500 - index);
  const columns = { id, email: `${name === 'Half' ? '100%' : `p${index}`}@people.example` };
  await add({ columns: { ...columns, first_name: name, last_name: 'Rao', active: index % 3 > 0 } });
  const limits = { auto_approval_limit: '5.00', max_booking_limit: null };
  const code = name === 'Half' ? '100%' : `C-${index}`;
  await insertRow(api.db, 'employee_bands', { id, company_id: home.id, name, code, ...limits });
}
// A guest, who lives elsewhere.
await add({ company: other, roles: [['MANAGER', home]], columns: { first_name: 'Twin' } });

const people: PagedList = {
  name: 'users/list',
  url: '/api/users/list',
  message: 'Users retrieved successfully',
  as: admin.email,
  query: { companyId: home.id },
  refusesUnknown: true,
  index: 'users_order',
  items: await api.db.query<ListedItem>(sql`
    select id, first_name || ' ' || last_name as name, json_build_array(first_name || ' ' || last_name, email) as texts
      from users where company_id = ${home.id}`),
};
const bands: PagedList = {
  name: 'bands/list',
  url: '/api/bands/list',
  message: 'Bands retrieved successfully',
  as: admin.email,
  query: { companyId: home.id },
  refusesUnknown: true,
  index: 'employee_bands_order',
  items: await api.db.query<ListedItem>(sql`
    select id, name, json_build_array(name, code) as texts from employee_bands where company_id = ${home.id}`),
};
for (const list of [people, bands]) {
  testListSearch(api, list);
  testPagedList(api, list);
}

describe('users list', () => {
  const list = async (query: Record<string, string> = {}) =>
    pageOf<ListedUserView>(await get(admin, 'users/list', { companyId: home.id, limit: '100', ...query })).items;
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id).sort();

  it('users/list returns exactly the documented fields of a person', async () => {
    const person = await add({
      roles: [
        ['MANAGER', home],
        ['EMPLOYEE', home],
        ['CORPORATE_ADMIN', other],
      ],
      columns: { first_name: 'Listed' },
    });
    const { updatedAt } = dataOf<{ updatedAt: string }>(await get(admin, 'users/get', { id: person.id }));
    const [listed] = await list({ search: 'listed' });
    assert.deepEqual(listed, {
      id: person.id,
      email: person.email,
      firstName: 'Listed',
      lastName: 'Rao',
      phone: '+91 98450 12345',
      active: true,
      approvalLimit: '75000.00',
      department: { id: home.departmentId, name: 'General' },
      band: { id: home.bandId, name: 'Default', code: 'DEFAULT' },
      roles: ['EMPLOYEE', 'MANAGER'],
      externalId: null,
      works: true,
      employment: NO_EMPLOYMENT,
      manager: null,
      workEmail: null,
      workerType: 'EMPLOYEE',
      lastSignInAt: null,
      updatedAt,
    });
  });

  it('users/list filters by department, band, role and active, alone and together', async () => {
    const all = await list();
    const create = async (path: string, fields: object) =>
      dataOf<{ id: string }>(await post(admin, path, { companyId: home.id, ...fields })).id;
    const departmentId = await create('departments/create', { name: 'Sales', costCode: 'S' });
    const bandId = await create('bands/create', { name: 'Top', code: 'T' });
    const inBoth = await add({ roles: [['MANAGER', home]], columns: { department_id: departmentId, band_id: bandId } });
    const inBand = await add({ roles: [['MANAGER', other]], columns: { band_id: bandId, active: false } });
    assert.deepEqual(ids(await list({ departmentId })), [inBoth.id]);
    assert.deepEqual(ids(await list({ bandId })), ids([inBoth, inBand]));
    assert.deepEqual(ids(await list({ bandId, activeOnly: 'true' })), [inBoth.id]);
    assert.deepEqual(ids(await list({ bandId, role: 'MANAGER' })), [inBoth.id]);
    assert.deepEqual(ids(await list({ bandId, search: inBand.email })), [inBand.id]);
    assert.deepEqual(ids(await list({ role: 'CORPORATE_ADMIN' })), [admin.id]);
    assert.deepEqual(await list({ departmentId, role: 'EMPLOYEE' }), []);
    assert.deepEqual(ids(await list({ departmentId: home.departmentId, bandId: home.bandId })), ids(all));
    const active = (await list()).filter((person) => person.active);
    assert.deepEqual(ids(await list({ activeOnly: 'true' })), ids(active));
    assert.deepEqual(ids(await list({ activeOnly: 'false' })), ids(await list()));
    const { pagination } = pageOf(
      await get(admin, 'users/list', { companyId: home.id, activeOnly: 'true', limit: '1' }),
    );
    assert.equal(pagination.totalItems, active.length);
  });

  it('users/list returns nobody for a department or band of another company, or an unknown band', async () => {
    assert.deepEqual(await list({ departmentId: other.departmentId }), []);
    assert.deepEqual(await list({ bandId: other.bandId }), []);
    assert.deepEqual(await list({ bandId: randomUUID() }), []);
  });

  it('users/list returns 400 for a platform role, an unknown role, and a wrong id', async () => {
    for (const role of ['SUPER_ADMIN', 'PLATFORM_RM', 'manager', 'x']) {
      assertInvalid(await get(admin, 'users/list', { companyId: home.id, role }), 'role');
    }
    const wrong = { companyId: home.id, departmentId: '1', bandId: 'x', activeOnly: 'yes', limit: '101' };
    assertInvalid(await get(admin, 'users/list', wrong), 'departmentId', 'bandId', 'activeOnly', 'limit');
  });
});
