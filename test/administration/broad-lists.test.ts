import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { assertInvalid, dataOf, pageOf } from '../support/answers.ts';
import { insertRow } from '../support/rows.ts';
import { openAdministration } from './administration.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { api, addCompany, add, get, post, superAdmin } = administration;

const company = await addCompany();
const companyId = company.id;
const PEOPLE = [
  ['Anil', 'Bose', 'Treasury', '+91 98450 12345', 'E-18', 'CORPORATE_ADMIN'],
  ['Helena', 'Brandt', 'Finance', '+353 (1) 555-0199', 'Q-17', 'MANAGER'],
  ['Brandt', 'Olsen', 'Sales', null, null, 'EMPLOYEE'],
] as const;
const people = await Promise.all(
  PEOPLE.map(([first, last, , phone, number, role]) => {
    const columns = { first_name: first, last_name: last, phone, employee_number: number };
    return add({ company, columns, roles: [[role, company]] });
  }),
);
const departmentIds: Record<string, string> = {};
for (const [name, above] of [['Finance'], ['Treasury', 'Finance'], ['Sales']] as const) {
  const body = { companyId, name, costCode: name, budget: '1.00', parentId: above ? departmentIds[above] : null };
  const { id } = dataOf<{ id: string }>(await post(people[0] ?? assert.fail(), 'departments/create', body));
  departmentIds[name] = id;
  const of = PEOPLE.findIndex(([, , department]) => department === name);
  await api.db.query(sql`update users set department_id = ${id} where id = ${people[of]?.id}`);
}
await add({ columns: { first_name: 'Helena', last_name: 'Guest', phone: '+353 999' }, roles: [['MANAGER', company]] });

async function names(query: Record<string, string>): Promise<string[]> {
  const { items } = pageOf<{ firstName: string }>(await get(superAdmin, 'users/list', { companyId, ...query }));
  return items.map(({ firstName }) => firstName);
}

describe('people of a company', () => {
  it('users/list with broad=true finds people by words in any order, phone, number and department', async () => {
    for (const [search, found, foundByName] of [
      ['Brandt, Helena', ['Helena'], []],
      ['bose anil', ['Anil'], []],
      ['98450 12345', ['Anil'], []],
      ['q-17', ['Helena'], []],
      ['ada12345@company.example', [], []],
      ['treasury', ['Anil'], []],
      ['brandt', ['Brandt', 'Helena'], ['Brandt', 'Helena']],
      ['nobody at all', [], []],
      [' , ', ['Anil', 'Brandt', 'Helena'], []],
    ] as const) {
      assert.deepEqual(await names({ search, broad: 'true' }), found, search);
      assert.deepEqual(await names({ search }), foundByName, search);
    }
  });

  it('users/list with broad=true finds guests by their name and address alone', async () => {
    assert.deepEqual(await names({ search: 'guest helena', broad: 'true', guests: 'true' }), ['Helena']);
    assert.deepEqual(await names({ search: '353999', broad: 'true', guests: 'true' }), []);
  });

  it('users/list returns people of several departments, bands and roles', async () => {
    const { Finance = '', Sales = '', Treasury = '' } = departmentIds;
    assert.deepEqual(await names({ departmentIds: `${Finance},${Sales}` }), ['Brandt', 'Helena']);
    assert.deepEqual(await names({ departmentIds: ` ${Finance} `, below: 'true' }), ['Anil', 'Helena']);
    assert.deepEqual(await names({ departmentIds: `${Finance},${Treasury}`, departmentId: Treasury }), ['Anil']);
    assert.deepEqual(await names({ departmentIds: randomUUID() }), []);
    assert.deepEqual(await names({ bandIds: `${company.bandId},${randomUUID()}` }), ['Anil', 'Brandt', 'Helena']);
    assert.deepEqual(await names({ roles: 'MANAGER,CORPORATE_ADMIN' }), ['Anil', 'Helena']);
    assert.deepEqual(await names({ roles: 'MANAGER,CORPORATE_ADMIN', role: 'MANAGER' }), ['Helena']);
    assert.deepEqual(await names({ guests: 'true', departmentIds: Finance }), []);
    const wrong = { companyId, departmentIds: 'x', bandIds: `${Finance},`, roles: 'SUPER_ADMIN' };
    assertInvalid(await get(superAdmin, 'users/list', wrong), 'departmentIds', 'bandIds', 'roles');
  });
});

describe('companies', () => {
  const list = async (query: Record<string, string>) =>
    pageOf<{ name: string }>(await get(superAdmin, 'companies/list', { search: 'Sorted', ...query })).items.map(
      ({ name }) => name,
    );

  it('companies/list sorts companies as requested, and returns closed companies alone', async () => {
    for (const [name, creditLimit, creditDays, isOpen] of [
      ['Sorted A', '5.00', 90, true],
      ['Sorted B', '100.00', 7, false],
      ['Sorted C', '20.00', 30, true],
    ] as const) {
      const { id } = await addCompany({ name });
      const body = { id, creditLimit, creditDays, ...(isOpen ? {} : { active: false }) };
      dataOf(await post(superAdmin, 'companies/update', body));
    }
    assert.deepEqual(await list({}), ['Sorted A', 'Sorted B', 'Sorted C']);
    assert.deepEqual(await list({ sort: '-name' }), ['Sorted C', 'Sorted B', 'Sorted A']);
    assert.deepEqual(await list({ sort: 'creditLimit' }), ['Sorted A', 'Sorted C', 'Sorted B']);
    assert.deepEqual(await list({ sort: '-creditDays', limit: '2' }), ['Sorted A', 'Sorted C']);
    assert.deepEqual(await list({ sort: 'updatedAt' }), ['Sorted A', 'Sorted B', 'Sorted C']);
    assert.deepEqual(await list({ inactiveOnly: 'true' }), ['Sorted B']);
    assertInvalid(
      await get(superAdmin, 'companies/list', { activeOnly: 'true', inactiveOnly: 'true' }),
      'inactiveOnly',
    );
    assertInvalid(await get(superAdmin, 'companies/list', { sort: 'gstin' }), 'sort');
  });
});

