import assert from 'node:assert/strict';
import sql from 'sql-template-tag';
import { amountOf, cents } from '../../src/entities/money.ts';
import type { CompanySpendingView, DepartmentSpendingView } from '../../src/features/spending/spending-schemas.ts';
import type { Administration } from '../administration/administration.ts';
import { dataOf } from '../support/answers.ts';
import { seededRandom } from '../support/breaking-off.ts';

interface Made {
  id: string;
  amount: string;
  createdAt: string;
  departmentId: string;
  category: string;
  status: 'BOOKED' | 'CANCELLED';
  cancelledAt?: string;
  refundOf?: string;
}

const QUARTERS = ['2025-01-01', '2025-04-01', '2025-07-01', '2025-10-01', '2026-01-01'] as const;
const CATEGORIES = ['Flight', 'Hotel', 'Rail'] as const;
const BATCH = 500;

/** Returns the local day of an instant, by a calendar of its own. */
function localDays(timeZone: string): (instant: string) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return (instant) => format.format(new Date(instant));
}

const quarterAfter = (day: string) => QUARTERS.find((start) => start > day) ?? '2026-04-01';

/**
 * Records bookings of a year in a company of a time zone, corrects, moves, cancels and refunds some, moves departments and changes budgets, and
 * compares every figure with a sum of its own.
 */
