import type { company } from './company.ts';
import type { CalendarDate } from './dates.ts';
import type { RowOf } from './entity.ts';

const MONTHS = { MONTH: 1, QUARTER: 3, YEAR: 12 } as const;

/** A budget period: its first day, and the first day of the next one. */
export interface BudgetPeriod {
  from: CalendarDate;
  next: CalendarDate;
}

/** What decides on the budget periods of a company. */
export type BudgetSettings = RowOf<typeof company, 'budgetPeriod' | 'fiscalYearStart'>;

/** Returns the budget period of a company that a day is in. Quarters and years begin with its financial year. */
export function budgetPeriodOn(day: CalendarDate, { budgetPeriod, fiscalYearStart }: BudgetSettings): BudgetPeriod {
  const length = MONTHS[budgetPeriod];
  const start = fiscalYearStart - 1;
  const month = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
  const first = Math.floor((month - start) / length) * length + start;
  return { from: firstDayOf(first), next: firstDayOf(first + length) };
}

/** @param month counted from year 0 */
function firstDayOf(month: number): CalendarDate {
  const year = String(Math.floor(month / 12)).padStart(4, '0');
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}-01` as CalendarDate;
}