describe('the credit of companies', () => {
  /** With days ago and amounts of what was booked, whatever the hour; the last one is cancelled. */
  const COMPANIES = [
    ['Credit A', '100.00', 30, '28:60.00 0:40.01 0:7.00'],
    ['Credit B', '100.00', 30, '31:500.00 28:60.00 0:40.00 0:7.00'],
    ['Credit C', '0.00', 0, '0:9.00 0:7.00'],
    ['Credit D', '1.00', 2_147_483_647, '4000:2.00 0:7.00'],
  ] as const;
  const list = async (query: Record<string, string>) =>
    pageOf<{ name: string; creditUsed?: string }>(
      await get(superAdmin, 'companies/list', { search: 'Credit', include: 'creditUsed', ...query }),
    ).items.map(({ name, creditUsed }) => [name, creditUsed]);

  it('companies/list returns the credit that companies use, and companies over their limit alone', async () => {
    for (const [name, creditLimit, creditDays, booked] of COMPANIES) {
      const added = await addCompany({ name, creditLimit, creditDays });
      const { id: userId } = await add({ company: added });
      for (const [index, text] of booked.split(' ').entries()) {
        const [days, amount] = text.split(':');
        const created_at = new Date(Date.now() - Number(days) * 86_400_000).toISOString();
        const status = booked.endsWith(text) ? 'CANCELLED' : 'BOOKED';
        const row = { id: `${name} ${index}`, company_id: added.id, user_id: userId, amount, created_at, status };
        await insertRow(api.db, 'bookings', row);
      }
    }
    const over = [
      ['Credit A', '100.01'],
      ['Credit C', '9.00'],
      ['Credit D', '2.00'],
    ];
    assert.deepEqual(await list({}), [over[0], ['Credit B', '100.00'], over[1], over[2]]);
    assert.deepEqual(await list({ overCredit: 'true' }), over);
    assert.deepEqual(await list({ overCredit: 'true', search: '', sort: '-name', limit: '1' }), [over[2]]);
    assert.deepEqual(await list({ overCredit: 'true', include: 'currency' }), [
      ['Credit A', undefined],
      ['Credit C', undefined],
      ['Credit D', undefined],
    ]);
    assertInvalid(await get(superAdmin, 'companies/list', { overCredit: 'yes' }), 'overCredit');
  });
});

describe('head counts', () => {
  const monthsAgo = (months: number) => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString();
  };
  const counts = async (id: string) => {
    const query = { id, include: 'headCounts' };
    return dataOf<{ headCounts: { month: string; people: number }[] }>(await get(superAdmin, 'companies/get', query));
  };

  it('companies/get counts each person from their start or entry to their end or deactivation', async () => {
    const watched = await addCompany();
    const join = (columns: object) => add({ company: watched, columns: { created_at: monthsAgo(1), ...columns } });
    await join({ created_at: monthsAgo(20) });
    await join({ start_date: monthsAgo(5).slice(0, 10), end_date: monthsAgo(3).slice(0, 10) });
    await join({ start_date: monthsAgo(-1).slice(0, 10) });
    const leaver = await join({ created_at: monthsAgo(2) });
    dataOf(await post(superAdmin, 'users/update', { id: leaver.id, active: false }));
    await join({ active: false, created_at: monthsAgo(9), updated_at: monthsAgo(8) });
    const { headCounts } = await counts(watched.id);
    assert.deepEqual(
      headCounts.map(({ people }) => people),
      [1, 1, 2, 1, 1, 1, 2, 2, 1, 2, 2, 1],
    );
    assert.deepEqual(
      headCounts.map(({ month }) => month),
      Array.from({ length: 12 }, (_, index) => monthsAgo(11 - index).slice(0, 7)),
    );
  });

  it('companies/get returns head counts only on request, and the same ETag with and without', async () => {
    const [plain, counted] = [
      await get(superAdmin, 'companies/get', { id: companyId }),
      await get(superAdmin, 'companies/get', { id: companyId, include: 'headCounts' }),
    ];
    assert.equal(plain.headers.etag, counted.headers.etag);
    assert.ok(!('headCounts' in dataOf<object>(plain)));
    assertInvalid(await get(superAdmin, 'companies/get', { id: companyId, include: 'x' }), 'include');
    assert.equal((await counts(companyId)).headCounts.at(-1)?.people, PEOPLE.length);
  });
});

describe('the trail', () => {
  it('audit/list returns the changes of people, keys, imports or commands alone', async () => {
    const kinds = async (actorKind: string) => {
      const found = dataOf<{ actor: { kind: string } }[]>(
        await get(superAdmin, 'audit/list', { companyId, actorKind }),
      );
      return [...new Set(found.map(({ actor }) => actor.kind))];
    };
    assert.deepEqual(await kinds('user'), ['user']);
    assert.deepEqual(await kinds('key'), []);
    assertInvalid(await get(superAdmin, 'audit/list', { actorKind: 'robot' }), 'actorKind');
  });
});
