import assert from 'node:assert/strict';
import sql from 'sql-template-tag';
import { amountOf, cents } from '../../src/entities/money.ts';
import type { EvaluationView } from '../../src/features/approval-policies/evaluation-schemas.ts';
import type { Administration } from '../administration/administration.ts';
import { assertRefused, dataOf } from '../support/answers.ts';
import { seededRandom } from '../support/breaking-off.ts';
import { departmentFigures, type Entry, groupFigures, type Known, remainingOf } from './independent-sums.ts';

interface Made {
  id: string;
  userId: string;
  amount: string;
  createdAt: string;
  departmentId: string | undefined;
  costCenter: string | null;
  bandId: string | undefined;
  category: string | null;
  status: 'BOOKED' | 'CANCELLED';
  cancelledAt?: string;
  refundOf?: string;
  /** Whether it was cancelled when its month was closed. */
  isLate?: boolean;
}

const QUARTERS = ['2025-01-01', '2025-04-01', '2025-07-01', '2025-10-01', '2026-01-01'] as const;
const CLOSED_TO = '2025-11-01';
const BATCH = 500;
/** The fields of what spending is grouped by, where they are called otherwise. */
const FIELDS: Readonly<Record<string, string>> = { department: 'departmentId', person: 'userId', band: 'bandId' };

/** Returns the local day of an instant, by a calendar of its own. */
function localDays(timeZone: string): (instant: string) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return (instant) => format.format(new Date(instant));
}

const quarterOf = (day: string) => `${day.slice(0, 4)} ${Math.floor((Number(day.slice(5, 7)) - 1) / 3)}`;

/**
 * Records bookings of a year in a company of a time zone, corrects, moves, cancels and refunds some, before and after the closing of a month,
 * moves people and departments, changes budgets, and compares every figure with a sum of its own.
 */
