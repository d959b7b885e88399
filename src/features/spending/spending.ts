import sql, { type Sql } from 'sql-template-tag';
import { type Static, Type } from 'typebox';
import { type BudgetSettings, budgetPeriodOn } from '../../entities/budget-period.ts';
import { type CalendarDate, dayBefore } from '../../entities/dates.ts';
import { department } from '../../entities/department.ts';
import { answeredFields } from '../../entities/field-schemas.ts';
import type { DecimalString } from '../../entities/money.ts';
import { date } from '../../entities/values.ts';
import { bookedIn, TOTALS } from './spending-queries.ts';
import { amount as sum } from './spending-schemas.ts';

const day = (description: string, example: string) => Type.String({ ...date.schema, description, examples: [example] });

/** What a department may still spend in a budget period, before and after an amount. */
export const RemainingBudgetView = Type.Object(
  {
    departmentId: answeredFields(department, ['id']).id,
    from: day('The first day of the budget period', '2026-04-01'),
    until: day('The last day of the budget period', '2027-03-31'),
    ...answeredFields(department, ['budget']),
    spent: sum('Sum of the bookings of the department in the period', '420000.00'),
    remaining: sum('Before the booking; negative if more was spent', '780000.00'),
    after: sum('After the booking; negative: over budget', '720000.00'),
  },
  { title: 'RemainingBudget', description: "Of the person's department; null without a person" },
);
export type RemainingBudget = Static<typeof RemainingBudgetView>;

/** Returns SQL for the {@link RemainingBudget} of a department in the period of a day if an amount is spent, as one JSON object. */
export function remainingBudget(
  { companyId, departmentId, ...settings }: BudgetSettings & { companyId: string; departmentId: string },
  amount: DecimalString,
  day: CalendarDate,
): Sql {
  const { from, next } = budgetPeriodOn(day, settings);
  const own = sql`company_id = ${companyId}::uuid and department_id = ${departmentId}::uuid`;
  return sql`(
    select json_build_object(
             'departmentId', id, 'from', ${from}::text, 'until', ${dayBefore(next)}::text, 'budget', budget::text,
             'spent', spent::text, 'remaining', (budget - spent)::text, 'after', (budget - spent - ${amount}::text::numeric)::text)
      from departments, (select ${TOTALS} from (${bookedIn({ from, to: next }, own)}) booked) totals
     where id = ${departmentId}::uuid)`;
}
