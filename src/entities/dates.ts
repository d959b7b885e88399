const CALENDAR_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A calendar date as `YYYY-MM-DD`: a day, without a time zone. */
export type CalendarDate = string;

/** Whether the text is an existing date of the Gregorian calendar as `YYYY-MM-DD`: 2023-02-29 is not. */
export function isCalendarDate(text: string): text is CalendarDate {
  const match = CALENDAR_DATE.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Whether this is the name of a time zone (IANA) that has days. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Returns today's date in a time zone. */
export function todayIn(timeZone: string): CalendarDate {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date());
}

/** Today's date in UTC. */
export function todayUtc(): CalendarDate {
  return new Date().toISOString().slice(0, 10);
}

/** Returns the date as an ISO 8601 date-time at midnight UTC with milliseconds, the format of API responses (spec.: User). */
export function midnightUtc(date: CalendarDate): string {
  return `${date}T00:00:00.000Z`;
}

const DATE_TIME =
  /^(?<date>\d{4}-\d\d-\d\d)T(?<time>(?:[01]\d|2[0-3]):[0-5]\d)(?::(?<seconds>[0-5]\d|60)(?:\.(?<fraction>\d+))?)?(?:Z|(?<sign>[+-])(?<hours>[01]\d|2[0-3]):(?<minutes>[0-5]\d))$/i;

/**
 * Parses an RFC 3339 date-time, whose seconds may be missing. Digits beyond microseconds are truncated; a leap second becomes the second
 * after it.
 *
 * @returns the instant in UTC, as `2025-01-31T09:30:00.123456Z`; undefined for anything else
 */
export function parseInstant(text: string): string | undefined {
  const groups = DATE_TIME.exec(text)?.groups;
  const { date = '', time = '', seconds = '00', fraction = '', sign, hours, minutes } = groups ?? {};
  if (!isCalendarDate(date)) return undefined;
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1);
  const minute = Date.parse(`${date}T${time}Z`) - offset * 60_000;
  if (seconds === '60' && !new Date(minute).toISOString().endsWith('T23:59:00.000Z')) return undefined;
  const instant = new Date(minute + Number(seconds) * 1000).toISOString().replace(/\.000Z$/, '');
  return `${instant}${fraction === '' ? '' : `.${fraction.slice(0, 6)}`}Z`;
}

const MIDNIGHT_UTC = /^(.{10})T00:00:00(?:\.0+)?(?:Z|[+-]00:00)$/i;

/** Returns the date of a date-time at midnight UTC; any other text unchanged. */
export function dateOfMidnight(text: string): string {
  return MIDNIGHT_UTC.exec(text)?.[1] ?? text;
}

const MONTHS = { MONTH: 1, QUARTER: 3, YEAR: 12 } as const;

/** A budget period: its first day, and the first day of the next one. */
export interface BudgetPeriod {
  from: CalendarDate;
  to: CalendarDate;
}

/** What decides on the budget periods of a company. */
export interface BudgetSettings {
  budgetPeriod: keyof typeof MONTHS;
  /** The first month, from 1. */
  fiscalYearStart: number;
}

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

/** The last day that a date can be. */
const LAST_DAY = '9999-12-31';

/** @param month counted from year 0 */
function firstDayOf(month: number): CalendarDate {
  if (month >= 120_000) return LAST_DAY;
  const year = String(Math.floor(month / 12)).padStart(4, '0');
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}-01` as CalendarDate;
}
