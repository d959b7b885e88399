import { EXTERNAL_ID, isCanonicalUuid, isStorable, UUID } from './characters.ts';
import { isObject } from './check-fields.ts';
import type { Reading, ValueKind } from './values.ts';

/** Returns the text of a JSON value as PostgreSQL writes a `jsonb`: keys, all of them ASCII, by length, then by code. */
export function jsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
  const entries = keys.map((key) => `${JSON.stringify(key)}: ${jsonText(value[key as keyof typeof value])}`);
  return `{${entries.join(', ')}}`;
}

/** A kind whose values are texts that {@link read} brings into one form; undefined for what breaks the rule. */
export function formedText(
  rule: string,
  read: (text: string) => string | undefined,
  schema: ValueKind['schema'] = {},
): ValueKind<string> {
  const parse = (given: string): Reading<string> => {
    const value = read(given.trim());
    return value === undefined ? { code: 'INVALID_FORMAT', expected: rule } : { value };
  };
  return {
    rule,
    sqlType: 'text',
    schema: { type: 'string', ...schema },
    parse,
    check: (value) => (typeof value === 'string' ? parse(value) : { code: 'INVALID_TYPE', expected: rule }),
  };
}

/** Ids, each once, in order and separated by spaces: one text for the same set. */
export const uuidList = formedText('UUIDs separated by spaces', (given) => {
  const ids = given === '' ? [] : given.toLowerCase().split(/[\s,]+/);
  return ids.every(isCanonicalUuid) ? [...new Set(ids)].sort().join(' ') : undefined;
});

/** What is between the ids of a list of which some are ids of other systems, which may have spaces and commas. */
export const BETWEEN_IDS = new RegExp(`[\\s,]+(?=${EXTERNAL_ID}|${UUID}(?:[\\s,]|$))`, 'i');

/** At most so many ids: in requests a list, otherwise as {@link uuidList}. */
export function idsUpTo(most: number): ValueKind<string> {
  const rule = `a list of at most ${most} ids`;
  const parse = (given: string): Reading<string> => {
    const reading = uuidList.parse(given);
    return 'value' in reading && reading.value.split(' ').length > most
      ? { code: 'TOO_LONG', expected: rule }
      : reading;
  };
  return {
    ...uuidList,
    rule,
    schema: { type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: most },
    parse,
    check(value) {
      if (!Array.isArray(value)) return { code: 'INVALID_TYPE', expected: rule };
      if (value.length > most) return { code: 'TOO_LONG', expected: rule };
      const isWrong = value.some((id) => typeof id !== 'string' || !isCanonicalUuid(id));
      return isWrong ? { code: 'INVALID_VALUE', expected: rule } : parse(value.join(' '));
    },
  };
}

/** Some of these words, each once: in requests a list, otherwise separated by spaces. */
export function choicesOf(words: readonly string[]): ValueKind<string> {
  const rule = `a list of some of ${words.join(', ')}`;
  const kind = formedText(rule, (given) => {
    const named = new Set(given === '' ? [] : given.split(/[\s,]+/));
    const known = words.filter((word) => named.delete(word));
    return named.size === 0 ? known.join(' ') : undefined;
  });
  return {
    ...kind,
    schema: { type: 'array', items: { type: 'string', enum: [...words] }, maxItems: words.length },
    check(value) {
      if (!Array.isArray(value)) return { code: 'INVALID_TYPE', expected: rule };
      const isWrong = value.length > words.length || value.some((word) => !words.includes(word));
      return isWrong ? { code: 'INVALID_VALUE', expected: rule } : kind.parse(value.join(' '));
    },
  };
}

/**
 * Returns a kind of JSON values, which are written as texts.
 *
 * @param read returns a value in its stored form; undefined for what breaks the rule
 */
export function jsonKind(
  rule: string,
  schema: ValueKind['schema'],
  read: (given: unknown) => unknown,
): ValueKind<string> {
  const check = (given: unknown): Reading<string> => {
    const value = read(given);
    return value === undefined ? { code: 'INVALID_VALUE', expected: rule } : { value: jsonText(value) };
  };
  return {
    rule,
    sqlType: 'jsonb',
    schema,
    check,
    parse(text) {
      try {
        return check(JSON.parse(text));
      } catch {
        return { code: 'INVALID_FORMAT', expected: `${rule}, as JSON` };
      }
    },
  };
}

/** Maximum number of choices of a field. */
export const MAX_CHOICES = 200;
/** Maximum length of a text in a field. */
export const MAX_TEXT = 2000;
export const FIELD_KEY = /^[a-z][A-Za-z0-9]{0,39}$/;

/** Who reads or writes a field at least, from the least to the most. */
export const FIELD_LEVELS = ['SELF', 'MANAGER', 'ADMIN', 'KEY'] as const;
export type FieldLevel = (typeof FIELD_LEVELS)[number];

/** Returns whether a level is enough where another one is needed. */
export function isEnough(level: FieldLevel, needed: FieldLevel): boolean {
  return FIELD_LEVELS.indexOf(level) >= FIELD_LEVELS.indexOf(needed);
}

function isScalar(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= MAX_TEXT && isStorable(value);
  return typeof value === 'boolean' || typeof value === 'number';
}

/** Returns whether JSON may be the value of a field of some type. */
export function isFieldValue(value: unknown): boolean {
  return isScalar(value) || (Array.isArray(value) && value.length <= MAX_CHOICES && value.every(isScalar));
}

const RULE = 'an object with values of fields by their keys';

const stored = jsonKind(RULE, { type: 'object', additionalProperties: true }, (given) =>
  isObject(given) && Object.entries(given).every(([key, value]) => FIELD_KEY.test(key) && isFieldValue(value))
    ? given
    : undefined,
);

/** The values of fields of one's own by their keys. Whether there are such fields, and what they take, is checked where they are written. */
const fieldValues: ValueKind<string> = {
  ...stored,
  check(given) {
    if (!isObject(given)) return { code: 'INVALID_TYPE', expected: RULE };
    // No field takes an object.
    const values = Object.entries(given).map(([key, value]) => [
      key,
      value === null || isFieldValue(value) ? value : {},
    ]);
    return { value: jsonText(Object.fromEntries(values)) };
  },
};

/** The field with the values of fields of one's own. */
export const customFields = {
  kind: fieldValues,
  nullable: true,
  keyed: true,
  description: 'Values of fields of one’s own by their keys',
  example: null,
} as const;
