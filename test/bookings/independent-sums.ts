import { amountOf, cents } from '../../src/entities/money.ts';

/** What a booking, or its cancellation, adds to spending. */
export interface Entry {
  day: string;
  sum: bigint;
  bookings: number;
  departmentId: string;
  bandId: string;
  userId: string;
  category: string | null;
  costCenter: string | null;
}

/** What a test knows of a company. */
export interface Known {
  /** The departments that are there. */
  ids: readonly string[];
  /** Under which department each one was, and since which day; in order. */
  parents: Map<string, (readonly [since: string, parent: string | null])[]>;
  /** In order. */
  budgets: Map<string, readonly { from: string | null; budget: string | null }[]>;
  entries: readonly Entry[];
}

const within = ({ entries }: Known, from: string, to: string) => entries.filter(({ day }) => day >= from && day < to);

const totalOf = (entries: readonly Entry[]): [spent: string, bookings: number] => [
  amountOf(entries.reduce((total, { sum }) => total + sum, 0n)),
  entries.reduce((total, { bookings }) => total + bookings, 0),
];

const less = (budget: string | null, ...taken: string[]) =>
  budget === null ? null : amountOf(taken.reduce((sum, one) => sum - cents(one), cents(budget)));

/** Returns the department above one before a day. */
const parentOf = ({ parents }: Known, id: string, to: string) =>
  parents.get(id)?.findLast(([since]) => since < to)?.[1] ?? null;

function isBelow(known: Known, id: string, above: string, to: string): boolean {
  const parent = parentOf(known, id, to);
  return parent !== null && (parent === above || isBelow(known, parent, above, to));
}

const budgetOn = ({ budgets }: Known, id: string, start: string) =>
  budgets.get(id)?.findLast(({ from }) => (from ?? '') <= start)?.budget ?? null;

/** Returns the figures of each department. @param starts of the budget periods; null: not of whole ones */
export function departmentFigures(known: Known, from: string, to: string, starts: readonly string[] | null) {
  const entries = within(known, from, to);
  const figures = known.ids.map((id) => {
    const [spent, bookings] = totalOf(entries.filter(({ departmentId }) => departmentId === id));
    const [spentBelow] = totalOf(entries.filter(({ departmentId }) => isBelow(known, departmentId, id, to)));
    const each = starts?.map((start) => budgetOn(known, id, start)) ?? [null];
    const budget = each.some((one) => one === null)
      ? null
      : amountOf(each.reduce((sum, one) => sum + cents(one ?? '0.00'), 0n));
    const remaining = less(budget, spent);
    return [
      id,
      { id, budget, spent, bookings, spentBelow, remaining, remainingWithBelow: less(remaining, spentBelow) },
    ] as const;
  });
  return Object.fromEntries(figures.map(([id, { id: _, ...figure }]) => [id, figure]));
}

/** Returns spending and number of bookings by the values of a field, or by month. */
export function groupFigures(known: Known, from: string, to: string, field: string, ofDepartment?: string) {
  const groups = new Map<string, Entry[]>();
  for (const entry of within(known, from, to)) {
    if (ofDepartment !== undefined && entry.departmentId !== ofDepartment) continue;
    const key = field === 'month' ? entry.day.slice(0, 7) : String(entry[field as keyof Entry]);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  const totals = [...groups].map(([key, entries]) => [key, totalOf(entries)] as const);
  return Object.fromEntries(totals.filter(([, [spent, bookings]]) => spent !== '0.00' || bookings > 0));
}

/** Returns what a department has left in a budget period for an amount. */
export function remainingOf(known: Known, departmentId: string, from: string, to: string, amount: string) {
  const entries = within(known, from, to);
  const figureOf = (id: string) => {
    const [own] = totalOf(entries.filter((entry) => entry.departmentId === id));
    const [whole] = totalOf(
      entries.filter((entry) => entry.departmentId === id || isBelow(known, entry.departmentId, id, to)),
    );
    const budget = budgetOn(known, id, from);
    return { id, budget, own, whole, remainingWithBelow: less(budget, whole) };
  };
  const line: string[] = [];
  for (let id: string | null = departmentId; id !== null; id = parentOf(known, id, to)) line.push(id);
  const { budget, own, whole, remainingWithBelow } = figureOf(departmentId);
  const remaining = less(budget, own);
  const overBudget = line
    .map(figureOf)
    .flatMap(({ id, remainingWithBelow: left }) =>
      left !== null && cents(left) < cents(amount) ? [{ id, remainingWithBelow: left }] : [],
    );
  return {
    ...{ departmentId, from, to, budget, spent: own, remaining, after: less(remaining, amount) },
    ...{ spentBelow: less(whole, own), remainingWithBelow, overBudget },
  };
}
