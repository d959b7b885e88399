import sql from 'sql-template-tag';
import type { Reader } from '../../db/database.ts';
import { type CalendarDate, dayBefore } from '../../entities/dates.ts';
import type { DecimalString } from '../../entities/money.ts';
import { bookedIn, budgetPeriodOf, TOTALS } from './spending-queries.ts';

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

/** Returns what remains of a department's budget in the period of a day if an amount is spent. */
export async function remainingBudget(
  db: Reader,
  {
    companyId,
    departmentId,
    amount,
    day,
  }: { companyId: string; departmentId: string; amount: DecimalString; day: CalendarDate },
): Promise<RemainingBudget> {
  const { from, next } = await budgetPeriodOf(db, companyId, day);
  const own = sql`company_id = ${companyId}::uuid and department_id = ${departmentId}::uuid`;
  const [found] = await db.query<Pick<RemainingBudget, 'budget' | 'spent' | 'remaining' | 'after'>>(sql`
    select budget::text, spent::text, (budget - spent)::text as remaining, (budget - spent - ${amount}::text::numeric)::text as after
      from departments, (select ${TOTALS} from (${bookedIn({ from, to: next }, own)}) booked) totals where id = ${departmentId}`);
  if (found === undefined) throw new TypeError(`There is no department ${departmentId}`);
  return { departmentId, from, until: dayBefore(next), ...found };
}
