import { isStorable } from './characters.ts';
import { isObject } from './check-fields.ts';
import { jsonKind, jsonText } from './formed-values.ts';
import type { ValueKind } from './values.ts';

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
