import sql, { type Sql } from 'sql-template-tag';
import { type Static, Type } from 'typebox';
import { type BudgetSettings, budgetPeriodOn, type CalendarDate } from '../../entities/dates.ts';
import { department } from '../../entities/department.ts';
import { answeredFields, nullable } from '../../entities/field-schemas.ts';
import type { DecimalString } from '../../entities/money.ts';
import { date } from '../../entities/values.ts';
import { parentsBefore } from './spending-queries.ts';
import { SPAN, amount as sum } from './spending-schemas.ts';

const day = (description: string, example: string) => Type.String({ ...date.schema, description, examples: [example] });

/** What a department may still spend in a budget period, before and after an amount. */
export const RemainingBudgetView = Type.Object(
  {
    departmentId: answeredFields(department, ['id']).id,
    from: day('The first day of the budget period', '2026-04-01'),
    to: day('The first day of the next one', '2027-04-01'),
    currency: SPAN.currency,
    ...answeredFields(department, ['budget']),
    spent: sum('Sum of the bookings of the department in the period', '420000.00'),
    remaining: nullable<string>(sum('Before the booking; negative if more was spent', '780000.00')),
    after: nullable<string>(sum('After the booking; negative: over budget', '720000.00')),
    spentBelow: sum('Sum of the bookings in all departments below it', '0.00'),
    remainingWithBelow: nullable<string>(sum('What remains if spentBelow is taken off too', '780000.00')),
    overBudget: Type.Array(
      Type.Object({
        ...answeredFields(department, ['id', 'name']),
        remainingWithBelow: sum('Before the booking', '20000.00'),
      }),
      {
        description:
          'The department and those above it that would have spent, with those below, more than their budget, the nearest first',
      },
    ),
  },
  { title: 'RemainingBudget', description: "Of the person's department; null without a person" },
);
export type RemainingBudget = Static<typeof RemainingBudgetView>;

/** Whose budget remains, in which settings. */
type BudgetOf = BudgetSettings & { companyId: string; departmentId: string; timeZone: string; currency: string | null };

/** Returns SQL for the {@link RemainingBudget} of a department in the period of a day if an amount is spent, as one JSON object. */
export function remainingBudget(
  { companyId, departmentId, timeZone, currency, ...settings }: BudgetOf,
  amount: DecimalString,
  day: CalendarDate,
): Sql {
  const { from, to } = budgetPeriodOn(day, settings);
  return sql`(
    with recursive parents as materialized (${parentsBefore(companyId, { to, timeZone })}),
    ladder (id, depth) as (
      select ${departmentId}::uuid, 1
      union all
      select parents.parent_id, depth + 1 from ladder join parents on parents.id = ladder.id
       where parents.parent_id is not null and depth < 50),
    budgeted as materialized (
      select departments.id, name, depth, department_budget(budget_history, ${from}::date) as budget
        from ladder join departments on departments.id = ladder.id),
    -- Of those above, only what has a budget.
    tree (above, id) as (
      select id, id from budgeted where depth = 1 or budget is not null
      union all
      select tree.above, parents.id from tree join parents on parents.parent_id = tree.id),
    booked as materialized (
      select department_id as id, sum(amount) as spent from booking_sums
       where company_id = ${companyId}::uuid and department_id in (select id from tree)
         and month >= ${from}::date and month < ${to}::date
       group by department_id),
    totals as materialized (
      select budgeted.*, coalesce(sum(spent) filter (where booked.id = budgeted.id), 0.00) as own, coalesce(sum(spent), 0.00) as whole
        from budgeted join tree on tree.above = budgeted.id left join booked on booked.id = tree.id
       group by budgeted.id, name, depth, budget)
    select json_build_object(
             'departmentId', id, 'from', ${from}::text, 'to', ${to}::text, 'currency', ${currency}::text, 'budget', budget::text,
             'spent', own::text, 'remaining', (budget - own)::text, 'after', (budget - own - ${amount}::text::numeric)::text,
             'spentBelow', (whole - own)::text, 'remainingWithBelow', (budget - whole)::text,
             'overBudget', coalesce((
               select json_agg(json_build_object('id', over.id, 'name', over.name, 'remainingWithBelow', (over.budget - over.whole)::text)
                               order by over.depth)
                 from totals over where over.budget - over.whole < ${amount}::text::numeric), '[]'))
      from totals where depth = 1)`;
}
