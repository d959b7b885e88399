import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decode, readCsv, readLine } from '../../../src/import/tables/csv-text.ts';
import { openTable } from '../../../src/import/tables/draft.ts';
import { csvOf } from '../../../web/src/parts/csv.ts';

const cellsOf = async (text: string) =>
  (await readCsv(text)).lines.map(({ cells, fault }) => (fault ? [fault] : cells));
const NASTY = [
  '=1+1',
  '+91 98450',
  '-1',
  '@x',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  'x;=1+cmd',
  'x; "=1"',
  'a|@b',
  "'=1",
  "''+1",
  "' =1",
  'a\n=1',
  'a,b',
  '"',
  'plain',
  "it's",
  'x;y',
  "x;'y",
  'a-b@c',
  '',
];

describe('files that the console writes', () => {
  it('a CSV file of the console has no cell that a spreadsheet reads as a formula, whatever the separator', () => {
    for (const text of NASTY) {
      const [, line = ''] = csvOf([['a'], ['first', text, 'last']]).split('\r\n');
      for (const separator of [',', ';', '\t', '|', '\n']) {
        for (const part of line.split(separator)) assert.doesNotMatch(part, /^[\s"]*[=+\-@＝＋－＠]/u, line);
      }
    }
  });

  it('a CSV file of the console is read back unchanged', async () => {
    const lines = [['id', 'text'], ...NASTY.map((text, at) => [String(at), text])];
    assert.deepEqual(await cellsOf(csvOf(lines)), lines);
  });
});

describe('files that the console reads', () => {
  it('the CSV reader of the console detects the separator by the first line or sep=', async () => {
    const ofTwo = [
      ['a', 'b'],
      ['1', '2,5'],
    ];
    assert.deepEqual(await cellsOf('a,b\r\n1,"2,5"\r\n'), ofTwo);
    assert.deepEqual(await cellsOf('a;b\n1;2,5\n;\n'), ofTwo);
    assert.deepEqual(await cellsOf('a\tb\n1\t2,5\n'), ofTwo);
    assert.deepEqual(await cellsOf('a|b\n1|2,5\n'), ofTwo);
    assert.deepEqual(await cellsOf('sep=|\r\na|"b"\r\n1|"2,5"\r\n'), ofTwo);
    assert.deepEqual(await cellsOf('\ufeffsep=;\r\na;b\r\n1;2,5\r\n'), ofTwo);
    assert.deepEqual(await cellsOf('"sep=;"\r\na;b\r\n1;2,5\r\n'), ofTwo);
    assert.deepEqual((await cellsOf('"a;c",b\n1,2'))[0], ['a;c', 'b']);
    assert.deepEqual((await cellsOf('a\tb\n1\t"two\nlines"\n'))[1], ['1', 'two\nlines']);
  });

  it('the CSV reader of the console reports each line that is not valid CSV', async () => {
    const faults = async (text: string) => (await openTable(text))?.lines.map(({ line, fault }) => [line, fault]);
    assert.deepEqual(await faults('a,b\n1,2,3\n1\n1,2\n1,2,\n'), [
      [2, 'cells'],
      [3, 'cells'],
      [4, undefined],
      [5, undefined],
    ]);
    assert.deepEqual(await cellsOf('a,b\n1, "x, y"\n'), [['a', 'b'], ['quote']]);
    assert.deepEqual(await cellsOf('a,b\n1,"x" \n2,3\n'), [['a', 'b'], ['closing'], ['2', '3']]);
    assert.deepEqual(await cellsOf('a,b\n1,x\rz\r\n'), [['a', 'b'], ['return']]);
    assert.deepEqual(await cellsOf('a,b\r1,2\r'), [['return']]);
    assert.deepEqual(await cellsOf('a,b\n"1,2\n3,4\n'), [['a', 'b'], ['unclosed']]);
    assert.deepEqual(await faults('a,b\n"1\n1",2\n\n3'), [
      [2, undefined],
      [5, 'cells'],
    ]);
  });

  it('the CSV reader of the console returns the text of a faulty line, and reads the corrected line', async () => {
    const [, line] = (await readCsv('a,b\r\n1, "x, y"\r\n')).lines;
    assert.equal(line?.raw, '1, "x, y"');
    assert.deepEqual(readLine('1,"x, y"', ',', 2, 7), { line: 7, cells: ['1', 'x, y'], raw: '1,"x, y"' });
    assert.equal(readLine('1,x,y', ',', 2, 7).fault, 'cells');
    assert.equal(readLine('1,x\n2,y', ',', 2, 7).fault, 'cells');
  });

  it('the CSV reader of the console detects UTF-8 and UTF-16, and otherwise uses the chosen encoding', () => {
    const latin = Uint8Array.from([0x4a, 0xfc, 0x72, 0x67, 0x65, 0x6e]);
    assert.deepEqual(decode(latin), { text: 'Jürgen', assumed: 'windows-1252' });
    assert.deepEqual(decode(Uint8Array.from([0xb3, 0xf3]), 'windows-1250'), { text: 'łó', assumed: 'windows-1250' });
    assert.deepEqual(decode(new TextEncoder().encode('Jürgen')), { text: 'Jürgen' });
    const wide = Buffer.from('\ufeffJürgen', 'utf16le');
    assert.deepEqual(decode(wide), { text: 'Jürgen' });
    assert.deepEqual(decode(wide.swap16()), { text: 'Jürgen' });
    const bare = Buffer.from('email\nJürgen', 'utf16le');
    assert.deepEqual(decode(bare), { text: 'email\nJürgen' });
    assert.deepEqual(decode(bare.swap16()), { text: 'email\nJürgen' });
    assert.deepEqual(decode(new Uint8Array(8)), { text: '\0'.repeat(8) });
    assert.deepEqual(decode(Uint8Array.from([0xd5, 0xc5]), 'gb18030'), { text: '张', assumed: 'gb18030' });
    // An odd number of bytes is no UTF-16, and a lone byte of a sequence no UTF-8.
    assert.equal(decode(Uint8Array.from([0xff, 0xfe, 0x41])).assumed, 'windows-1252');
    assert.equal(decode(Uint8Array.from([0x41, 0xc3])).assumed, 'windows-1252');
  });
});
