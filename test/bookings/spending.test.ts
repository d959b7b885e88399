import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { budgetPeriodOn, todayUtc } from '../../src/entities/dates.ts';
import { cents } from '../../src/entities/money.ts';
import type { EvaluationView } from '../../src/features/approval-policies/evaluation-schemas.ts';
import { openAdministration } from '../administration/administration.ts';
import { assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { insertRow } from '../support/rows.ts';

interface Spending {
  id: string;
  name: string;
  budget: string;
  spent: string;
  remaining: string;
  bookings: number;
  spentBelow: string;
}

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { api, home, admin, foreignAdmin, superAdmin, add, get, post } = administration;

const list = async (query: Record<string, string>) =>
  pageOf<Spending>(await get(admin, 'departments/spending', { companyId: home.id, limit: '100', ...query })).items;
const change = async (fields: object, as = superAdmin) =>
  dataOf(await post(as, 'companies/update', { id: home.id, ...fields }));

describe('budget periods', () => {
  const PERIODS = [
    ['MONTH', 4, '2026-11-30', '2026-11-01', '2026-12-01'],
    ['MONTH', 1, '2026-12-31', '2026-12-01', '2027-01-01'],
    ['QUARTER', 1, '2026-03-31', '2026-01-01', '2026-04-01'],
    ['QUARTER', 2, '2026-01-31', '2025-11-01', '2026-02-01'],
    ['QUARTER', 12, '2026-02-28', '2025-12-01', '2026-03-01'],
    ['YEAR', 1, '2026-12-31', '2026-01-01', '2027-01-01'],
    ['YEAR', 4, '2026-03-31', '2025-04-01', '2026-04-01'],
    ['YEAR', 4, '2026-04-01', '2026-04-01', '2027-04-01'],
    ['YEAR', 12, '2024-02-29', '2023-12-01', '2024-12-01'],
  ] as const;
  for (const [budgetPeriod, fiscalYearStart, day, from, next] of PERIODS) {
    it(`${day} is in the ${budgetPeriod} from ${from} of a year that begins in month ${fiscalYearStart}`, () => {
      assert.deepEqual(budgetPeriodOn(day, { budgetPeriod, fiscalYearStart }), { from, to: next });
    });
  }
});

describe('spending', () => {
  it('departments/spending returns the present budget period unless a time is given', async () => {
    await insertRow(api.db, 'bookings', { id: 'now', company_id: home.id, user_id: admin.id, amount: '12.50' });
    await insertRow(api.db, 'bookings', {
      id: 'old',
      company_id: home.id,
      user_id: admin.id,
      amount: '7',
      created_at: '2001-02-03',
    });
    for (const budgetPeriod of ['MONTH', 'QUARTER', 'YEAR'] as const) {
      await change({ budgetPeriod, fiscalYearStart: 6 }, admin);
      const { from, to } = budgetPeriodOn(todayUtc(), { budgetPeriod, fiscalYearStart: 6 });
      const present = await list({});
      assert.deepEqual(present, await list({ from, to }));
      const [own] = present.filter(({ id }) => id === home.departmentId);
      assert.deepEqual([own?.spent, own?.bookings, own?.remaining], ['12.50', 1, null]);
    }
    const [all] = (await list({ to: '9999-01-01' })).filter(({ id }) => id === home.departmentId);
    assert.deepEqual([all?.spent, all?.bookings], ['19.50', 2]);
  });

  it('spending operations refuse unknown parameters, wrong times and callers without access', async () => {
    for (const path of ['departments/spending', 'companies/spending', 'bookings/list']) {
      const ask = (query: object, as = admin) => get(as, path, { companyId: home.id, ...query });
      assertRefused(await ask({ form: '2026-01-01' }), 400, 'INVALID_INPUT', ['form']);
      assertRefused(await ask({ from: '2026-02-30', to: 'x' }), 400, 'INVALID_INPUT', ['from', 'to']);
      assertRefused(await ask({}, foreignAdmin), 403, 'COMPANY_FORBIDDEN');
      assertRefused(await ask({}, superAdmin), 403, 'ROLE_REQUIRED');
      assertRefused(await ask({}, await add()), 403, 'ROLE_REQUIRED');
    }
    assertRefused(await get(admin, 'companies/spending', { companyId: home.id, by: 'nobody' }), 400, 'INVALID_INPUT', [
      'by',
    ]);
  });

  it('spending is sorted by name and paged, and has a deleted department with its last name', async () => {
    const id = randomUUID();
    dataOf(await post(admin, 'departments/create', { id, companyId: home.id, name: 'Zoology', costCode: 'ZOO' }));
    const booking = {
      id: 'zoo',
      companyId: home.id,
      userId: admin.id,
      amount: '5.00',
      createdAt: '2003-01-01T00:00:00Z',
    };
    dataOf(
      await post(superAdmin, 'bookings/record', { bookings: [{ ...booking, departmentId: id, costCenter: 'Zebras' }] }),
    );
    const names = (await list({})).map(({ name }) => name);
    assert.deepEqual(names, names.toSorted());
    const page = pageOf<Spending>(
      await get(admin, 'departments/spending', { companyId: home.id, page: '2', limit: '1' }),
    );
    assert.deepEqual([page.items[0]?.name, page.pagination.totalItems], [names[1], names.length]);
    dataOf(await post(admin, 'departments/delete', { id }));
    const query = { companyId: home.id, from: '2003-01-01', to: '2003-02-01' };
    const ask = async (by: string) => dataOf(await get(admin, 'companies/spending', { ...query, by }));
    assert.deepEqual(await ask('department'), [{ departmentId: id, name: 'Zoology', spent: '5.00', bookings: 1 }]);
    assert.deepEqual(await ask('costCenter'), [{ costCenter: 'Zebras', spent: '5.00', bookings: 1 }]);
    assert.deepEqual(await ask('month'), [{ month: '2003-01', spent: '5.00', bookings: 1 }]);
  });

  it('departments/spending returns spending of departments below separately, at any depth', async () => {
    await change({ budgetPeriod: 'MONTH' });
    const names = ['Board', 'Region', 'Branch', 'Elsewhere'];
    const ids: string[] = [];
    for (const [index, name] of names.entries()) {
      const parentId = index === 3 ? undefined : ids[index - 1];
      const body = { companyId: home.id, name, costCode: name, budget: '10.00', ...(parentId && { parentId }) };
      ids.push(dataOf<{ id: string }>(await post(admin, 'departments/create', body)).id);
    }
    const bookings = ids.map((departmentId, index) => ({
      id: `below ${index}`,
      companyId: home.id,
      userId: admin.id,
      amount: `${10 ** index}.01`,
      createdAt: '2004-05-06T07:08:09Z',
      departmentId,
    }));
    dataOf(await post(superAdmin, 'bookings/record', { bookings }));
    for (const range of [
      { from: '2004-05-01', to: '2004-06-01' },
      { from: '2004-05-06', to: '2004-05-07' },
    ]) {
      const found = new Map((await list(range)).map((item) => [item.id, item]));
      const sums = ids.map((id) => [found.get(id)?.spent, found.get(id)?.spentBelow, found.get(id)?.remaining]);
      const remaining = (amount: string) => (range.to === '2004-06-01' ? amount : null);
      assert.deepEqual(sums, [
        ['1.01', '110.02', remaining('8.99')],
        ['10.01', '100.01', remaining('-0.01')],
        ['100.01', '0.00', remaining('-90.01')],
        ['1000.01', '0.00', remaining('-990.01')],
      ]);
    }
  });

  it('approval-policies/evaluate returns spending and remaining budget, and selects a policy by them', async () => {
    await change({ budgetPeriod: 'QUARTER', fiscalYearStart: 2 });
    const make = async (path: string, fields: object) =>
      dataOf<{ id: string }>(await post(admin, `${path}/create`, { companyId: home.id, ...fields })).id;
    const departmentId = await make('departments', { name: 'Budgeted', costCode: 'BUD', budget: '10.00' });
    const person = await add({ columns: { department_id: departmentId } });
    await make('approval-policies', { name: 'Within', scope: { conditions: { overBudget: false } } });
    await make('approval-policies', { name: 'Over', scope: { conditions: { overBudget: true } } });
    const evaluate = async (amount: string, on: string) =>
      dataOf<EvaluationView>(
        await post(admin, 'approval-policies/evaluate', {
          userId: person.id,
          amount,
          on,
          // The service knows better.
          facts: { overBudget: amount === '1.00' },
        }),
      );
    const days = { from: '2004-05-01', to: '2004-08-01' };
    const period = { departmentId, ...days, currency: 'INR', budget: '10.00', spentBelow: '0.00' };
    const one = await evaluate('10.00', '2004-05-31');
    assert.deepEqual(one.budget, {
      ...{ ...period, spent: '0.00', remaining: '10.00', after: '0.00' },
      ...{ remainingWithBelow: '10.00', overBudget: [] },
    });
    assert.equal(one.policy?.name, 'Within');
    const booking = { companyId: home.id, userId: person.id, amount: '9.01', createdAt: '2004-05-01T00:00:00Z' };
    const cancelled = { ...booking, id: 'cancelled', status: 'CANCELLED', cancelledAt: '2004-05-02T00:00:00Z' };
    const next = { ...booking, id: 'next', createdAt: '2004-08-01T00:00:00Z' };
    const bookings = [{ ...booking, id: 'budgeted' }, cancelled, next];
    dataOf(await post(superAdmin, 'bookings/record', { bookings }));
    const over = await evaluate('1.00', '2004-07-31');
    assert.deepEqual(over.budget, {
      ...{ ...period, spent: '9.01', remaining: '0.99', after: '-0.01', remainingWithBelow: '0.99' },
      overBudget: [{ id: departmentId, name: 'Budgeted', remainingWithBelow: '0.99' }],
    });
    assert.deepEqual([over.policy?.name, over.reasons[0]?.code], ['Over', 'APPLIES_BY_CONDITIONS']);
    assert.equal((await evaluate('0.99', '2004-07-31')).policy?.name, 'Within');
    const policy = await make('approval-policies', { name: 'Nobody asks', scope: { active: false } });
    const alone = dataOf<EvaluationView>(
      await post(admin, 'approval-policies/evaluate', { id: policy, amount: '1.00' }),
    );
    assert.equal(alone.budget, null);
  });

  it('departments/spending equals exact arithmetic over 100,000 random bookings in every period', async () => {
    const departments = Array.from({ length: 7 }, () => randomUUID());
    for (const id of departments) {
      await insertRow(api.db, 'departments', { id, company_id: home.id, name: id, cost_code: id, budget: '100.00' });
    }
    // Times at the ends of months, amounts of up to 13 digits before the point, and a tenth of them cancelled: today, so they count then.
    await api.db.query(sql`
      insert into bookings (id, company_id, user_id, amount, created_at, department_id, cost_center, status)
      select 'r' || number, ${home.id}::uuid, ${admin.id}::uuid,
             round((hashtextextended(number::text, 1) & 4503599627370495)::numeric
                   / (case when number % 50 = 0 then 1000 else 100000000 end), 2),
             timestamptz '2022-12-31 23:59:59.999999+00' + (number % 37) * interval '1 month'
               + (array[0, 1, 43200000000, 86400000000])[number % 4 + 1] * interval '1 microsecond',
             (string_to_array(${departments.join()}::text, ','))[number % 7 + 1]::uuid,
             nullif('CC ' || number % 5, 'CC 0'), case when number % 10 = 3 then 'CANCELLED' else 'BOOKED' end
        from generate_series(1, 100000) number`);
    // Changed, moved in time, cancelled and removed since.
    await api.db.query(sql`update bookings set amount = amount + 0.01 where id like 'r%7'`);
    await api.db.query(
      sql`update bookings set created_at = created_at + interval '40 days', status = 'BOOKED' where id like 'r%3'`,
    );
    await api.db.query(
      sql`update bookings set department_id = ${departments[0]}, status = 'CANCELLED' where id like 'r%5'`,
    );
    await api.db.query(sql`delete from bookings where id like 'r%9'`);
    const rows = await api.db.query<{ department: string; center: string | null; time: string; amount: string }>(sql`
      select department_id as department, cost_center as center, amount::text as amount,
             to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as time
        from bookings where id like 'r%'`);

    const PERIODS = [
      ...Array.from(
        { length: 12 },
        (_, month) => ['MONTH', 1, `2024-${String(month + 1).padStart(2, '0')}-15`] as const,
      ),
      ...[1, 2, 3, 4].map((start) => ['QUARTER', start, '2024-03-31'] as const),
      ...[1, 4, 7, 10, 12].map((start) => ['YEAR', start, '2024-06-30'] as const),
    ].map(([budgetPeriod, fiscalYearStart, day]) => budgetPeriodOn(day, { budgetPeriod, fiscalYearStart }));
    const RANGES = [
      ...PERIODS.map(({ from, to }) => [from, to]),
      ['2024-01-31', '2024-02-01'],
      ['2024-02-29', '2024-06-15'],
      ['2024-01-31T23:59:59.999999Z', '2024-02-29T23:59:59.999999Z'],
      ['2024-03-05', '2024-03-20'],
      ['2024-04-01', '2024-04-01'],
    ] as const;
    const formatted = (sum: bigint) => `${sum / 100n}.${String(sum % 100n).padStart(2, '0')}`;
    for (const [from = '', to = ''] of RANGES) {
      const sums = new Map<string, { sum: bigint; bookings: number }>();
      const within = rows.filter(({ time }) => time >= from.replace('Z', '') && time < to.replace('Z', ''));
      for (const { department, center, time, amount } of within) {
        for (const key of [department, `center ${center}`, time.slice(0, 7)]) {
          const { sum, bookings } = sums.get(key) ?? { sum: 0n, bookings: 0 };
          sums.set(key, { sum: sum + cents(amount), bookings: bookings + 1 });
        }
      }
      const expected = (key: string) => {
        const { sum, bookings } = sums.get(key) ?? { sum: 0n, bookings: 0 };
        return [formatted(sum), bookings];
      };
      const found = new Map((await list({ from, to })).map((item) => [item.id, [item.spent, item.bookings]]));
      for (const id of departments) assert.deepEqual(found.get(id), expected(id), `${from} to ${to}`);
      const by = async (group: string) =>
        dataOf<{ month?: string; costCenter?: string; spent: string; bookings: number }[]>(
          await get(admin, 'companies/spending', { companyId: home.id, from, to, by: group }),
        );
      const months = await by('month');
      assert.deepEqual(
        months.map(({ spent, bookings }) => [spent, bookings]),
        months.map(({ month = '' }) => expected(month)),
      );
      assert.equal(
        months.reduce((sum, { bookings }) => sum + bookings, 0),
        within.length,
      );
      for (const { costCenter, spent, bookings } of await by('costCenter')) {
        assert.deepEqual([spent, bookings], expected(`center ${costCenter}`));
      }
    }
  });
});

describe('currency and periods of a company', () => {
  it('companies/update by a Corporate Admin changes the budget period, and not the currency', async () => {
    const read = async () => {
      const found = dataOf<Record<string, unknown>>(await get(admin, 'companies/get', { id: home.id }));
      return [found.currency, found.budgetPeriod, found.fiscalYearStart];
    };
    await api.db.query(sql`delete from bookings where company_id = ${home.id}`);
    await change({ currency: null, budgetPeriod: 'YEAR', fiscalYearStart: 1 });
    assert.deepEqual(await read(), ['INR', 'YEAR', 1]);
    await change({ currency: 'JPY' });
    await change({ budgetPeriod: 'QUARTER', fiscalYearStart: 4, currency: 'JPY' }, admin);
    assert.deepEqual(await read(), ['JPY', 'QUARTER', 4]);
    assertRefused(await post(admin, 'companies/update', { id: home.id, currency: 'EUR' }), 403, 'FIELD_FORBIDDEN', [
      'currency',
    ]);
    const wrong = { currency: 'DEM', budgetPeriod: 'WEEK', fiscalYearStart: 13 };
    assertRefused(
      await post(superAdmin, 'companies/update', { id: home.id, ...wrong }),
      400,
      'INVALID_INPUT',
      Object.keys(wrong),
    );
    const listed = pageOf<object>(await get(superAdmin, 'companies/list', {})).items[0];
    assert.ok(listed && !('currency' in listed));
  });

  it('companies/create accepts a currency and a budget period, also in a repeated request', async () => {
    const body = {
      id: randomUUID(),
      name: 'Yen',
      legalName: 'Yen',
      gstin: randomUUID().slice(0, 30),
      email: 'y@yen.example',
    };
    for (const fields of [{}, { currency: 'CHF', budgetPeriod: 'MONTH', fiscalYearStart: 7 }]) {
      const own = { ...body, ...fields, id: randomUUID(), gstin: randomUUID().slice(0, 30) };
      const made = dataOf<Record<string, unknown>>(await post(superAdmin, 'companies/create', own));
      const { currency, budgetPeriod, fiscalYearStart } = made;
      assert.deepEqual(
        { currency, budgetPeriod, fiscalYearStart },
        { currency: 'INR', budgetPeriod: 'YEAR', fiscalYearStart: 1, ...fields },
      );
      assert.deepEqual(dataOf(await post(superAdmin, 'companies/create', own)), made);
      const tag = (await get(superAdmin, 'companies/get', { id: own.id })).headers.etag;
      const headers = { 'if-match': String(tag) };
      const update = { id: own.id, creditDays: 9 };
      assert.equal(
        dataOf<{ creditDays: number }>(await post(superAdmin, 'companies/update', update, headers)).creditDays,
        9,
      );
      assertRefused(await post(superAdmin, 'companies/update', update, headers), 412, 'PRECONDITION_FAILED');
    }
  });
});
