import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CsvError, parse } from 'csv-parse/sync';
import { CsvScanner, CsvSyntaxError } from './csv-scanner.ts';

const PARTS = ['a', 'é', ' ', ',', ',', '"', '"', '""', '\n', '\r\n', 'xyz', '"b,c"', '"d\n""e"""'];

/** Whole numbers below `bound` that look random, always the same ones. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** The records by csv-parse, or undefined where it objects. */
function expectedCells(text: string): string[][] | undefined {
  try {
    const records = parse(text, { bom: true, record_delimiter: ['\r\n', '\n'], relax_column_count: true });
    return (records as string[][]).filter((cells) => cells.length > 1 || cells[0] !== '');
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return undefined;
  }
}

function cellsOf(text: string, blocks: readonly string[] = [text]): (readonly string[])[] | undefined {
  const scanner = new CsvScanner();
  try {
    for (const block of blocks) scanner.scan(block);
    scanner.end();
  } catch (error) {
    if (!(error instanceof CsvSyntaxError)) throw error;
    return undefined;
  }
  return scanner.takeRecords().map(({ cells }) => cells);
}

test('CSV scanner: reads and refuses the same as csv-parse, whole or in blocks of lines', () => {
  const below = numbers(7);
  let refused = 0;
  for (let round = 0; round < 5000; round++) {
    const text = Array.from({ length: 1 + below(12) }, () => PARTS[below(PARTS.length)]).join('');
    const expected = expectedCells(text);
    if (expected === undefined) refused++;
    assert.deepEqual(cellsOf(text), expected, JSON.stringify(text));
    assert.deepEqual(cellsOf(text, text.split(/(?<=\n)/)), expected, JSON.stringify(text));
  }
  assert.ok(refused > 500 && refused < 4500, String(refused));
});
