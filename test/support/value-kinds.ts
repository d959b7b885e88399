import assert from 'node:assert/strict';
import type { ValueKind } from '../../src/entities/values.ts';

type Value = string | number | boolean;

/** Asserts that a kind takes a text: as a text and, where that is one in JSON, as a value of JSON. */
export function accepts(kind: ValueKind, text: string, value: Value = text): void {
  assert.deepEqual(kind.parse(text), { value }, JSON.stringify(text));
  if (kind.schema.type === 'string') assert.deepEqual(kind.check(text), { value }, JSON.stringify(text));
}

/** Asserts that a kind refuses each text, by this code where it is given. */
export function refuses(kind: ValueKind, texts: readonly string[], code?: string): void {
  for (const text of texts) {
    const result = kind.parse(text);
    assert.ok('code' in result && result.expected !== '', `took ${JSON.stringify(text)}`);
    if (code) assert.equal(result.code, code, JSON.stringify(text));
    if (kind.schema.type === 'string') assert.deepEqual(kind.check(text), result, JSON.stringify(text));
  }
}
