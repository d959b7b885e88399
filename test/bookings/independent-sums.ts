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

function grouped(entries: readonly Entry[], keyOf: (entry: Entry) => string): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group) group.push(entry);
    else groups.set(keyOf(entry), [entry]);
  }
  return groups;
}

const totalOf = (entries: readonly Entry[]): [spent: string, bookings: number] => [
  amountOf(entries.reduce((total, { sum }) => total + sum, 0n)),
  entries.reduce((total, { bookings }) => total + bookings, 0),
];

/** Returns what sums up the departments of a kind. */
function totalsIn(known: Known, from: string, to: string) {
  const groups = [...grouped(within(known, from, to), ({ departmentId }) => departmentId)];
  return (isOne: (departmentId: string) => boolean) =>
    totalOf(groups.filter(([id]) => isOne(id)).flatMap(([, entries]) => entries));
}

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
  const spentIn = totalsIn(known, from, to);
  const figures = known.ids.map((id) => {
    const [spent, bookings] = spentIn((other) => other === id);
    const [spentBelow] = spentIn((other) => isBelow(known, other, id, to));
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
  const entries = within(known, from, to).filter(
    ({ departmentId }) => ofDepartment === undefined || departmentId === ofDepartment,
  );
  const groups = grouped(entries, (entry) =>
    field === 'month' ? entry.day.slice(0, 7) : String(entry[field as keyof Entry]),
  );
  const totals = [...groups].map(([key, each]) => [key, totalOf(each)] as const);
  return Object.fromEntries(totals.filter(([, [spent, bookings]]) => spent !== '0.00' || bookings > 0));
}

/** Returns what a department has left in a budget period for an amount. */
export function remainingOf(known: Known, departmentId: string, from: string, to: string, amount: string) {
  const spentIn = totalsIn(known, from, to);
  const figureOf = (id: string) => {
    const [own] = spentIn((other) => other === id);
    const [whole] = spentIn((other) => other === id || isBelow(known, other, id, to));
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
