import type { FieldProblemCode } from './api-error.ts';
import {
  EMAIL_PATTERN,
  INVISIBLE,
  inOneCase,
  isCanonicalUuid,
  isEmail,
  isLonger,
  isVisible,
  REPLACEMENT,
  STORED_EMAIL_PATTERN,
  UNWRITABLE,
} from './characters.ts';
import { type CalendarDate, dateOfMidnight, isCalendarDate, isTimeZone, parseInstant, todayUtc } from './dates.ts';
import { gstinFault } from './gstin.ts';
import { AMOUNT, parseAmount, parseSigned } from './money.ts';

/** A valid value in its stored form, or the fault; `expected` completes "must be …". */
export type Reading<Value> = { value: Value } | { code: FieldProblemCode; expected: string };

/** A rule for texts: settings, CSV cells and form input. */
export interface TextRule<Value> {
  /** The rule in words; completes "must be …". */
  readonly rule: string;
  parse(text: string): Reading<Value>;
}

/** A kind of value, with one rule for the API, files and forms. */
export interface ValueKind<Value extends string | number | boolean = string | number | boolean>
  extends TextRule<Value> {
  /** SQL type that holds every value without loss. */
  sqlType: 'uuid' | 'text' | 'numeric' | 'integer' | 'boolean' | 'date' | 'timestamptz' | 'jsonb';
  /** JSON Schema keywords of stored values. */
  schema: Readonly<Record<string, unknown>>;
  /** JSON Schema keywords of request values apart from the type, if they differ. */
  given?: Readonly<Record<string, unknown>>;
  /** Checks a JSON value. Texts are trimmed. */
  check(value: unknown): Reading<Value>;
  /** Returns what a text of a directory or an HR file means that does not hold to the rule as it is. Absent: {@link tidyText}. */
  tidy?(text: string): string;
}

/** Checks a value that a directory or an HR file sends: as it is, otherwise tidied. */
export function checkForeign<Value extends string | number | boolean>(
  kind: ValueKind<Value>,
  value: unknown,
): Reading<Value> {
  return typeof value === 'string' ? parseForeign(kind, value) : kind.check(value);
}

/** Reads a text that a directory or an HR file sends: as it is, otherwise tidied. */
export function parseForeign<Value extends string | number | boolean>(
  kind: ValueKind<Value>,
  text: string,
): Reading<Value> {
  const reading = kind.parse(text);
  return 'value' in reading ? reading : kind.parse((kind.tidy ?? tidyText)(text));
}

/** Returns a text on one line: line breaks, other control characters and lone surrogates are blanks. */
function tidyText(text: string): string {
  return text.replace(UNWRITABLES, ' ').replace(/ {2,}/g, ' ').trim();
}

const UNWRITABLES = /[\p{Cc}\p{Cs}]+/gu;

/** Returns the message for a field that breaks its rule. */
export function fieldMessage(field: string, expected: string): string {
  return `${field} must be ${expected}.`;
}

const NOT_REPLACED = 'a text without U+FFFD, which stands for a character that could not be read';

/** Texts are trimmed before the check. */
export const NOT_BLANK = '\\S';

/**
 * One trimmed line of text, of `minimum` to `maximum` code points: with a visible character, without control characters and lone
 * surrogates.
 */
export function text(maximum: number, minimum = 1): ValueKind<string> {
  const length = minimum === 0 ? 'up to' : `${minimum} to`;
  const read = (value: string): string | Fault => {
    if (UNWRITABLE.test(value)) return { code: 'INVALID_VALUE' };
    if (value.includes(REPLACEMENT)) return { code: 'INVALID_VALUE', expected: NOT_REPLACED };
    if (value !== '' && !isVisible(value)) return { code: 'INVALID_VALUE', expected: 'a text that can be seen' };
    if (value.length < minimum) return { code: 'TOO_SHORT' };
    return isLonger(value, maximum) ? { code: 'TOO_LONG' } : value;
  };
  const schema = { ...(minimum === 0 ? {} : { minLength: minimum, pattern: NOT_BLANK }), maxLength: maximum };
  return textKind(`${length} ${maximum} characters without control characters`, read, 'text', schema);
}

