import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStrictJson } from './strict-json.ts';

test('strict JSON: gives what JSON.parse gives', () => {
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

test('strict JSON: refuses a key that an object has twice, at any depth and however it is written', () => {
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

test('strict JSON: refuses what is no JSON', () => {
  for (const text of ['', '{', '{a:1}', "{'a':1}", '{"a":1}x', '\ufeff{}', '{"a":NaN}']) {
    assert.throws(() => parseStrictJson(text), SyntaxError, text);
  }
});
