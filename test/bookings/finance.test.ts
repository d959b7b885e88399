import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { EvaluationView } from '../../src/features/approval-policies/evaluation-schemas.ts';
import type { CompanyDetail } from '../../src/features/companies/companies-schemas.ts';
import type { DepartmentDetail } from '../../src/features/departments/departments-operations.ts';
import type { CompanySpendingView, DepartmentSpendingView } from '../../src/features/spending/spending-schemas.ts';
import { openAdministration } from '../administration/administration.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import type { TestCompany } from '../support/people.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { api, home, admin, superAdmin, add, addCompany, get, post } = administration;

const addCompanyAdmin = (company: TestCompany) => add({ company, roles: [['CORPORATE_ADMIN', company]] });

type Spent = DepartmentSpendingView;
const spending = async (query: Record<string, string> = {}, companyId = home.id, as = admin) => {
  const answer = await get(as, 'departments/spending', { companyId, limit: '100', ...query });
  const { from, to, currency } = answer.json() as Record<'from' | 'to' | 'currency', string | null>;
  return { items: new Map(dataOf<Spent[]>(answer).map((one) => [one.id, one])), span: { from, to, currency } };
};
const by = async (group: string, query: Record<string, string>) =>
  dataOf<CompanySpendingView[]>(await get(admin, 'companies/spending', { companyId: home.id, by: group, ...query }));
const department = async (fields: object = {}) => {
  const name = randomUUID();
  const body = { companyId: home.id, name, costCode: name, ...fields };
  return dataOf<DepartmentDetail>(await post(admin, 'departments/create', body));
};
const update = async (fields: object) => dataOf<DepartmentDetail>(await post(admin, 'departments/update', fields));
const book = (fields: object) =>
  post(superAdmin, 'bookings/record', {
    bookings: [{ id: randomUUID(), companyId: home.id, userId: admin.id, amount: '1.00', ...fields }],
  });
const settings = async (fields: object, as = admin) =>
  dataOf<CompanyDetail>(await post(as, 'companies/update', { id: home.id, ...fields }));
/** Lets changes of departments have happened in a month of the past. */
const backdate = (id: string, since: string) =>
  api.db.query(
    sql`update department_parents set since = ${since}::timestamptz where department_id = ${id} and since > '-infinity'`,
  );

await settings({ budgetPeriod: 'MONTH' });

