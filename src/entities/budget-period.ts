import type { company } from './company.ts';
import type { CalendarDate } from './dates.ts';
import type { RowOf } from './entity.ts';

const MONTHS = { MONTH: 1, QUARTER: 3, YEAR: 12 } as const;

/** A budget period: its first day, and the first day of the next one. */
export interface BudgetPeriod {
  from: CalendarDate;
  to: CalendarDate;
}

/** What decides on the budget periods of a company. */
export type BudgetSettings = RowOf<typeof company, 'budgetPeriod' | 'fiscalYearStart'>;

/** Returns the budget period of a company that a day is in. Quarters and years begin with its financial year. */
export function budgetPeriodOn(day: CalendarDate, { budgetPeriod, fiscalYearStart }: BudgetSettings): BudgetPeriod {
  const length = MONTHS[budgetPeriod];
  const start = fiscalYearStart - 1;
  const month = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
  const first = Math.floor((month - start) / length) * length + start;
  return { from: firstDayOf(first), to: firstDayOf(first + length) };
}

/** Maximum number of budget periods whose budgets are added up. */
const MAX_PERIODS = 1200;

/** Returns the first days of the budget periods between two days; null if they are not the ends of whole ones. */
export function periodStarts(from: CalendarDate, to: CalendarDate, settings: BudgetSettings): CalendarDate[] | null {
  const starts: CalendarDate[] = [];
  let next = from;
  while (next < to && starts.length < MAX_PERIODS) {
    const period = budgetPeriodOn(next, settings);
    if (period.from !== next) return null;
    starts.push(next);
    next = period.to;
  }
  return next === to && starts.length > 0 ? starts : null;
}

/** @param month counted from year 0 */
function firstDayOf(month: number): CalendarDate {
  const year = String(Math.floor(month / 12)).padStart(4, '0');
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}-01` as CalendarDate;
}
