import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { DepartmentView } from '../../src/features/departments/departments-operations.ts';
import { pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { COMPANY_LISTS } from '../support/list-paths.ts';
import { testListSearch } from '../support/list-search-tests.ts';
import type { ListedItem, PagedList } from '../support/paged-list.ts';
import { testPagedList } from '../support/paged-list-tests.ts';
import { addPerson, companyNamed } from '../support/people.ts';
import { insertRow, uuid } from '../support/rows.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const acme = await companyNamed(api.db, 'Acme');

for (const [number, name, costCode] of [
  [103, 'Twin', 'TWN-3'],
  [101, 'TWÍN', 'TWN-1'],
  [102, 'twin', 'TWN-2'],
  [104, 'Percent', '100%'],
  [105, '50_50 Split', 'SPL'],
  [106, 'Slashes', 'Back\\slash'],
] as const) {
  const row = { id: uuid(number), company_id: acme.id, name, cost_code: costCode, budget: '9999999999999.99' };
  await insertRow(api.db, 'departments', row);
}
const items = await api.db.query<ListedItem>(sql`
  select id, name, json_build_array(name, cost_code) as texts from departments where company_id = ${acme.id}`);
const list: PagedList = {
  name: 'departments/list',
  url: COMPANY_LISTS['departments list'],
  message: 'Departments retrieved successfully',
  as: 'admin@acme.example',
  query: { companyId: acme.id },
  index: 'departments_order',
  items,
};
testPagedList(api, list);
testListSearch(api, list);

const get = async (query: Record<string, string> = {}) =>
  pageOf<DepartmentView>(
    await api.send({ url: list.url, as: list.as, query: { companyId: acme.id, limit: '100', ...query } }),
  ).items;
const names = async (search: string) => (await get({ search })).map(({ name }) => name);

describe('departments list: items', () => {
  it('departments/list returns exactly the documented fields, the budget as a decimal text', async () => {
    for (const department of await get()) {
      assert.deepEqual(Object.keys(department).sort(), ['_count', 'budget', 'costCode', 'id', 'name']);
      assert.deepEqual(Object.keys(department._count), ['users']);
      assert.match(department.budget ?? '', /^\d+\.\d{2}$/);
    }
    assert.equal((await get({ search: 'percent' }))[0]?.budget, '9999999999999.99');
  });

  it('departments/list returns the values of the database, and counts every user, deactivated ones too', async () => {
    const company = { ...acme, departmentId: uuid(104) };
    await addPerson(api.db, { company });
    await addPerson(api.db, { company, columns: { active: false } });
    const expected = await api.db.query(sql`
      select departments.id, name, budget::text, cost_code as "costCode",
             json_build_object('users', coalesce(people.count, 0)) as "_count"
        from departments
        left join (select department_id, count(*) from users group by 1) people on people.department_id = departments.id
       where company_id = ${acme.id}
       order by fold(name) collate "C", departments.id`);
    const departments = await get();
    assert.deepEqual(departments, [...expected]);
    assert.deepEqual(departments.find(({ id }) => id === uuid(104))?._count, { users: 2 });
    assert.ok(
      departments.some(({ _count }) => _count.users === 0) && departments.some(({ _count }) => _count.users > 5),
    );
  });

  it('departments/list sorts departments of the same name by id', async () => {
    assert.deepEqual(
      (await get({ search: 'twin' })).map(({ id }) => id),
      [uuid(101), uuid(102), uuid(103)],
    );
  });
});

describe('departments list: search', () => {
  for (const [needle, found] of [
    ['CAFE & fac', ['Café & Facilities']],
    ['production,  pune', ['Production, Pune Plant']],
    ['qa-1200', ['Quality Assurance']],
    ['QA-12', ['Quality Assurance']],
    ['hr-', ['Human Resources']],
    ['1200', ['Quality Assurance']],
    ['twn-', ['TWÍN', 'twin', 'Twin']],
    ['human resources hr', []],
    ['9999999999999.99', []],
  ] as const) {
    it(`departments/list with the search ${JSON.stringify(needle)} finds ${found.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(await names(needle), found);
    });
  }
});