/** One of several words, case-sensitive. @param title of the enum in the OpenAPI document */
export function choice<const Choice extends string>(choices: readonly Choice[], title?: string): ValueKind<Choice> {
  const find = (word: string) => choices.find((known) => known === word) ?? ({ code: 'INVALID_VALUE' } satisfies Fault);
  return textKind<Choice>(`one of ${choices.join(', ')}`, find, 'text', {
    ...(title === undefined ? {} : { title }),
    enum: choices,
  });
}

/** A UUID in the canonical form only; stored in lower case, as PostgreSQL writes it. */
export const uuid = textKind(
  'a UUID such as 3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43, with its hyphens and without braces',
  (value) => (isCanonicalUuid(value) ? value.toLowerCase() : undefined),
  'uuid',
  { format: 'uuid' },
);

/** Money with up to two fraction digits, stored with two; nothing is rounded. */
export const money = textKind(
  'an amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators',
  parseAmount,
  'numeric',
  {
    description: 'Decimal amount with two fraction digits',
    format: 'decimal',
    pattern: '^(0|[1-9]\\d{0,12})\\.\\d{2}$',
  },
  { format: 'decimal', pattern: AMOUNT.source },
);

/** Money that may be given back: like {@link money}, or negative. */
export const signedMoney = textKind(
  'an amount such as 75000.00 or -250.00: below 10000000000000, with at most two decimals and no separators',
  parseSigned,
  'numeric',
  {
    description: 'Decimal amount with two fraction digits',
    format: 'decimal',
    pattern: '^-?(0|[1-9]\\d{0,12})\\.\\d{2}$',
  },
  { format: 'decimal', pattern: AMOUNT.source.replace('^', '^-?') },
);

/** Codes of ISO 4217 in use. */
const CURRENCIES = new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE ' +
    'CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY ' +
    'KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO ' +
    'NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB ' +
    'TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG'
  ).split(' '),
);

export const currency = textKind(
  'a currency code of ISO 4217, such as INR or EUR',
  (value) => (CURRENCIES.has(value) ? value : { code: 'INVALID_VALUE' }),
  'text',
  { pattern: '^[A-Z]{3}$' },
);

export const email = textKind(
  'an e-mail address such as asha.rao@acme.example, of at most 254 characters',
  (value) => (isEmail(value) ? value : undefined),
  'text',
  { pattern: STORED_EMAIL_PATTERN, maxLength: 254 },
  { pattern: EMAIL_PATTERN, maxLength: 254 },
);

const REGISTRATION = /^[0-9A-Za-z-]{1,30}$/;

/** A tax registration number of any country; one in the form of an Indian GSTIN is checked as such. */
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

/**
 * 7 to 15 digits (the maximum of ITU-T E.164); separators between two digits are bounded, which bounds the length. An extension is as in
 * RFC 3966.
 */
const PHONE = /^\+?[ (]{0,2}\d(?:[ ()-]{0,5}\d){6,14}\)?(?:;ext=\d{1,10})?$/;

/** An extension, in the words of directories. */
const EXTENSION = /[\s,]*(?:;\s*ext=|ext(?:ension)?\.?|durchwahl|x)\s*:?\s*(\d{1,10})$/i;

/** Returns a number without a URI's scheme, trunk prefix `(0)`, slashes and dots, with its extension as in RFC 3966. */
function tidyPhone(text: string): string {
  const plain = tidyText(text).replace(/^tel:/i, '').replace(EXTENSION, ';ext=$1');
  return plain.replace('(0)', ' ').replace(/[./]/g, ' ').replace(/ {2,}/g, ' ').trim();
}

/** Non-breaking spaces and hyphens, common in text copied from web pages. */
const [UNBROKEN_SPACES, UNBROKEN_HYPHENS] = [/[\u00a0\u2007\u202f]/g, /[\u2010-\u2012]/g];
const MAX_PHONE = 60;

