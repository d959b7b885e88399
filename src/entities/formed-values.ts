import { isCanonicalUuid } from './uuid.ts';
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
