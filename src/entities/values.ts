import type { FieldProblemCode } from '../lib/errors.ts';
import { type CalendarDate, isCalendarDate, midnightUtc, todayUtc } from './dates.ts';
import { gstinFault } from './gstin.ts';
import { AMOUNT, parseAmount } from './money.ts';
import { isCanonicalUuid } from './uuid.ts';

/** A value that holds to its rule, in the form in which it is kept; or why it does not: `expected` completes "must be …". */
export type Checked<Value> = { value: Value } | { code: FieldProblemCode; expected: string };

/** A kind of value: the one rule for it, wherever it comes from. */
export interface ValueKind<Value extends string | number | boolean = string | number | boolean> {
  /** The rule in words, to complete "must be …". */
  rule: string;
  /** The type in SQL that takes every value, whole. */
  sqlType: 'uuid' | 'text' | 'numeric' | 'integer' | 'boolean' | 'date' | 'timestamptz';
  /** Keywords of JSON Schema for the values as they are kept. */
  schema: Readonly<Record<string, unknown>>;
  /** Those for the values as they are given, beside the type, where these are others. */
  given?: Readonly<Record<string, unknown>>;
  /** Checks a value of JSON. Texts are trimmed. */
  check(value: unknown): Checked<Value>;
  /** Checks a text that stands for a value: a cell of a CSV file, or what is typed into a form. */
  parse(text: string): Checked<Value>;
}

/** The sentence for people on a field that does not hold to its rule. */
export function fieldMessage(field: string, expected: string): string {
  return `${field} must be ${expected}.`;
}

/** Control characters (NUL among them) and halves of surrogate pairs, which are no text. */
const UNWRITABLE = /[\p{Cc}\p{Cs}]/u;

/** Texts are trimmed before they are checked. */
const NOT_BLANK = '\\S';

/** One line of text, of `minimum` to `maximum` code points: trimmed, without control characters and lone surrogates. */
export function text(maximum: number, minimum = 1): ValueKind<string> {
  const length = minimum === 0 ? 'up to' : `${minimum} to`;
  const read = (value: string): string | Fault => {
    if (UNWRITABLE.test(value)) return { code: 'INVALID_VALUE' };
    if (value.length < minimum) return { code: 'TOO_SHORT' };
    return isLonger(value, maximum) ? { code: 'TOO_LONG' } : value;
  };
  const schema = { ...(minimum === 0 ? {} : { minLength: minimum, pattern: NOT_BLANK }), maxLength: maximum };
  return textKind(`${length} ${maximum} characters without control characters`, read, 'text', schema);
}

/** One of some words, as they are written. @param title of the words in the OpenAPI document */
export function choice<const Choice extends string>(choices: readonly Choice[], title?: string): ValueKind<Choice> {
  const find = (word: string) => choices.find((known) => known === word) ?? ({ code: 'INVALID_VALUE' } satisfies Fault);
  return textKind<Choice>(`one of ${choices.join(', ')}`, find, 'text', {
    ...(title === undefined ? {} : { title }),
    enum: choices,
  });
}

/** An id in the canonical form alone; kept in lower case, as PostgreSQL writes it. */
export const uuid = textKind(
  'a UUID such as 3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43, with its hyphens and without braces',
  (value) => (isCanonicalUuid(value) ? value.toLowerCase() : undefined),
  'uuid',
  { format: 'uuid' },
);

/** Money with up to two fraction digits, kept with two; nothing is rounded. */
export const money = textKind(
  'an amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators',
  parseAmount,
  'numeric',
  { description: 'Decimal amount with two fraction digits', pattern: '^(0|[1-9]\\d{0,12})\\.\\d{2}$' },
  { pattern: AMOUNT.source },
);

const EMAIL = /^[^@\s\p{Cc}\p{Cf}\p{Cs}]+@[^@\s\p{Cc}\p{Cf}\p{Cs}]+$/u;

/** Whether the text is an e-mail address: one `@` with something on both sides, of at most 254 characters. */
export function isEmail(value: string): boolean {
  return EMAIL.test(value) && !isLonger(value, 254);
}

export const email = textKind(
  'an e-mail address of at most 254 characters',
  (value) => (isEmail(value) ? value : undefined),
  'text',
  { format: 'email', maxLength: 254 },
);

const REGISTRATION = /^[0-9A-Za-z-]{1,30}$/;

/** A tax registration number of any country; one that has the form of an Indian GSTIN is checked as such. */
export const gstin = textKind(
  'a registration number of 1 to 30 letters (A to Z), digits or hyphens',
  (value) => {
    if (!REGISTRATION.test(value)) return undefined;
    const expected = gstinFault(value);
    return expected === undefined ? value : { code: 'INVALID_VALUE', expected };
  },
  'text',
  { description: 'Tax registration number', pattern: REGISTRATION.source },
);

/** 7 to 15 digits (ITU-T E.164 allows no more); the separators between two of them are bounded, so that the whole is. */
const PHONE = /^\+?[ (]{0,2}\d(?:[ ()-]{0,5}\d){6,14}\)?$/;

export const phone = textKind(
  'an optional +, then 7 to 15 digits, with spaces, hyphens and brackets allowed among them',
  (value) => (PHONE.test(value) ? value : undefined),
  'text',
  { pattern: PHONE.source },
);

