import type { Reading, ValueKind } from './values.ts';

/** Returns the text of a JSON value as PostgreSQL writes a `jsonb`: keys, all of them ASCII, by length, then by code. */
export function jsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
  const entries = keys.map((key) => `${JSON.stringify(key)}: ${jsonText(value[key as keyof typeof value])}`);
  return `{${entries.join(', ')}}`;
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