export async function compareFigures(
  { api, addCompany, add, get, post, superAdmin }: Administration,
  { timeZone, bookings: count, seed }: { timeZone: string; bookings: number; seed: number },
): Promise<number> {
  const random = seededRandom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const company = await addCompany({ timeZone, budgetPeriod: 'QUARTER' });
  const companyId = company.id;
  const admin = await add({ company, roles: [['CORPORATE_ADMIN', company]] });
  const dayOf = localDays(timeZone);
  const make = async (path: string, fields: object) =>
    dataOf<{ id: string }>(await post(admin, `${path}/create`, { companyId, ...fields })).id;

  // A tree of departments, of which some go elsewhere in the middle of a quarter, and one goes for good.
  const ids: string[] = [];
  const known: Known = { ids, parents: new Map(), budgets: new Map(), entries: [] };
  const budgetHistory = () =>
    [null, ...QUARTERS.slice(1, 4)].flatMap((from, index) =>
      index === 0 || below(2) === 0
        ? [{ from, budget: below(4) === 0 ? null : amountOf(BigInt(below(90_000_000))) }]
        : [],
    );
  for (let number = 0; number < 13; number++) {
    const parentId = number === 0 ? null : (ids[Math.floor((number - 1) / 3)] ?? null);
    const budgets = budgetHistory();
    const id = await make('departments', { name: `Department ${number}`, costCode: `D-${number}`, parentId, budgets });
    ids.push(id);
    known.budgets.set(id, budgets);
    known.parents.set(id, [['', parentId]]);
  }
  const gone = ids.pop() ?? '';
  for (const [at, to, since] of [
    [11, 0, '2025-05-20'],
    [7, 3, '2025-08-02'],
    [2, 1, '2025-09-30'],
  ] as const) {
    const [id = '', parentId = ''] = [ids[at], ids[to]];
    dataOf(await post(admin, 'departments/update', { id, parentId }));
    await api.db.query(sql`
      update department_parents set since = ${since}::timestamp at time zone ${timeZone}
       where department_id = ${id}::uuid and since > '-infinity'`);
    known.parents.get(id)?.push([since, parentId]);
  }

  const limits = { autoApprovalLimit: '1.00', maxBookingLimit: null };
  const bands = [company.bandId, await make('bands', { name: 'Other', code: 'OTHER', ...limits })];
  const place = () => ({ departmentId: oneOf(ids), bandId: oneOf(bands), costCenter: oneOf(['CC-1', 'CC-2', null]) });
  const people = new Map<string, ReturnType<typeof place>>();
  for (let number = 0; number < 15; number++) {
    const at = place();
    const columns = { department_id: at.departmentId, band_id: at.bandId, cost_center: at.costCenter };
    people.set((await add({ company, columns })).id, at);
  }

  // Times at the ends of local months, and anywhere.
  const instant = (since = '2025-01-02T00:00:00Z', to = '2025-12-30T00:00:00Z') => {
    const at = new Date(Date.parse(since) + Math.floor(random() * Math.max(Date.parse(to) - Date.parse(since), 1)));
    const first = `${at.toISOString().slice(0, 8)}01${at.toISOString().slice(10)}`;
    return below(5) === 0 && first > since ? first : at.toISOString();
  };
  const made: Made[] = [];
  const bookable = [...ids, gone];
  const book = (createdAt: string): Made => ({
    id: `${timeZone} ${made.length} ${below(1e9)}`,
    userId: oneOf([...people.keys()]),
    amount: amountOf(BigInt(1 + below(9_000_000))),
    createdAt,
    departmentId: below(4) === 0 ? oneOf(bookable) : undefined,
    costCenter: below(4) === 0 ? 'CC-3' : null,
    bandId: undefined,
    category: oneOf(['Flight', 'Hotel', 'Rail', null]),
    status: 'BOOKED',
  });
  const sentOf = ({ bandId: _, isLate: __, ...one }: Made) => {
    const given = Object.entries({ ...one, companyId }).filter(([, value]) => value !== null);
    return Object.fromEntries(given);
  };
  /** Records bookings; new ones have where their person is. */
  const record = async (all: readonly Made[]) => {
    for (let at = 0; at < all.length; at += BATCH) {
      const batch = all.slice(at, at + BATCH);
      const bookings = batch.map((one) => sentOf(one));
      dataOf(await post(superAdmin, 'bookings/record', { bookings }));
      for (const one of batch) {
        const person = people.get(one.userId);
        one.departmentId ??= person?.departmentId;
        if (one.bandId === undefined) one.costCenter ??= person?.costCenter ?? null;
        one.bandId ??= person?.bandId;
      }
    }
  };
  const recordNew = async (number: number, at: () => string = instant) => {
    const bookings = Array.from({ length: number }, () => book(at()));
    made.push(...bookings);
    await record(bookings);
  };
  const cancel = (one: Made, since = one.createdAt) =>
    Object.assign(one, { status: 'CANCELLED', cancelledAt: instant(since) });
  const giveBack = async (bookings: readonly Made[], since?: string) => {
    const refunds = bookings.map((one): Made => {
      return {
        ...one,
        id: `${one.id} back`,
        amount: `-${one.amount}`,
        createdAt: instant(since),
        refundOf: one.id,
        bandId: undefined,
      };
    });
    await record(refunds);
    made.push(...refunds);
  };

  await recordNew(Math.ceil(count / 2));
  const changed = made.filter(() => below(8) === 0);
  for (const one of changed) {
    const kind = below(4);
    if (kind === 0) one.amount = amountOf(cents(one.amount) + 1n);
    else if (kind === 1) one.departmentId = oneOf(bookable);
    else if (kind === 2) one.createdAt = instant();
    else cancel(one);
  }
  await record(changed);
  for (const [id, at] of people) {
    if (below(2) === 0) continue;
    const { costCenter, ...moved } = place();
    dataOf(await post(admin, 'users/update', { id, ...moved, employment: { costCenter } }));
    people.set(id, Object.assign(at, moved, { costCenter }));
  }
  await giveBack(made.filter(({ status }) => status === 'BOOKED' && below(20) === 0));
  await recordNew(Math.floor(count / 2));
  // Of what is cancelled, some is booked again, and some was made at another time.
  const again = made.filter(({ status }) => status === 'CANCELLED' && below(3) === 0);
  for (const one of again) {
    if (below(2) === 0) one.createdAt = instant();
    else {
      one.status = 'BOOKED';
      delete one.cancelledAt;
    }
  }
  await record(again);

  dataOf(await post(admin, 'companies/close-period', { companyId, to: CLOSED_TO }));
  const isClosed = (one: Made) => dayOf(one.createdAt) < CLOSED_TO;
  const closed = made.find((one) => isClosed(one) && one.refundOf === undefined) ?? assert.fail();
  const kept = sentOf({ ...closed, amount: amountOf(cents(closed.amount) + 1n) });
  assertRefused(await post(superAdmin, 'bookings/record', { bookings: [kept] }), 409, 'PERIOD_CLOSED', ['bookings[0]']);
  const late = made.filter((one) => one.status === 'BOOKED' && !one.refundOf && below(25) === 0);
  for (const one of late) {
    one.isLate = isClosed(one);
    cancel(one, one.isLate ? '2025-11-03T00:00:00Z' : one.createdAt);
  }
  await record(late);
  const refunded = new Set(made.map(({ refundOf }) => refundOf));
  const whole = made.filter(
    (one) => one.status === 'BOOKED' && !one.refundOf && !refunded.has(one.id) && isClosed(one),
  );
  await giveBack(
    whole.filter(() => below(50) === 0),
    '2025-11-03T00:00:00Z',
  );
  for (const id of ids.filter(() => below(3) === 0)) {
    const budgets = budgetHistory();
    dataOf(await post(admin, 'departments/update', { id, budgets }));
    known.budgets.set(id, budgets);
  }
  dataOf(await post(admin, 'departments/delete', { id: gone }));
  bookable.pop();

  // The present period is what the overview of the console asks for, by naming none.
  const present = (await get(admin, 'departments/spending', { companyId })).json<{ from: string; to: string }>();
  await recordNew(20, () => instant(`${present.from}T20:00:00Z`, `${present.to}T00:00:00Z`));

  known.entries = made.flatMap((one): Entry[] => {
    const { amount, createdAt, cancelledAt, status, userId, isLate = false } = one;
    const sum = cents(amount);
    const { departmentId = '', bandId = '', category, costCenter } = one;
    const booked = { day: dayOf(createdAt), sum, bookings: 1, departmentId, bandId, category, costCenter, userId };
    if (status === 'BOOKED') return [booked];
    const day = dayOf(cancelledAt ?? '');
    const counts = isLate || quarterOf(day) > quarterOf(booked.day);
    return counts ? [booked, { ...booked, day, sum: -sum, bookings: 0 }] : [];
  });

  let figures = 0;
  const compare = (found: unknown, expected: unknown, what: string) => {
    assert.deepEqual(found, expected, `${timeZone}, ${what}`);
    figures += JSON.stringify(expected).split(':').length;
  };
  for (const [from = '', to = ''] of [
    ...QUARTERS.slice(1).map((end, index) => [QUARTERS[index], end]),
    ['2025-01-01', '2026-01-01'],
    ['2025-04-01', '2025-10-01'],
    ['2025-02-01', '2025-03-01'],
    ['2025-03-28', '2025-04-03'],
    ['2025-01-15', '2025-11-20'],
    [present.from, present.to],
  ]) {
    const isPresent = from === present.from;
    const query: Record<string, string> = isPresent ? { companyId } : { companyId, from, to };
    const shown = dataOf<{ id: string; name: string }[]>(
      await get(admin, 'departments/spending', { ...query, limit: '100' }),
    );
    const found = Object.fromEntries(shown.map(({ id, name: _, ...figure }) => [id, figure]));
    delete found[company.departmentId];
    const starts = isPresent ? [from] : QUARTERS.slice(0, 4).filter((start) => start >= from && start < to);
    const isWhole = isPresent || [from, to].every((end) => QUARTERS.some((start) => start === end));
    compare(found, departmentFigures(known, from, to, isWhole ? starts : null), `${from} to ${to}`);
    for (const departmentId of [undefined, ids[0]]) {
      for (const by of ['month', 'category', 'department', 'costCenter', 'person', 'band'] as const) {
        const listed = dataOf<Record<string, unknown>[]>(
          await get(admin, 'companies/spending', { ...query, by, ...(departmentId ? { departmentId } : {}) }),
        );
        const field = FIELDS[by] ?? by;
        const byKey = Object.fromEntries(listed.map((one) => [String(one[field]), [one.spent, one.bookings]]));
        compare(byKey, groupFigures(known, from, to, field, departmentId), `${from} by ${by} of ${departmentId}`);
      }
    }
  }
  for (const [userId, { departmentId }] of [...people].slice(0, 6)) {
    for (const [index, from] of QUARTERS.slice(0, 4).entries()) {
      const to = QUARTERS[index + 1] ?? '';
      for (const [amount, on] of [
        ['0.01', from],
        ['400000.00', `${from.slice(0, 5)}${String(index * 3 + 3).padStart(2, '0')}-30`],
      ] as const) {
        const asked = await post(admin, 'approval-policies/evaluate', { userId, amount, on });
        const { currency: _, ...budget } = dataOf<EvaluationView>(asked).budget ?? assert.fail();
        const overBudget = budget.overBudget.map(({ name: __, ...over }) => over);
        const what = `budget of ${userId} on ${on}`;
        compare({ ...budget, overBudget }, remainingOf(known, departmentId, from, to, amount), what);
      }
    }
  }
  return figures;
}