/** What may be a telephone number. Whether it is one depends on the country of the company: `readPhone` gives E.164. */
export const phone = textKind(
  'a telephone number with + and its country code, or in a usual form of the country of the company, such as +919876543210',
  (copied) => {
    if (copied.length > MAX_PHONE || UNWRITABLE.test(copied)) return undefined;
    const value = tidyPhone(copied.replace(INVISIBLE, '').replace(UNBROKEN_SPACES, ' ').replace(UNBROKEN_HYPHENS, '-'));
    return PHONE.test(value) ? value : undefined;
  },
  'text',
  { maxLength: MAX_PHONE, pattern: PHONE.source },
  { maxLength: MAX_PHONE, pattern: '(?:\\D*\\d){7}' },
);

const PINCODE = /^[A-Za-z0-9 -]*$/;

export const pincode = textKind(
  '3 to 12 letters (A to Z), digits, spaces or hyphens',
  (value) => {
    if (!PINCODE.test(value)) return undefined;
    if (value.length < 3) return { code: 'TOO_SHORT' };
    return value.length > 12 ? { code: 'TOO_LONG' } : value;
  },
  'text',
  { minLength: 3, maxLength: 12, pattern: '^[A-Za-z0-9 -]{3,12}$' },
  undefined,
  // Wide digits and hyphens, and the postal mark of Japan.
  (code) =>
    tidyText(
      code
        .normalize('NFKC')
        .replace(INVISIBLE, '')
        .replace(/\p{Pd}/gu, '-')
        .replace(/^[〒〶]/, ''),
    ),
);

/** Earliest date accepted. */
const EARLIEST_DATE: CalendarDate = '1900-01-01';

/** A calendar date as `YYYY-MM-DD`. */
export const date = textKind(
  `a calendar date from ${EARLIEST_DATE} on, as YYYY-MM-DD`,
  (value) => {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
    if (!isCalendarDate(value)) return { code: 'INVALID_VALUE' };
    return value < EARLIEST_DATE ? { code: 'OUT_OF_RANGE' } : value;
  },
  'date',
  { format: 'date' },
);

/** A date up to today, as `YYYY-MM-DD` or as a date-time at midnight UTC (the format of API responses); stored as `YYYY-MM-DD`. */
export const birthDate = textKind(
  `a calendar date from ${EARLIEST_DATE} to today, as YYYY-MM-DD`,
  (given) => {
    const reading = date.parse(dateOfMidnight(given));
    if (!('value' in reading)) return { code: reading.code };
    return reading.value > todayUtc() ? { code: 'OUT_OF_RANGE' } : reading.value;
  },
  'date',
  { format: 'date' },
  { pattern: '^\\d{4}-\\d{2}-\\d{2}([Tt]00:00:00(\\.0+)?([Zz]|[+-]00:00))?$' },
);

/** An instant, stored in UTC to the microsecond. The year is checked in UTC, the zone of exports, so that every export can be imported. */
export const timestamp = textKind(
  'a date-time with its time zone, from the year 1900 to 9999 in UTC, such as 2025-01-31T09:30:00Z or 2025-01-31T15:00:00+05:30',
  (value) => {
    const instant = parseInstant(value) ?? '';
    return /^(?:19|[2-9]\d)\d\d-/.test(instant) ? instant : undefined;
  },
  'timestamptz',
  { format: 'date-time' },
);

/** A date, which is a day where it is asked about, or an instant. */
export const dayOrInstant = textKind(
  'a date such as 2026-04-01, or a date-time with its time zone',
  (value) => {
    const reading = (isCalendarDate(value) ? date : timestamp).parse(value);
    return 'value' in reading ? reading.value : { code: reading.code };
  },
  'text',
);

/** A time zone by its IANA name. */
export const timeZone = textKind(
  'a time zone by its IANA name, such as Asia/Kolkata or UTC',
  (value) => (isTimeZone(value) ? value : { code: 'INVALID_VALUE' }),
  'text',
  { maxLength: 64 },
);

