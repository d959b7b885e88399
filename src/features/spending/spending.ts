import sql, { type Sql } from 'sql-template-tag';
import { type BudgetSettings, budgetPeriodOn } from '../../entities/budget-period.ts';
import { type CalendarDate, dayBefore } from '../../entities/dates.ts';
import type { DecimalString } from '../../entities/money.ts';
import { bookedIn, TOTALS } from './spending-queries.ts';

/** What a department may still spend in a budget period, before and after an amount. */
export interface RemainingBudget {
  departmentId: string;
  /** First and last day of the period. */
  from: CalendarDate;
  until: CalendarDate;
  budget: DecimalString;
  spent: DecimalString;
  remaining: DecimalString;
  after: DecimalString;
}

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
