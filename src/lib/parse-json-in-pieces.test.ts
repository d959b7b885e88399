import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { parseJsonInPieces } from './parse-json-in-pieces.ts';
import { parseJson } from './strict-json.ts';

async function outcome(parse: () => unknown): Promise<unknown> {
  try {
    return await parse();
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error));
    return 'refused';
  }
}

describe('JSON that is parsed in pieces', () => {
  it('is what it is at once, with any white space', async () => {
    for (const [value, space] of fc.sample(fc.tuple(fc.json(), fc.constantFrom(0, 1, '\t', '\r\n ')), 500)) {
      const text = JSON.stringify(JSON.parse(value), null, space === '\r\n ' ? 1 : space).replaceAll(
        '\n',
        space === '\r\n ' ? '\r\n' : '\n',
      );
      assert.deepEqual(await parseJsonInPieces(text), parseJson(text), text);
    }
  });

  it('is refused as it is at once, wherever it is broken', async () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"a"',
      '"',
      '\\',
      '1',
      '-',
      '.5',
      'e',
      'true',
      'nul',
      'null',
      ' ',
      '\t',
    ];
    const odd = [
      '\u00a0',
      '\u0000',
      '"\u0007"',
      '"\\u00e9"',
      '"\\x"',
      '"\\ud800"',
      "'a'",
      '/*x*/',
      '"__proto__"',
      'NaN',
      '01',
    ];
    const texts = fc.oneof(
      fc.array(fc.constantFrom(...pieces, ...odd), { maxLength: 12 }).map((some) => some.join('')),
      fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ...pieces, ...odd)).map(([text, at, piece]) => {
        const where = at % (text.length + 1);
        return text.slice(0, where) + piece + text.slice(where + 1);
      }),
    );
    for (const text of fc.sample(texts, 3_000)) {
      const [atOnce, inPieces] = [await outcome(() => parseJson(text)), await outcome(() => parseJsonInPieces(text))];
      assert.deepEqual(inPieces, atOnce, JSON.stringify(text));
    }
  });

  it('tells of names that stand twice, and pollutes nothing', async () => {
    const text = '{"a":1,"b":{"c":1,"\\u0063":2},"a":3,"__proto__":{"polluted":true},"d":[{"e":1,"e":2}]}';
    const { value, repeated, depth } = await parseJsonInPieces(text);
    assert.deepEqual({ value, repeated, depth }, parseJson(text));
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });

  it('is read no deeper than asked for', async () => {
    const { value, depth } = await parseJsonInPieces(`{"a":${'['.repeat(100_000)}`, 32);
    assert.deepEqual([typeof value, depth], ['object', 33]);
  });

  it('gives way to other work', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const { value } = await parseJsonInPieces(`[${Array.from({ length: 100_000 }, (_, index) => index).join(',')}]`);
    isDone = true;
    assert.equal((value as unknown[]).length, 100_000);
    assert.ok(turns >= 20, `${turns} turns`);
  });
});