describe('budgets', () => {
  it('a department without a budget is never over it, in spending and in evaluate', async () => {
    const { id, budget, budgets } = await department();
    assert.deepEqual([budget, budgets], [null, [{ from: null, budget: null }]]);
    const person = await add({ columns: { department_id: id } });
    dataOf(await book({ userId: person.id, amount: '500.00' }));
    const { items } = await spending();
    const { remaining, remainingWithBelow, spent } = items.get(id) ?? ({} as Spent);
    assert.deepEqual([remaining, remainingWithBelow, spent], [null, null, '500.00']);
    const query = { userId: person.id, amount: '9000000.00' };
    const { budget: shown } = dataOf<EvaluationView>(await get(admin, 'approval-policies/evaluate', query));
    assert.deepEqual([shown?.budget, shown?.after, shown?.overBudget], [null, null, []]);
  });

  it('departments above count what is below them, and evaluate names those that would be over their budget', async () => {
    const top = await department({ budget: '1000.00' });
    const middle = await department({ parentId: top.id });
    const { id } = await department({ parentId: middle.id, budget: '5000.00' });
    const person = await add({ columns: { department_id: id } });
    dataOf(await book({ userId: person.id, amount: '700.00' }));
    const { items, span } = await spending();
    const found = items.get(top.id);
    assert.deepEqual([found?.remaining, found?.spentBelow, found?.remainingWithBelow], ['1000.00', '700.00', '300.00']);
    const ask = async (amount: string) =>
      dataOf<EvaluationView>(await get(admin, 'approval-policies/evaluate', { userId: person.id, amount })).budget;
    const within = await ask('300.00');
    assert.deepEqual(
      [within?.overBudget, within?.from, within?.to, within?.currency],
      [[], span.from, span.to, span.currency],
    );
    assert.deepEqual((await ask('300.01'))?.overBudget, [{ id: top.id, name: top.name, remainingWithBelow: '300.00' }]);
  });

  it('a new budget holds from the present period on; several whole periods add up, other times have none', async () => {
    const { id } = await department({ budget: '9000.00' });
    assert.equal((await update({ id, budget: '1000.00' })).budget, '1000.00');
    const budgetIn = async (from: string, to: string) => (await spending({ from, to })).items.get(id)?.budget;
    assert.equal((await spending()).items.get(id)?.budget, '1000.00');
    assert.equal(await budgetIn('2024-03-01', '2024-04-01'), '9000.00');
    assert.equal(await budgetIn('2024-03-01', '2024-06-01'), '27000.00');
    assert.equal(await budgetIn('2024-03-02', '2024-06-01'), null);
    assert.equal((await spending({ from: '2024-03-01' })).items.get(id)?.budget, null);
    const budgets = [
      { from: null, budget: '1.00' },
      { from: '2024-05-01', budget: '2.50' },
      { from: '2024-06-01', budget: null },
    ];
    const changed = await update({ id, budgets });
    assert.deepEqual([changed.budgets, changed.budget], [budgets, null]);
    assert.equal(await budgetIn('2024-04-01', '2024-06-01'), '3.50');
    assert.equal(await budgetIn('2024-05-01', '2024-07-01'), null);
    const unordered = [budgets[0], budgets[2], budgets[1]];
    assertRefused(await post(admin, 'departments/update', { id, budgets: unordered }), 400, 'INVALID_INPUT', [
      'budgets',
    ]);
  });

  it('departments/spending of a past period counts what was below a department at its end, deleted departments too', async () => {
    const [sales, it] = [await department({ budget: '10.00' }), await department()];
    const moved = await department({ parentId: sales.id });
    dataOf(await book({ departmentId: moved.id, amount: '7.00', createdAt: '2023-05-05T00:00:00Z' }));
    dataOf(await book({ departmentId: moved.id, amount: '9.00', createdAt: '2023-07-05T00:00:00Z' }));
    await update({ id: moved.id, parentId: it.id });
    await backdate(moved.id, '2023-06-15T00:00:00Z');
    const below = async (id: string, month: number) =>
      (await spending({ from: `2023-0${month}-01`, to: `2023-0${month + 1}-01` })).items.get(id)?.spentBelow;
    const figures = async () => Promise.all([below(sales.id, 5), below(it.id, 5), below(sales.id, 7), below(it.id, 7)]);
    const before = await figures();
    assert.deepEqual(before, ['7.00', '0.00', '0.00', '9.00']);
    dataOf(await post(admin, 'departments/delete', { id: moved.id }));
    assert.deepEqual(await figures(), before);
  });
});

