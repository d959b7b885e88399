import { company, externalId } from './company.ts';
import { type CalendarDate, isCalendarDate } from './dates.ts';
import { type Entity, referenceWithinCompany, withColumns } from './entity.ts';
import { customFields } from './formed-values.ts';
import { amountOf, cents, type DecimalString } from './money.ts';
import { money, type Reading, text, uuid, type ValueKind } from './values.ts';

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
    const { from: day, budget: sum, ...others } = entry as Partial<Record<string, unknown>>;
    const [from, budget] = [day, sum].map((value) => (value === '' ? null : value));
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

/** The company that a row belongs to. */
export const companyId = {
  kind: uuid,
  references: 'company',
  namedBy: 'companyGstin',
  example: company.fields.id.example,
} as const;

const byCostCode = {
  fields: ['companyId', 'costCode'],
  constraint: 'departments_cost_code',
  ignoresCase: true,
} as const;

/** Maximum number of levels of the tree of departments. */
const MAX_DEPARTMENT_LEVELS = 10;

export const department = {
  name: 'department',
  noun: 'department',
  table: 'departments',
  file: 'departments.csv',
  hasTimestamps: true,
  id: 'id',
  unique: [byCostCode, { fields: ['companyId', 'externalId'], constraint: 'departments_external_id' }],
  naturalKey: byCostCode,
  rank: 4,
  auditSubject: { company: 'companyId' },
  fields: withColumns({
    id: { kind: uuid, example: '812cea8f-2ed7-4e7c-a0f7-655fad31b48c' },
    companyId,
    name: { kind: text(200), folded: true, example: 'Finance' },
    costCode: { kind: text(50), folded: true, example: 'FIN-100' },
    budget: {
      kind: money,
      nullable: true,
      description: 'For the present budget period of the company and those to come; null: none',
      example: '1200000.00',
    },
    budgets: {
      column: 'budget_history',
      kind: budgetHistory,
      nullable: true,
      sqlDefault: 'null',
      description: 'What the budget is and was, each from a day on, the first one ever since',
      example: null,
    },
    parentId: {
      ...referenceWithinCompany('department', 'The department above, of the same company; null at the top'),
      namedBy: 'parentCostCode',
      hierarchy: { levels: MAX_DEPARTMENT_LEVELS },
    },
    headId: referenceWithinCompany(
      'user',
      'The person who heads the department, of the same company',
      'd23dea7a-7498-46ef-9bdf-27944b5296e9',
    ),
    legalEntityId: referenceWithinCompany(
      'legalEntity',
      'The legal entity of its people; null in a request: that of the department above, or of the company',
    ),
    externalId,
    fields: customFields,
  }),
} as const satisfies Entity;

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
