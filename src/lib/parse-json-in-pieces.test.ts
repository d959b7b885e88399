import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import * as fc from 'fast-check';
import { parseJsonFairly, parseJsonInPieces } from './parse-json-in-pieces.ts';
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

  it('has at most 10,000 keys in an object', async () => {
    const object = (count: number) => `{${Array.from({ length: count }, (_, n) => `"a${n}":"12345"`).join(',')}}`;
    const { value } = await parseJsonFairly(`[${object(10_000)},${object(10_000)}]`);
    assert.deepEqual(
      (value as object[]).map((each) => Object.keys(each).length),
      [10_000, 10_000],
    );
    await assert.rejects(parseJsonFairly(object(10_001)), RangeError);
    await assert.rejects(parseJsonFairly(`{"b":0${',"b":0'.repeat(15_000)}}`), RangeError);
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

/** JSON text of nested objects, in which keys are often repeated. */
const repetitive = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('1', '"a"', 'null', '":{[,"', '"\\\\"', '"\\"a\\":"', '[]', '{}'),
    fc.array(tie('value'), { maxLength: 4 }).map((values) => `[${values.join(' ,')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('"a"', '"b"', '"\\u0061"', '"__proto__"', '"0"', '""', '"\\""'), tie('value')), {
        maxLength: 4,
      })
      .map((entries) => `{ ${entries.map(([key, value]) => `${key}:${value}`).join(', ')} }`),
  ),
})).value;

describe('JSON, whichever way it is parsed', () => {
  it('tells exactly which keys stand twice', async () => {
    let count = 0;
    for (const text of fc.sample(repetitive, 2_000)) {
      const inPieces = await parseJsonInPieces(text);
      assert.deepEqual(parseJson(text), inPieces, text);
      if (inPieces.repeated.length > 0) count += 1;
    }
    assert.ok(count > 200, `${count} with keys that stand twice`);
  });

  it('of every size is the same', async () => {
    const large = 'x'.repeat(70_000);
    const huge = 'x'.repeat(600_000);
    const many = '[],'.repeat(30_000);
    for (const [text, maxDepth] of [
      ...fc.sample(repetitive, 50).map((one) => [`[${one},"${large}"]`] as const),
      ...fc.sample(repetitive, 5).map((one) => [`[${one},"${huge}"]`] as const),
      ...fc.sample(repetitive, 5).map((one) => [`[${many}${one}]`] as const),
      [`{"a":1,"b":"${large}","a":2}`],
      [`{"a":{"c":1,"b":"${large}","\\u0063":2}}`],
      [`["${large}",[[[]]]]`, 3],
    ] as const) {
      const { value, depth, repeated } = await parseJsonFairly(text, maxDepth);
      const inPieces = await parseJsonInPieces(text, maxDepth);
      assert.deepEqual({ value, depth, repeated }, inPieces, text.replaceAll('x', ''));
    }
    for (const broken of [`{"a":"${large}`, `{"a":"${large}\\`, `["${large}"]]`, `"${large}`, `{"${large}"}`]) {
      await assert.rejects(async () => parseJsonFairly(broken), SyntaxError);
    }
  });

  it('is read key by key only where there are fewer of them than in its text', async () => {
    const exact = mock.method(String.prototype, 'matchAll');
    try {
      const bookings = Array.from({ length: 500 }, (_, id) => ({ id: `b${id}`, companyId: 'c', amount: '1.00' }));
      const text = JSON.stringify({ bookings });
      parseJson(text);
      await parseJsonFairly(JSON.stringify({ bookings, note: 'x'.repeat(400_000) }));
      assert.equal(exact.mock.callCount(), 0);
      parseJson(text.replace('"amount"', '"id"'));
      assert.equal(exact.mock.callCount(), 1);
    } finally {
      exact.mock.restore();
    }
  });

  it('gives way to other work where it would take long', async () => {
    const items = '{"":0},'.repeat(70_000);
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await parseJsonFairly(`[${items}0]`);
    isDone = true;
    assert.ok(turns >= 20, `${turns} turns`);
  });
});