/** A code of ISO 3166-1, in capitals. */
export const countryCode = textKind(
  'a code of two letters such as IN',
  (value) => (/^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : undefined),
  'text',
  { pattern: '^[A-Z]{2}$' },
  { pattern: '^[A-Za-z]{2}$' },
);

/** The maximum of PostgreSQL's `integer`. */
const LARGEST_INTEGER = 2_147_483_647;

/** A whole number; as text in plain digits. @param maximum at most `Number.MAX_SAFE_INTEGER`, which the rule does not mention */
export function integer(minimum: number, maximum = LARGEST_INTEGER): ValueKind<number> {
  const lower = minimum === Number.MIN_SAFE_INTEGER ? '' : ` of at least ${minimum}`;
  const range = maximum === Number.MAX_SAFE_INTEGER ? lower : ` from ${minimum} to ${maximum}`;
  const rule = `a whole number${range}`;
  function check(value: unknown): Reading<number> {
    // A number of some hundred digits is read as Infinity: it is whole, and out of range.
    if (typeof value !== 'number' || (Number.isFinite(value) && !Number.isInteger(value))) {
      return { code: 'INVALID_TYPE', expected: rule };
    }
    return value >= minimum && value <= maximum ? { value } : { code: 'OUT_OF_RANGE', expected: rule };
  }
  return {
    rule,
    sqlType: 'integer',
    schema: { type: 'integer', minimum, maximum },
    check,
    parse: (digits) => check(/^-?\d+$/.test(digits) ? Number(digits) : digits),
  };
}

const WORDS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export const boolean: ValueKind<boolean> = {
  rule: 'true or false',
  sqlType: 'boolean',
  schema: { type: 'boolean' },
  check(given) {
    // Python writes True.
    const value = typeof given === 'string' ? WORDS.get(given.toLowerCase()) : given;
    return typeof value === 'boolean' ? { value } : { code: 'INVALID_TYPE', expected: boolean.rule };
  },
  parse: (word) => boolean.check(word),
};

/** A broken rule; `expected` if the rule in words would not explain it. */
interface Fault {
  code: FieldProblemCode;
  expected?: string;
}

/**
 * A kind whose JSON values are texts too.
 * @param read returns the value of a trimmed text; undefined if the format is wrong
 */
export function textKind<Value extends string>(
  rule: string,
  read: (text: string) => Value | Fault | undefined,
  sqlType: ValueKind['sqlType'] = 'text',
  schema: ValueKind['schema'] = {},
  given?: ValueKind['given'],
  tidy?: ValueKind['tidy'],
): ValueKind<Value> {
  function parse(given: string): Reading<Value> {
    const reading = read(given.trim()) ?? { code: 'INVALID_FORMAT' };
    return typeof reading === 'string' ? { value: reading } : { expected: rule, ...reading };
  }
  return {
    rule,
    sqlType,
    schema: { type: 'string', ...schema },
    ...(given === undefined ? {} : { given }),
    ...(tidy === undefined ? {} : { tidy }),
    parse,
    check(value) {
      if (typeof value === 'string') return parse(value);
      // The query parser returns a list for a repeated name.
      if (Array.isArray(value)) return { code: 'DUPLICATE', expected: 'given once, as one text' };
      return { code: 'INVALID_TYPE', expected: sqlType === 'numeric' ? `a text with ${rule}` : 'a text' };
    },
  };
}

const anyText = text(100);

/** An id from another system: any text. One in UUID form is stored in lower case, as PostgreSQL writes UUIDs. */
export const anyId: ValueKind<string> = {
  ...anyText,
  check: (value) => normaliseId(anyText.check(value)),
  parse: (given) => normaliseId(anyText.parse(given)),
};

function normaliseId(checked: Reading<string>): Reading<string> {
  return 'value' in checked ? { value: inOneCase(checked.value) } : checked;
}