describe('refunds and cancellations', () => {
  const month = { from: '2025-03-01', to: '2025-04-01' };
  const present = async () => (await by('category', {})).map(({ category, spent }) => [category, spent]);

  it('a refund counts where it is made, and needs the booking that it gives back', async () => {
    const trip = {
      id: 'trip',
      amount: '1300.00',
      createdAt: '2025-03-10T10:00:00Z',
      category: 'Flight',
      travelDate: '2025-03-20',
    };
    dataOf(await book(trip));
    assertRefused(await book({ amount: '-250.00' }), 400, 'INVALID_INPUT', ['bookings[0].amount']);
    assertRefused(await book({ amount: '-250.00', refundOf: 'unknown' }), 400, 'INVALID_INPUT', [
      'bookings[0].refundOf',
    ]);
    assertRefused(await book({ id: 'self', amount: '-1.00', refundOf: 'self' }), 400, 'INVALID_INPUT', [
      'bookings[0].refundOf',
    ]);
    dataOf(await book({ amount: '-250.00', refundOf: 'trip', category: 'Refunded' }));
    assert.deepEqual(await by('month', month), [{ month: '2025-03', spent: '1300.00', bookings: 1 }]);
    assert.deepEqual(
      (await present()).filter(([name]) => name === 'Refunded'),
      [['Refunded', '-250.00']],
    );
  });

  it('a cancellation counts nowhere within the period of the booking, and where it is made after it', async () => {
    const early = { id: 'early', amount: '10.00', createdAt: '2025-03-11T00:00:00Z', category: 'Early' };
    const late = { ...early, id: 'late', amount: '20.00', category: 'Late' };
    for (const fields of [early, late]) dataOf(await book(fields));
    dataOf(await book({ ...early, status: 'CANCELLED', cancelledAt: '2025-03-31T23:00:00Z' }));
    dataOf(await book({ ...late, status: 'CANCELLED' }));
    const march = await by('category', month);
    assert.deepEqual(
      march.find(({ category }) => category === 'Late'),
      { category: 'Late', spent: '20.00', bookings: 1 },
    );
    assert.equal(
      march.find(({ category }) => category === 'Early'),
      undefined,
    );
    assert.deepEqual(
      (await present()).find(([name]) => name === 'Late'),
      ['Late', '-20.00'],
    );
    const whole = await by('month', { from: '2025-01-01' });
    dataOf(await book({ ...late, status: 'BOOKED' }));
    assert.equal(
      (await by('category', {})).find(({ category }) => category === 'Late'),
      undefined,
    );
    assert.notDeepEqual(await by('month', { from: '2025-01-01' }), whole);
  });

  it('bookings/record and cancel change nothing of a closed period; a cancellation of its bookings counts today', async () => {
    const old = { id: 'closed', amount: '30.00', createdAt: '2022-03-11T00:00:00Z', category: 'Closed' };
    dataOf(await book(old));
    const close = (to: string, as = admin) => post(as, 'companies/close-period', { companyId: home.id, to });
    assertRefused(await close('9999-01-01'), 400, 'INVALID_INPUT', ['to']);
    assertRefused(await close('2022-04-01', await add()), 403, 'ROLE_REQUIRED');
    assert.equal(dataOf<CompanyDetail>(await close('2022-04-01')).closedTo, '2022-04-01');
    assert.equal(dataOf<CompanyDetail>(await close('2022-01-01')).closedTo, '2022-04-01');
    dataOf(await book(old));
    const refused = [
      { ...old, amount: '31.00' },
      { ...old, createdAt: '2022-05-01T00:00:00Z' },
      { ...old, status: 'CANCELLED', cancelledAt: '2022-03-31T00:00:00Z' },
      { ...old, status: 'CANCELLED', amount: '31.00' },
      { createdAt: '2022-03-31T23:59:59Z' },
    ];
    for (const fields of refused) assertRefused(await book(fields), 409, 'PERIOD_CLOSED', ['bookings[0]']);
    dataOf(await book({ ...old, status: 'CANCELLED' }));
    assertRefused(await book({ ...old, status: 'BOOKED' }), 409, 'PERIOD_CLOSED', ['bookings[0]']);
    const [then] = await by('category', { from: '2022-03-01', to: '2022-04-01' });
    assert.deepEqual(then, { category: 'Closed', spent: '30.00', bookings: 1 });
    assert.deepEqual(
      (await present()).find(([name]) => name === 'Closed'),
      ['Closed', '-30.00'],
    );
    assertRefused(await post(admin, 'companies/update', { id: home.id, timeZone: 'Asia/Kolkata' }), 409, 'IN_USE');
  });

  it('companies/spending returns spending by person, band, category, and by month of one department', async () => {
    const { id } = await department();
    const person = await add({ columns: { department_id: id } });
    const time = { from: '2024-01-01', to: '2025-01-01' };
    for (const [createdAt, category] of [
      ['2024-02-01T00:00:00Z', 'Rail'],
      ['2024-06-01T00:00:00Z', 'Hotel'],
    ]) {
      dataOf(await book({ userId: person.id, amount: '4.00', createdAt, category }));
    }
    dataOf(await book({ amount: '3.00', createdAt: '2024-06-02T00:00:00Z' }));
    const months = [
      { month: '2024-02', spent: '4.00', bookings: 1 },
      { month: '2024-06', spent: '4.00', bookings: 1 },
    ];
    assert.deepEqual(await by('month', { ...time, departmentId: id }), months);
    assert.deepEqual(
      (await by('category', time)).map(({ category, spent }) => [category, spent]),
      [
        ['Hotel', '4.00'],
        ['Rail', '4.00'],
        [null, '3.00'],
      ],
    );
    const people = new Map((await by('person', time)).map(({ userId, spent }) => [userId, spent]));
    assert.deepEqual([people.get(person.id), people.get(admin.id)], ['8.00', '3.00']);
    const [band] = await by('band', time);
    assert.deepEqual([band?.bandId, band?.spent, band?.bookings], [home.bandId, '11.00', 3]);
  });
});

