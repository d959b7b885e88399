import { isCalendarDate } from '../lib/dates.ts';
import { parseAmount } from '../lib/money.ts';
import { type FieldRule, lineOfText } from '../lib/profile-fields.ts';
import { isCanonicalUuid } from '../lib/uuid.ts';
import { gstinFault } from './gstin.ts';

/** A cell's value as JSON carries it to the database. */
export type CellValue = string | number | boolean | null;

/** Reads the cells of one kind. */
export interface CellReader {
  /** The type in SQL that takes every value read, whole. */
  sqlType: 'uuid' | 'text' | 'numeric' | 'integer' | 'boolean' | 'date' | 'timestamptz';
  /** Reads a trimmed text that is not empty; where it cannot, `expected` says what would do. */
  read(text: string): { value: CellValue } | { expected: string };
}

const EMAIL = /^[^@\s\p{Cc}\p{Cf}]+@[^@\s\p{Cc}\p{Cf}]+$/u;
const GSTIN = /^[0-9A-Za-z-]{1,30}$/;
const DATE_TIME =
  /^(?<date>\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** The largest `integer` of PostgreSQL. */
const LARGEST_INTEGER = 2_147_483_647;

/** Ids in the canonical form alone, in either case of letters. */
export const uuid = reader(
  'uuid',
  'a UUID such as 3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43, with its hyphens and without braces',
  (text) => (isCanonicalUuid(text) ? text : undefined),
);

/** Money with up to two fraction digits; nothing is rounded. */
export const amount = reader(
  'numeric',
  'an amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators',
  parseAmount,
);

export const boolean = reader('boolean', 'true or false', (text) =>
  text === 'true' ? true : text === 'false' ? false : undefined,
);

export const email = reader('text', 'an e-mail address of at most 254 characters', (text) =>
  EMAIL.test(text) && [...text].length <= 254 ? text : undefined,
);

/** A tax registration number of any country; one that has the form of an Indian GSTIN is checked as such. */
export const gstin: CellReader = {
  sqlType: 'text',
  read(text) {
    if (!GSTIN.test(text)) return { expected: 'a registration number of 1 to 30 letters (A to Z), digits or hyphens' };
    const expected = gstinFault(text);
    return expected === undefined ? { value: text } : { expected };
  },
};

/** An instant; PostgreSQL keeps it to the microsecond. The bounds of the year keep clear of what it cannot hold. */
export const dateTime = reader(
  'timestamptz',
  'a date-time with its time zone, from the year 1900 to 9999, such as 2025-01-31T09:30:00Z or 2025-01-31T15:00:00+05:30',
  (text) => {
    const date = DATE_TIME.exec(text)?.groups?.date;
    return date !== undefined && isCalendarDate(date) && date >= '1900' ? text : undefined;
  },
);

/** A whole number in plain digits. */
export function integer(minimum: number): CellReader {
  const expected = `a whole number in digits alone, from ${minimum} to ${LARGEST_INTEGER}`;
  return reader('integer', expected, (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= LARGEST_INTEGER ? value : undefined;
  });
}

/** A line of 1 to `maximum` characters. */
export function text(maximum: number): CellReader {
  return ruled('text', lineOfText(1, maximum));
}

export function oneOf(choices: readonly string[]): CellReader {
  const expected = choices.length === 1 ? String(choices[0]) : `one of ${choices.join(', ')}`;
  return reader('text', expected, (value) => (choices.includes(value) ? value : undefined));
}

/** A field with the same rule as over HTTP. */
export function ruled(sqlType: 'text' | 'date', rule: FieldRule): CellReader {
  return { sqlType, read: rule };
}

function reader(
  sqlType: CellReader['sqlType'],
  expected: string,
  parse: (text: string) => CellValue | undefined,
): CellReader {
  return {
    sqlType,
    read(text) {
      const value = parse(text);
      return value === undefined ? { expected } : { value };
    },
  };
}
