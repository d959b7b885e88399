import { isCalendarDate } from '../../entities/dates.ts';

/** How dates other than ISO 8601 are read. Order undefined: not known, so numeric dates are read only if day and month are equal. */
export interface DateFormat {
  order: 'day-first' | 'month-first' | undefined;
  /** Whether whole numbers are Excel serial dates. */
  serials: boolean;
}

/** English and German months, by their first three letters without accents. */
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
/** A time of day behind a date, which means nothing there. In UTC only midnight: any other may be of the day before or after. */
const TIME = /[T ](?:\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[AP]M)?|0{1,2}:00(?::00(?:\.0+)?)?Z)$/i;
/** Excel serial dates up to 31 December 9999. Earlier ones are excluded, as Excel counts 29 February 1900, which did not exist. */
const [FIRST_SERIAL, LAST_SERIAL] = [61, 2_958_465];

/** Returns the date as `YYYY-MM-DD`; undefined if the text is no date or ambiguous. */
export function readDate(text: string, { order, serials }: DateFormat): string | undefined {
  const bare = withoutTime(text);
  const iso = ISO.exec(bare);
  if (iso) return dateOf(iso[1], iso[2], iso[3]);
  const named = NAMED.exec(bare);
  if (named) return dateOf(named[5], monthOf(named[2] ?? named[3] ?? ''), named[1] ?? named[4]);
  const numeric = NUMERIC.exec(bare);
  if (numeric) {
    const [, first, second, year] = numeric;
    // With dots the day practically always comes first.
    if (isDotted(bare)) return dateOf(year, second, first);
    if (order === 'month-first') return dateOf(year, first, second);
    return order === 'day-first' || Number(first) === Number(second) ? dateOf(year, second, first) : undefined;
  }
  return serials && isSerial(bare) ? dateOfSerial(Number(bare)) : undefined;
}

/** Returns the order that the dates of a column allow; undefined if they allow both or neither. */
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

/** Returns whether a text depends on the order. */
export function needsOrder(text: string): boolean {
  const bare = withoutTime(text);
  return NUMERIC.test(bare) && !isDotted(bare);
}

function isDotted(text: string): boolean {
  return /^\d+\.\d+\./.test(text);
}

function withoutTime(text: string): string {
  return text.trim().replace(TIME, '');
}

/** Returns whether a text may be an Excel serial date. */
export function isSerial(text: string): boolean {
  const days = /^\d{2,7}$/.test(text) ? Number(text) : 0;
  return days >= FIRST_SERIAL && days <= LAST_SERIAL;
}

/** Returns the date of an Excel serial date. */
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

/** Returns the year of two digits between 1930 and 2029, as spreadsheets do. */
function fullYear(year: string): string {
  return year.length === 4 ? year : `${Number(year) < 30 ? '20' : '19'}${year}`;
}