describe('the time zone of a company', () => {
  it('decides the months of spending and budgets, and moves the sums when it changes', async () => {
    const company = await addCompany();
    const { id: userId } = await addCompanyAdmin(company);
    const as = await addCompanyAdmin(company);
    const change = (fields: object) => post(as, 'companies/update', { id: company.id, ...fields });
    const record = (id: string, createdAt: string) => book({ id, companyId: company.id, userId, createdAt });
    dataOf(await record('before', '2026-03-31T18:29:59Z'));
    dataOf(await record('after', '2026-03-31T20:00:00Z'));
    const months = async () =>
      dataOf<CompanySpendingView[]>(
        await get(as, 'companies/spending', { companyId: company.id, from: '2026-01-01', to: '2026-07-01' }),
      ).map(({ month, bookings }) => [month, bookings]);
    assert.deepEqual(await months(), [['2026-03', 2]]);
    assertRefused(await change({ timeZone: 'Asia/Nowhere' }), 400, 'INVALID_INPUT', ['timeZone']);
    assertRefused(await change({ timeZone: '+05:30' }), 400, 'INVALID_INPUT', ['timeZone']);
    dataOf(await change({ timeZone: 'Asia/Kolkata' }));
    assert.deepEqual(await months(), [
      ['2026-03', 1],
      ['2026-04', 1],
    ]);
    dataOf(await record('later', '2026-03-31T19:00:00Z'));
    assert.deepEqual(await months(), [
      ['2026-03', 1],
      ['2026-04', 2],
    ]);
    const day = await spending({ from: '2026-04-01', to: '2026-04-02' }, company.id, as);
    assert.equal(day.items.get(company.departmentId)?.bookings, 2);
    const offset = await spending({ from: '2026-04-01T00:00:00+05:30', to: '2026-05-01' }, company.id, as);
    assert.deepEqual([offset.span.from, offset.span.to], ['2026-04-01', '2026-05-01']);
  });

  it('decides the first and last day of work and of leave', async () => {
    const company = await addCompany();
    const as = await addCompanyAdmin(company);
    const dayIn = (timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date());
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Niue']) {
      dataOf(await post(as, 'companies/update', { id: company.id, timeZone }));
      const columns = { start_date: dayIn(timeZone), end_date: dayIn(timeZone) };
      const { id } = await add({ company, columns });
      assert.equal(dataOf<{ works: boolean }>(await get(as, 'users/get', { id })).works, true, timeZone);
    }
    const [ahead, behind] = [dayIn('Pacific/Kiritimati'), dayIn('Pacific/Niue')];
    assert.notEqual(ahead, behind);
    const { id } = await add({ company, columns: { start_date: ahead } });
    assert.equal(dataOf<{ works: boolean }>(await get(as, 'users/get', { id })).works, false);
  });
});

