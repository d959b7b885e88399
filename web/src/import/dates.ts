import { isCalendarDate } from '../../../src/entities/dates.ts';

/** How dates are read that are not ISO 8601. Undefined: nobody has chosen, and none with a day and a month below 13 is read. */
export interface DateFormat {
  order: 'day-first' | 'month-first' | undefined;
  /** Whole numbers are days as Excel counts them. */
  serials: boolean;
}

/** In English and German, by their first three letters without accents. */
const MONTHS = [
  ['jan'],
  ['feb'],
  ['mar', 'mrz'],
  ['apr'],
  ['may', 'mai'],
  ['jun'],
  ['jul'],
  ['aug'],
  ['sep'],
  ['oct', 'okt'],
  ['nov'],
  ['dec', 'dez'],
] as const;

const NUMERIC = /^(\d{1,2})[./-](\d{1,2})[./-](\d{2}|\d{4})$/;
const NAMED = /^(?:(\d{1,2})[. -]*(\p{L}+)|(\p{L}+)[. -]*(\d{1,2}))[., -]+(\d{2}|\d{4})$/u;
const ISO = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
/** What spreadsheets write behind a date that has no time. */
const MIDNIGHT = /[T ](?:0{1,2}:00(?::00(?:\.0+)?)?Z?|12:00(?::00)? ?AM)$/i;
/** Days from this to 31 December 9999, as Excel counts them; before it Excel has a day that there was not. */
const [FIRST_SERIAL, LAST_SERIAL] = [61, 2_958_465];

/** Returns the date as `YYYY-MM-DD`; undefined where the text is none, or could be two. */
export function readDate(text: string, { order, serials }: DateFormat): string | undefined {
  const bare = withoutTime(text);
  const iso = ISO.exec(bare);
  if (iso) return dateOf(iso[1], iso[2], iso[3]);
  const named = NAMED.exec(bare);
  if (named) return dateOf(named[5], monthOf(named[2] ?? named[3] ?? ''), named[1] ?? named[4]);
  const numeric = NUMERIC.exec(bare);
  if (numeric) {
    const [, first, second, year] = numeric;
    if (order === 'month-first') return dateOf(year, first, second);
    return order === 'day-first' || Number(first) === Number(second) ? dateOf(year, second, first) : undefined;
  }
  return serials && isSerial(bare) ? dateOfSerial(Number(bare)) : undefined;
}

/** Returns the order that the dates of a column allow; undefined where they allow both or none. */
export function orderOf(texts: Iterable<string>): DateFormat['order'] {
  let [isDayFirst, isMonthFirst] = [false, false];
  for (const text of texts) {
    const [, first, second] = NUMERIC.exec(withoutTime(text)) ?? [];
    isDayFirst ||= Number(first) > 12;
    isMonthFirst ||= Number(second) > 12;
  }
  if (isDayFirst === isMonthFirst) return undefined;
  return isDayFirst ? 'day-first' : 'month-first';
}

/** Whether the order decides how a text is read. */
export function needsOrder(text: string): boolean {
  return NUMERIC.test(withoutTime(text));
}

function withoutTime(text: string): string {
  return text.trim().replace(MIDNIGHT, '');
}

/** Whether a text may be a day as Excel counts them. */
export function isSerial(text: string): boolean {
  const days = /^\d{2,7}$/.test(text) ? Number(text) : 0;
  return days >= FIRST_SERIAL && days <= LAST_SERIAL;
}

/** The date of a day as Excel counts it. */
export function dateOfSerial(days: number): string {
  return new Date(Date.UTC(1899, 11, 30 + days)).toISOString().slice(0, 10);
}

function monthOf(name: string): string | undefined {
  const start = name.normalize('NFD').replace(/\p{M}/gu, '').slice(0, 3).toLowerCase();
  const month = MONTHS.findIndex((names) => names.some((known) => known === start)) + 1;
  return month === 0 ? undefined : String(month);
}

function dateOf(year: string | undefined, month: string | undefined, day: string | undefined): string | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const date = `${fullYear(year)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
}

/** Two digits are of 1930 to 2029, as spreadsheets have it. */
function fullYear(year: string): string {
  return year.length === 4 ? year : `${Number(year) < 30 ? '20' : '19'}${year}`;
}
