import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { outlineOf, parseJson, parseStrictJson } from './strict-json.ts';

test('the strict JSON parser returns the same value as JSON.parse', () => {
  for (const text of [
    '{}',
    ' { "a" : 1 , "b" : [ 1, { "a": "a" }, "a", { "a": [] } ] , "c" : { "a" : null , "b" : "{\\"a\\":1,\\"a\\":2}" } } ',
    '{"a":":","b":"\\\\","c":"\\":","":0}',
    '["a","a",":",[["a"]]]',
    '"a"',
    '1',
  ]) {
    assert.deepEqual(parseStrictJson(text), JSON.parse(text), text);
  }
});

test('the strict JSON parser refuses an object with a repeated key, at any depth and in any spelling', () => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"b":{},"a":2}',
    '{"a":[{"b":[],"c":1,"b":2}]}',
    '{"a":{"b":1},"c":{"d":"x","d":"x"}}',
    '{"sub":1,"\\u0073ub":2}',
    '{"":1,"":2}',
    '{"\\"":1,"b":":","\\u0022":2}',
    '{"__proto__":1,"__proto__":2}',
  ]) {
    assert.throws(() => parseStrictJson(text), SyntaxError, text);
  }
});

test('the strict JSON parser refuses a text that is not JSON', () => {
  for (const text of ['', '{', '{a:1}', "{'a':1}", '{"a":1}x', '\ufeff{}', '{"a":NaN}']) {
    assert.throws(() => parseStrictJson(text), SyntaxError, text);
  }
});

test('parseJson lists each repeated key with its level, and does not pollute the object prototype', () => {
  const text = '{"a":1,"b":{"c":1,"\\u0063":2},"a":3,"__proto__":{"polluted":true},"d":[{"e":1,"e":2}]}';
  const { value, repeated } = parseJson(text);
  assert.deepEqual(value, JSON.parse(text));
  assert.deepEqual(
    repeated.map(({ key, level }) => [key, level]),
    [
      ['c', 2],
      ['a', 1],
      ['e', 3],
    ],
  );
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

test('parseJson reads a text key by key only if the text has more keys than its value', () => {
  const exact = mock.method(String.prototype, 'matchAll');
  try {
    const text = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, name: ':', parts: [{}] })));
    parseJson(text);
    assert.equal(exact.mock.callCount(), 0);
    parseJson(text.replace('"name"', '"id"'));
    assert.equal(exact.mock.callCount(), 1);
  } finally {
    exact.mock.restore();
  }
});

test('outlineOf counts keys, objects and lists outside of strings, up to the maximum depth', () => {
  assert.deepEqual(outlineOf('{"a:[":[{"b":"\\"{:"},[]],"c":1}'), { depth: 3, keys: 3, containers: 4 });
  assert.equal(outlineOf('['.repeat(100_000), 32).depth, 33);
});