export async function compareFigures(
  { api, addCompany, add, get, post, superAdmin }: Administration,
  { timeZone, bookings: count, seed }: { timeZone: string; bookings: number; seed: number },
): Promise<number> {
  const random = seededRandom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const company = await addCompany({ timeZone, budgetPeriod: 'QUARTER' });
  const companyId = company.id;
  const admin = await add({ company, roles: [['CORPORATE_ADMIN', company]] });
  const dayOf = localDays(timeZone);

  // A tree of departments, of which some go elsewhere in the middle of a quarter, and budgets that change with quarters.
  const ids: string[] = [];
  const parents = new Map<string, (readonly [since: string, parent: string | null])[]>();
  const budgets = new Map<string, { from: string | null; budget: string | null }[]>();
  for (let number = 0; number < 12; number++) {
    const parentId = number === 0 ? null : (ids[Math.floor((number - 1) / 3)] ?? null);
    const history = [null, ...QUARTERS.slice(1, 4)].flatMap((from, index) =>
      index === 0 || below(2) === 0
        ? [{ from, budget: below(4) === 0 ? null : amountOf(BigInt(below(90_000_000))) }]
        : [],
    );
    const fields = { companyId, name: `Department ${number}`, costCode: `D-${number}`, parentId, budgets: history };
    const { id } = dataOf<{ id: string }>(await post(admin, 'departments/create', fields));
    ids.push(id);
    budgets.set(id, history);
    parents.set(id, [['', parentId]]);
  }
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
    parents.get(id)?.push([since, parentId]);
  }

  // Times at the ends of local months, and anywhere.
  const instant = (after = 0) => {
    const start = Date.parse('2025-01-02T00:00:00Z') + after;
    const span = Date.parse('2025-12-30T00:00:00Z') - start;
    const at = new Date(start + Math.floor(random() * Math.max(span, 1)));
    if (below(5) === 0) at.setUTCDate(1);
    return at.toISOString();
  };
  const made: Made[] = Array.from({ length: count }, (_, number) => ({
    id: `${timeZone} ${number}`,
    amount: amountOf(BigInt(1 + below(9_000_000))),
    createdAt: instant(),
    departmentId: ids[below(ids.length)] ?? '',
    category: CATEGORIES[below(3)] ?? 'Rail',
    status: 'BOOKED' as const,
  }));
  const record = async (all: readonly Made[]) => {
    for (let at = 0; at < all.length; at += BATCH) {
      const batch = all.slice(at, at + BATCH).map((one) => ({ ...one, companyId, userId: admin.id }));
      dataOf(await post(superAdmin, 'bookings/record', { bookings: batch }));
    }
  };
  await record(made);
  const changed = made.filter(() => below(8) === 0);
  for (const one of changed) {
    const kind = below(4);
    if (kind === 0) one.amount = amountOf(cents(one.amount) + 1n);
    else if (kind === 1) one.departmentId = ids[below(ids.length)] ?? '';
    else if (kind === 2) one.createdAt = instant();
    else
      Object.assign(one, {
        status: 'CANCELLED',
        cancelledAt: instant(Date.parse(one.createdAt) - Date.parse('2025-01-02')),
      });
  }
  await record(changed);
  const refunds = made
    .filter(({ status }) => status === 'BOOKED' && below(20) === 0)
    .map(
      (one): Made => ({
        ...one,
        id: `${one.id} back`,
        amount: `-${one.amount}`,
        createdAt: instant(),
        refundOf: one.id,
      }),
    );
  await record(refunds);

  const entries = [...made, ...refunds].flatMap(
    ({ amount, createdAt, departmentId, category, status, cancelledAt }) => {
      const sum = cents(amount);
      const booked = { day: dayOf(createdAt), sum, bookings: 1, departmentId, category };
      if (status === 'BOOKED') return [booked];
      const day = dayOf(cancelledAt ?? '');
      return day < quarterAfter(booked.day) ? [] : [booked, { ...booked, day, sum: -sum, bookings: 0 }];
    },
  );
  const totalOf = (within: typeof entries) =>
    [
      amountOf(within.reduce((total, { sum }) => total + sum, 0n)),
      within.reduce((total, { bookings }) => total + bookings, 0),
    ] as const;
  let figures = 0;
  for (const [from = '', to = ''] of [
    ...QUARTERS.slice(1).map((end, index) => [QUARTERS[index], end]),
    ['2025-01-01', '2026-01-01'],
    ['2025-04-01', '2025-10-01'],
    ['2025-02-01', '2025-03-01'],
    ['2025-03-28', '2025-04-03'],
    ['2025-01-15', '2025-11-20'],
  ]) {
    const within = entries.filter(({ day }) => day >= from && day < to);
    const starts = QUARTERS.slice(0, 4).filter((start) => start >= from && start < to);
    const isWhole = QUARTERS.some((start) => start === from) && QUARTERS.some((start) => start === to);
    const parentOf = (id: string) => parents.get(id)?.findLast(([since]) => since < to)?.[1] ?? null;
    const isBelow = (id: string, above: string): boolean => {
      const parent = parentOf(id);
      return parent !== null && (parent === above || isBelow(parent, above));
    };
    const answer = await get(admin, 'departments/spending', { companyId, from, to, limit: '100' });
    const shown = new Map(dataOf<DepartmentSpendingView[]>(answer).map((one) => [one.id, one]));
    for (const id of ids) {
      const [spent, bookings] = totalOf(within.filter(({ departmentId }) => departmentId === id));
      const [spentBelow] = totalOf(within.filter(({ departmentId }) => isBelow(departmentId, id)));
      const each = starts.map(
        (start) => budgets.get(id)?.findLast(({ from: since }) => (since ?? '') <= start)?.budget,
      );
      const budget =
        isWhole && !each.some((one) => one === null || one === undefined)
          ? amountOf(each.reduce((sum, one) => sum + cents(one ?? '0.00'), 0n))
          : null;
      const { name: _, ...found } = shown.get(id) ?? assert.fail(`${from} to ${to}: ${id}`);
      const left = (...taken: string[]) =>
        budget && amountOf(taken.reduce((sum, one) => sum - cents(one), cents(budget)));
      assert.deepEqual(
        found,
        {
          id,
          budget,
          spent,
          bookings,
          spentBelow,
          remaining: left(spent),
          remainingWithBelow: left(spent, spentBelow),
        },
        `${timeZone}, ${from} to ${to}`,
      );
      figures += 6;
    }
    for (const [group, keyOf] of [
      ['month', ({ day }: (typeof entries)[number]) => day.slice(0, 7)],
      ['category', ({ category }: (typeof entries)[number]) => category],
      ['department', ({ departmentId }: (typeof entries)[number]) => departmentId],
    ] as const) {
      const query = { companyId, from, to, by: group };
      const listed = dataOf<CompanySpendingView[]>(await get(admin, 'companies/spending', query));
      const keys = [...new Set(within.map(keyOf))];
      const field = group === 'department' ? 'departmentId' : group;
      const found = listed.map((one) => [String(one[field]), [one.spent, one.bookings]] as const);
      const expected = keys.map((key) => [key, totalOf(within.filter((entry) => keyOf(entry) === key))] as const);
      const byKey = (one: readonly [string, unknown], other: readonly [string, unknown]) =>
        one[0] < other[0] ? -1 : 1;
      const isSome = ([, [spent, bookings]]: (typeof expected)[number]) => spent !== '0.00' || bookings > 0;
      assert.deepEqual(
        found.toSorted(byKey),
        expected.filter(isSome).toSorted(byKey),
        `${timeZone}, ${from} by ${group}`,
      );
      figures += found.length;
    }
  }
  return figures;
}
