import { type CalendarDate, isCalendarDate, midnightUtc, todayUtc } from './dates.ts';
import type { FieldProblemCode } from './errors.ts';

/** A text that holds to its rule, trimmed and otherwise as sent; or why it does not: `expected` completes "expected …". */
export type FieldRuleResult = { value: string } | { code: FieldProblemCode; expected: string };
export type FieldRule = (text: string) => FieldRuleResult;

/** The earliest date of birth that is taken. */
const EARLIEST_BIRTH: CalendarDate = '1900-01-01';

/** Control characters (NUL among them) and halves of surrogate pairs, which are no text. */
const UNWRITABLE = /[\p{Cc}\p{Cs}]/u;
/** 7 to 15 digits (ITU-T E.164 allows no more); the separators between two of them are bounded, so that the whole is. */
const PHONE = /^\+?[ (]{0,2}\d(?:[ ()-]{0,5}\d){6,14}\)?$/;
const PINCODE = /^[A-Za-z0-9 -]*$/;
const MIDNIGHT_UTC = midnightUtc('');

/**
 * The rule of a text of one line: trimmed, then from `minimum` to `maximum` code points, without control characters
 * and lone surrogates.
 */
export function lineOfText(minimum: number, maximum: number): FieldRule {
  const expected = `${minimum === 0 ? 'up to' : `${minimum} to`} ${maximum} characters without control characters`;
  return (text) => {
    const value = text.trim();
    if (UNWRITABLE.test(value)) return { code: 'INVALID_VALUE', expected };
    const length = codePoints(value);
    if (length < minimum) return { code: 'TOO_SHORT', expected };
    return length > maximum ? { code: 'TOO_LONG', expected } : { value };
  };
}

/**
 * The rules of the profile's fields, the same for an update over HTTP and for the import.
 * What is null or absent is the caller's to decide. `addressLine2` gives an empty text for an empty one: no second line.
 * `dateOfBirth` takes `YYYY-MM-DD` and the midnight-UTC date-time that the API answers, and gives `YYYY-MM-DD`.
 */
export const profileFieldRules = {
  firstName: lineOfText(1, 100),
  lastName: lineOfText(1, 100),
  phone,
  dateOfBirth,
  gender: lineOfText(1, 50),
  addressLine1: lineOfText(1, 255),
  addressLine2: lineOfText(0, 255),
  pincode,
} as const satisfies Record<string, FieldRule>;

export type ProfileFieldName = keyof typeof profileFieldRules;

/** The sentence for people on a field that does not hold to its rule. */
export function fieldMessage(field: string, expected: string): string {
  return `${field} must be ${expected}.`;
}

function phone(text: string): FieldRuleResult {
  const value = text.trim();
  if (PHONE.test(value)) return { value };
  const expected = 'an optional +, then 7 to 15 digits, with spaces, hyphens and brackets allowed among them';
  return { code: 'INVALID_FORMAT', expected };
}

function pincode(text: string): FieldRuleResult {
  const value = text.trim();
  const expected = '3 to 12 letters (A to Z), digits, spaces or hyphens';
  if (!PINCODE.test(value)) return { code: 'INVALID_FORMAT', expected };
  if (value.length < 3) return { code: 'TOO_SHORT', expected };
  return value.length > 12 ? { code: 'TOO_LONG', expected } : { value };
}

function dateOfBirth(text: string): FieldRuleResult {
  const trimmed = text.trim();
  const value = trimmed.endsWith(MIDNIGHT_UTC) ? trimmed.slice(0, -MIDNIGHT_UTC.length) : trimmed;
  const expected = `a calendar date from ${EARLIEST_BIRTH} to today, as YYYY-MM-DD`;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return { code: 'INVALID_FORMAT', expected };
  if (!isCalendarDate(value)) return { code: 'INVALID_VALUE', expected };
  return value < EARLIEST_BIRTH || value > todayUtc() ? { code: 'OUT_OF_RANGE', expected } : { value };
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