describe('currency and credit', () => {
  it('the currency of a company with bookings stays', async () => {
    const company = await addCompany();
    const { id: userId } = await addCompanyAdmin(company);
    const change = (currency: string) => post(superAdmin, 'companies/update', { id: company.id, currency });
    dataOf(await change('EUR'));
    dataOf(await book({ companyId: company.id, userId }));
    assertRefused(await change('USD'), 409, 'IN_USE');
    dataOf(await change('EUR'));
  });

  it('creditUsed is what was booked in the credit days less payments, which are recorded once', async () => {
    const company = await addCompany({ creditLimit: '1000.00', creditDays: 0 });
    const { id: userId } = await addCompanyAdmin(company);
    dataOf(await book({ companyId: company.id, userId, amount: '5000.00' }));
    const used = async () =>
      dataOf<CompanyDetail>(await get(superAdmin, 'companies/get', { id: company.id })).creditUsed;
    assert.equal(await used(), '5000.00');
    const payment = { id: randomUUID(), companyId: company.id, amount: '3500.00', reference: 'INV-1' };
    const pay = (fields: object = {}) => post(superAdmin, 'companies/record-payment', { ...payment, ...fields });
    for (let times = 0; times < 2; times++) dataOf(await pay());
    assert.equal(await used(), '1500.00');
    assertRefused(await pay({ amount: '1.00' }), 409, 'ALREADY_EXISTS', ['id']);
    assertRefused(await pay({ id: randomUUID(), amount: '-1.00' }), 400, 'INVALID_INPUT', ['amount']);
    assertRefused(await post(admin, 'companies/record-payment', payment), 403, 'ROLE_REQUIRED');
  });

  it('companies/get returns since when a company is over its credit, without what was paid or is older than its credit days', async () => {
    const company = await addCompany({ creditLimit: '1000.00', creditDays: 10 });
    const { id: userId } = await addCompanyAdmin(company);
    const now = Date.now();
    const day = (ago: number) => new Date(now - ago * 86_400_000).toISOString();
    const pay = async (amount: string, createdAt: string) =>
      dataOf(await post(superAdmin, 'companies/record-payment', { companyId: company.id, amount, createdAt }));
    const booked = async (ago: number, amount: string, more: object = {}) =>
      dataOf(await book({ companyId: company.id, userId, amount, createdAt: day(ago), ...more }));
    const found = async (include = 'overCreditSince') =>
      dataOf<CompanyDetail & { overCreditSince?: string | null }>(
        await get(superAdmin, 'companies/get', { id: company.id, include }),
      ).overCreditSince;
    const since = async (ago: number | null) =>
      assert.equal(await found(), ago === null ? null : day(ago).slice(0, 10));
    await since(null);
    await booked(30, '5000.00');
    await booked(9, '600.00');
    await booked(5, '400.00');
    await since(null);
    await booked(3, '0.01');
    await since(3);
    await booked(12, '700.00');
    await since(9);
    await pay('500.00', day(4));
    await since(null);
    await booked(1, '500.00');
    await since(1);
    assert.equal(await found('headCounts'), undefined);
  });

  it('companies/get returns all of a credit that is longer than an amount', async () => {
    const company = await addCompany();
    const { id: userId } = await addCompanyAdmin(company);
    for (const amount of ['9999999999999.99', '0.02']) dataOf(await book({ companyId: company.id, userId, amount }));
    const { creditUsed } = dataOf<CompanyDetail>(await get(superAdmin, 'companies/get', { id: company.id }));
    assert.equal(creditUsed, '10000000000000.01');
  });

  it('approval-policies/evaluate returns to staff of a company with a credit limit what remains of it', async () => {
    const company = await addCompany({ creditLimit: '1000.00', creditDays: 30 });
    const [staff, person] = [await addCompanyAdmin(company), await add({ company })];
    dataOf(await book({ companyId: company.id, userId: person.id, amount: '900.00' }));
    const ask = async (as: typeof person, userId = person.id) =>
      dataOf<EvaluationView>(await get(as, 'approval-policies/evaluate', { userId, amount: '150.00' })).credit;
    const credit = { creditLimit: '1000.00', creditUsed: '900.00', remaining: '100.00', after: '-50.00' };
    assert.deepEqual(await ask(staff), credit);
    assert.deepEqual([await ask(person), await ask(admin, admin.id)], [undefined, undefined]);
  });
});

describe('private fields of people', () => {
  it('users/get returns birth date, gender and home address to the person, administrators and Super Admins, and null to Managers', async () => {
    const columns = {
      date_of_birth: '1990-05-14',
      gender: 'Female',
      address_line_1: '14 Lake View Road',
      pincode: '560001',
    };
    const person = await add({ columns, roles: [['MANAGER', home]] });
    const manager = await add({ roles: [['MANAGER', home]] });
    for (const as of [person, admin, superAdmin, manager]) {
      const shown = dataOf<Record<string, unknown>>(await get(as, 'users/get', { id: person.id }));
      const { dateOfBirth, gender, addressLine1, addressLine2, pincode, email } = shown;
      const isNull = [dateOfBirth, gender, addressLine1, addressLine2, pincode].map((value) => value === null);
      assert.deepEqual(isNull, as === manager ? [true, true, true, true, true] : [false, false, false, true, false]);
      assert.equal(email, person.email);
    }
  });
});
