import type { Separators } from '../../src/entities/money.ts';
import { locale } from './translate.ts';

/** Formats amounts in a currency. */
export interface Money {
  /** Formats a decimal text exactly: it never becomes a floating-point number. */
  formatMoney: (amount: string) => string;
  /** Formats a sum of hundredths. */
  formatSum: (hundredths: bigint) => string;
  /** The sign of the currency, for boxes in which amounts are typed. */
  sign: string;
}

/** Returns the formats of amounts in a currency. @param currency of ISO 4217 */
export function moneyIn(currency: string): Money {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    trailingZeroDisplay: 'stripIfInteger',
  });
  const formatMoney = (amount: string) => format.format(amount as Intl.StringNumericLiteral);
  return {
    formatMoney,
    formatSum: (hundredths) => formatMoney(`${hundredths}e-2`),
    sign: format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency,
  };
}

const whole = new Intl.NumberFormat(locale);
const ungrouped = new Intl.NumberFormat(locale, { useGrouping: false, minimumFractionDigits: 2 });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** Returns a decimal text as the reader would type it. */
export function typedAmount(amount: string): string {
  return amount.replace(/\.00$/, '').replace('.', separators.decimal);
}

export function formatCount(count: number): string {
  return whole.format(count);
}

const degrees = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Formats coordinates, to about a kilometre. */
export function formatPosition({ latitude, longitude }: { latitude: number; longitude: number }): string {
  const part = (value: number, [positive, negative]: readonly [string, string]) =>
    `${degrees.format(Math.abs(value))}° ${value < 0 ? negative : positive}`;
  return `${part(latitude, ['N', 'S'])}, ${part(longitude, ['E', 'W'])}`;
}

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats the day of a date-time at midnight UTC. */
export function formatDate(iso: string): string {
  return day.format(new Date(iso));
}

const [shortMonth, longMonth] = (['short', 'long'] as const).map(
  (month) =>
    new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC', ...(month === 'long' ? { year: 'numeric' } : {}) }),
);

/** Formats a month in the form `2026-01`. @param isLong with the year */
export function formatMonth(month: string, isLong: boolean): string {
  return (isLong ? longMonth : shortMonth)?.format(new Date(`${month}-01T00:00Z`)) ?? month;
}

/** Formats a date-time in the reader's time zone. */
export function formatMoment(iso: string): string {
  return moment.format(new Date(iso));
}

const second = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });

/** As {@link formatMoment}, with seconds. */
export function formatSecond(iso: string): string {
  return second.format(new Date(iso));
}

const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });

/** Formats a date-time in the reader's time zone, with seconds and zone. */
export function formatExactly(iso: string): string {
  return exact.format(new Date(iso));
}

/** The separators of the reader's locale. */
export const separators: Separators = { group: separator('group'), decimal: separator('decimal') };
/** Example amounts as the reader may type them: one with grouped thousands, one with a fraction. */
export const amountExamples = { grouped: whole.format(75_000), plain: ungrouped.format(1250.5) };

function separator(type: 'group' | 'decimal'): string {
  return whole.formatToParts(12_345_678.9).find((part) => part.type === type)?.value ?? '';
}
