import { type CalendarDate, isCalendarDate } from './dates.ts';
import { amountOf, cents, type DecimalString } from './money.ts';
import { money, type Reading, type ValueKind } from './values.ts';

/** A budget, null for none, and the day from which it holds; null: ever since. */
export interface BudgetEntry {
  from: CalendarDate | null;
  budget: DecimalString | null;
}

/** Maximum number of budgets of a department, past and future ones. */
const MAX_BUDGETS = 200;

const RULE = `a list of 1 to ${MAX_BUDGETS} budgets in the order of their days: {"from": null, "budget": "1200000.00"}, then each with its first day`;

function read(given: unknown): Reading<string> {
  const wrong = { code: 'INVALID_VALUE', expected: RULE } as const;
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_BUDGETS) return wrong;
  let last: string | null = null;
  const entries: string[] = [];
  for (const [index, entry] of given.entries()) {
    if (typeof entry !== 'object' || entry === null) return wrong;
    const { from = null, budget = null, ...others } = entry as Partial<Record<string, unknown>>;
    const isInOrder =
      index === 0 ? from === null : typeof from === 'string' && isCalendarDate(from) && from > (last ?? '');
    const amount = budget === null ? { value: null } : money.check(budget);
    if (!isInOrder || !('value' in amount) || Object.keys(others).length > 0) return wrong;
    last = from as string | null;
    // The form of jsonb, in which the database writes it.
    entries.push(`{"from": ${JSON.stringify(from)}, "budget": ${JSON.stringify(amount.value)}}`);
  }
  return { value: `[${entries.join(', ')}]` };
}

function parse(text: string): Reading<string> {
  try {
    return read(JSON.parse(text));
  } catch {
    return { code: 'INVALID_FORMAT', expected: RULE };
  }
}

/** The budgets of a department over time, as one JSON text. */
export const budgetHistory: ValueKind<string> = {
  rule: RULE,
  sqlType: 'text',
  schema: {
    type: 'array',
    items: {
      type: 'object',
      required: ['from', 'budget'],
      properties: {
        from: { type: ['string', 'null'], format: 'date' },
        budget: { ...money.schema, type: ['string', 'null'] },
      },
    },
  },
  parse,
  check: (value) => (typeof value === 'string' ? parse(value) : read(value)),
};

/**
 * Returns the budget of whole periods, each with the one of its first day; null if one of them has none.
 *
 * @param starts their first days; null: the time is not of whole periods
 */
export function budgetOver(
  history: readonly BudgetEntry[],
  starts: readonly CalendarDate[] | null,
): DecimalString | null {
  if (starts === null) return null;
  let total = 0n;
  for (const start of starts) {
    const budget = history.findLast(({ from }) => from === null || from <= start)?.budget ?? null;
    if (budget === null) return null;
    total += cents(budget);
  }
  return amountOf(total);
}