const PINCODE = /^[A-Za-z0-9 -]*$/;

/** A postal code. */
export const pincode = textKind(
  '3 to 12 letters (A to Z), digits, spaces or hyphens',
  (value) => {
    if (!PINCODE.test(value)) return undefined;
    if (value.length < 3) return { code: 'TOO_SHORT' };
    return value.length > 12 ? { code: 'TOO_LONG' } : value;
  },
  'text',
  { minLength: 3, maxLength: 12, pattern: PINCODE.source },
);

/** The earliest date of birth that is taken. */
const EARLIEST_BIRTH: CalendarDate = '1900-01-01';
const MIDNIGHT_UTC = midnightUtc('');

/** A date up to today, as `YYYY-MM-DD` or as the midnight-UTC date-time that the API answers; kept as `YYYY-MM-DD`. */
export const birthDate = textKind(
  `a calendar date from ${EARLIEST_BIRTH} to today, as YYYY-MM-DD`,
  (given) => {
    const value = given.endsWith(MIDNIGHT_UTC) ? given.slice(0, -MIDNIGHT_UTC.length) : given;
    if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
    if (!isCalendarDate(value)) return { code: 'INVALID_VALUE' };
    return value < EARLIEST_BIRTH || value > todayUtc() ? { code: 'OUT_OF_RANGE' } : value;
  },
  'date',
  { format: 'date' },
  { pattern: '^\\d{4}-\\d{2}-\\d{2}(T00:00:00\\.000Z)?$' },
);

const DATE_TIME =
  /^(?<minute>(?<date>\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d)(?::[0-5]\d(?:\.\d{1,6})?)?(?<zone>Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** An instant, which PostgreSQL keeps to the microsecond. Its year is that in UTC: so it is exported, and can be imported. */
export const timestamp = textKind(
  'a date-time with its time zone, from the year 1900 to 9999 in UTC, such as 2025-01-31T09:30:00Z or 2025-01-31T15:00:00+05:30',
  (value) => {
    const { minute = '', date = '', zone = '' } = DATE_TIME.exec(value)?.groups ?? {};
    const year = isCalendarDate(date) ? new Date(`${minute}${zone}`).getUTCFullYear() : Number.NaN;
    return year >= 1900 && year <= 9999 ? value : undefined;
  },
  'timestamptz',
  { format: 'date-time' },
);

/** The largest `integer` of PostgreSQL. */
const LARGEST_INTEGER = 2_147_483_647;

/** A whole number: in a text in plain digits. */
export function integer(minimum: number): ValueKind<number> {
  const range = `from ${minimum} to ${LARGEST_INTEGER}`;
  const rule = `a whole number ${range}`;
  function check(value: unknown, expected = rule): Checked<number> {
    if (typeof value !== 'number' || !Number.isInteger(value)) return { code: 'INVALID_TYPE', expected };
    return value >= minimum && value <= LARGEST_INTEGER ? { value } : { code: 'OUT_OF_RANGE', expected };
  }
  return {
    rule,
    sqlType: 'integer',
    schema: { type: 'integer', minimum, maximum: LARGEST_INTEGER },
    check: (value) => check(value),
    parse: (digits) =>
      check(/^\d+$/.test(digits) ? Number(digits) : digits, `a whole number in digits alone, ${range}`),
  };
}

const WORDS = new Map([
  ['true', true],
  ['false', false],
]);

export const boolean: ValueKind<boolean> = {
  rule: 'true or false',
  sqlType: 'boolean',
  schema: { type: 'boolean' },
  check: (value) => (typeof value === 'boolean' ? { value } : { code: 'INVALID_TYPE', expected: boolean.rule }),
  parse: (word) => boolean.check(WORDS.get(word.toLowerCase())),
};

/** Why a text does not hold to the rule; `expected` where the rule in words would not say it. */
interface Fault {
  code: FieldProblemCode;
  expected?: string;
}

/** A kind whose values are texts in JSON too. @param read gives the value of a trimmed text; undefined where that is of another form */
function textKind<Value extends string>(
  rule: string,
  read: (text: string) => Value | Fault | undefined,
  sqlType: ValueKind['sqlType'] = 'text',
  schema: ValueKind['schema'] = {},
  given?: ValueKind['given'],
): ValueKind<Value> {
  function parse(given: string): Checked<Value> {
    const reading = read(given.trim()) ?? { code: 'INVALID_FORMAT' };
    return typeof reading === 'string' ? { value: reading } : { expected: rule, ...reading };
  }
  return {
    rule,
    sqlType,
    schema: { type: 'string', ...schema },
    ...(given === undefined ? {} : { given }),
    parse,
    check(value) {
      if (typeof value === 'string') return parse(value);
      // The parser of queries gives a list for a name that comes twice.
      if (Array.isArray(value)) return { code: 'DUPLICATE', expected: 'given once, as one text' };
      return { code: 'INVALID_TYPE', expected: sqlType === 'numeric' ? `a text with ${rule}` : 'a text' };
    },
  };
}

/** Whether the text has more code points than that: each takes one or two units. */
function isLonger(value: string, maximum: number): boolean {
  return value.length > maximum && (value.length > 2 * maximum || [...value].length > maximum);
}
