import { EXTERNAL_ID, isLonger } from '../entities/characters.ts';
import type { FIELD_TYPES } from '../entities/field-definition.ts';
import { type FieldLevel, jsonText, MAX_TEXT } from '../entities/formed-values.ts';
import { compilePattern } from '../entities/safe-pattern.ts';
import { boolean, choice, date, integer, money, type Reading, text, uuid, type ValueKind } from '../entities/values.ts';

/** What a field takes. */
export interface FieldRule {
  type: (typeof FIELD_TYPES)[number];
  choices: readonly string[] | null;
  pattern: string | null;
}

/** A definition as rows are checked against it. */
export interface Definition extends FieldRule {
  id: string;
  /** Null: of the platform. */
  companyId: string | null;
  key: string;
  label: string;
  labels: Readonly<Record<string, string>> | null;
  required: boolean;
  default: unknown;
  readableBy: FieldLevel;
  writableBy: FieldLevel;
  active: boolean;
}

const TEXT = text(1000);
const WHOLE = integer(-2_147_483_648);
const LONG = text(MAX_TEXT);

/** Checks a value of a field, and returns it as it is stored. */
export function checkFieldValue({ type, choices, pattern }: FieldRule, given: unknown): Reading<unknown> {
  switch (type) {
    case 'TEXT': {
      const reading = TEXT.check(given);
      const isRight = 'value' in reading && (pattern === null || (compilePattern(pattern)?.(reading.value) ?? true));
      return 'value' in reading && !isRight
        ? { code: 'INVALID_FORMAT', expected: `of the pattern ${pattern}` }
        : reading;
    }
    case 'URL':
      return checkUrl(given);
    case 'CHOICES': {
      const one = choice(choices ?? []);
      const list = Array.isArray(given) ? given : undefined;
      const read = (list ?? []).map((each) => one.check(each));
      const values = read.flatMap((each) => ('value' in each ? [each.value] : []));
      const expected = `a list of different ones of ${(choices ?? []).join(', ')}`;
      if (list === undefined) return { code: 'INVALID_TYPE', expected };
      const isRight = values.length === list.length && new Set(values).size === values.length;
      return isRight
        ? { value: (choices ?? []).filter((each) => values.includes(each)) }
        : { code: 'INVALID_VALUE', expected };
    }
    case 'CHOICE':
      return choice(choices ?? []).check(given);
    default:
      return KINDS[type].check(given);
  }
}

/** Reads a value of a field from a text: a parameter, or a cell, in which choices are separated by semicolons. */
export function parseFieldValue(rule: FieldRule, given: string): Reading<unknown> {
  const { type } = rule;
  if (type === 'CHOICES') {
    const chosen = given.split(';').map((each) => each.trim());
    return checkFieldValue(rule, chosen);
  }
  if (type === 'INTEGER' || type === 'BOOLEAN') return KINDS[type].parse(given);
  return checkFieldValue(rule, given);
}

/** Reads a value from a cell or a directory, which may name a person by the id of another system: it stays to be found. */
export function readFieldValue(rule: FieldRule, given: string): Reading<unknown> {
  const isExternal = rule.type === 'PERSON' && given.startsWith(EXTERNAL_ID);
  return isExternal ? { value: given.trim() } : parseFieldValue(rule, given);
}

/** Returns the kind of the cells of a field in files, whose values are JSON. */
export function cellKindOf(rule: FieldRule): ValueKind<string> {
  const asJson = (reading: Reading<unknown>): Reading<string> =>
    'value' in reading ? { value: jsonText(reading.value) } : reading;
  return {
    rule: 'a value of the field',
    sqlType: 'jsonb',
    schema: {},
    check: (given) => asJson(checkFieldValue(rule, given)),
    parse: (text) => asJson(readFieldValue(rule, text)),
  };
}

/** The kinds of values that do not depend on the definition. */
const KINDS = { INTEGER: WHOLE, DECIMAL: money, DATE: date, BOOLEAN: boolean, PERSON: uuid } as const satisfies Record<
  string,
  ValueKind
>;

/** Returns the JSON Schema of the values of a field. */
export function schemaOfField({ type, choices, pattern }: FieldRule): ValueKind['schema'] {
  const one = { type: 'string', enum: choices ?? [] };
  if (type === 'CHOICE') return one;
  if (type === 'CHOICES') return { type: 'array', items: one, uniqueItems: true };
  if (type === 'URL') return { type: 'string', format: 'uri', maxLength: MAX_TEXT };
  if (type !== 'TEXT') return KINDS[type].schema;
  return { ...TEXT.schema, ...(pattern !== null && { pattern: `^(?:${pattern})$` }) };
}

function checkUrl(given: unknown): Reading<string> {
  const expected = `an address that begins with https:// or http://, of up to ${MAX_TEXT} characters`;
  const reading = LONG.check(given);
  if (!('value' in reading)) return { code: reading.code, expected };
  const { value } = reading;
  const isRight = /^https?:\/\/\S+$/i.test(value) && !isLonger(value, MAX_TEXT) && URL.canParse(value);
  return isRight ? { value } : { code: 'INVALID_FORMAT', expected };
}
