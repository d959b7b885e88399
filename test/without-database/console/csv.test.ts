import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvOf, linesOf, textOf } from '../../../web/src/parts/csv.ts';

const cellsOf = (text: string) => linesOf(text).map(({ cells, fault }) => (fault ? [fault] : cells));
const NASTY = [
  ...[
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
  ],
  ...['a\n=1', 'a,b', '"', 'plain', "it's", 'x;y', "x;'y", 'a-b@c', ''],
];

describe('files that the console writes', () => {
  it('have no cell that a spreadsheet takes for a formula, wherever it splits the line', () => {
    for (const text of NASTY) {
      const [, line = ''] = csvOf([['a'], ['first', text, 'last']]).split('\r\n');
      for (const separator of [',', ';', '\t', '|', '\n']) {
        for (const part of line.split(separator)) assert.doesNotMatch(part, /^[\s"]*[=+\-@＝＋－＠]/u, line);
      }
    }
  });

  it('come back as they were', () => {
    const lines = [['id', 'text'], ...NASTY.map((text, at) => [String(at), text])];
    assert.deepEqual(cellsOf(csvOf(lines)), lines);
  });
});

describe('files that the console reads', () => {
  it('part cells by comma, semicolon or tab, as the first line or sep= says', () => {
    assert.deepEqual(cellsOf('a,b\r\n1,"x;y"\r\n'), [
      ['a', 'b'],
      ['1', 'x;y'],
    ]);
    assert.deepEqual(cellsOf('"a;c",b\n1,2'), [
      ['a;c', 'b'],
      ['1', '2'],
    ]);
    assert.deepEqual(cellsOf('a;b\n1;2,5\n;\n'), [
      ['a', 'b'],
      ['1', '2,5'],
    ]);
    assert.deepEqual(cellsOf('a\tb\n1\t"two\nlines"\n'), [
      ['a', 'b'],
      ['1', 'two\nlines'],
    ]);
    assert.deepEqual(cellsOf('\ufeffsep=;\r\na;b\r\n1;2\r\n'), [
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  it('guess nothing: each line that is none is told', () => {
    assert.deepEqual(cellsOf('a,b\n1,2,3\n1\n1,2\n'), [['a', 'b'], ['cells'], ['cells'], ['1', '2']]);
    assert.deepEqual(cellsOf('a,b\n1, "x, y"\n'), [['a', 'b'], ['quote']]);
    assert.deepEqual(cellsOf('a,b\n1,"x" \n2,3\n'), [['a', 'b'], ['quote'], ['2', '3']]);
    assert.deepEqual(cellsOf('a,b\n1,x\rz\r\n'), [['a', 'b'], ['return']]);
    assert.deepEqual(cellsOf('a,b\r1,2\r'), [['return']]);
    assert.deepEqual(cellsOf('a,b\n"1,2\n3,4\n'), [['a', 'b'], ['unclosed']]);
    assert.deepEqual(
      linesOf('a,b\n"1\n1",2\n3').map(({ line, fault }) => [line, fault]),
      [
        [1, undefined],
        [2, undefined],
        [4, 'cells'],
      ],
    );
  });

  it('are UTF-8, or UTF-16 by their mark, or else Windows-1252, and said to be so', () => {
    const latin = Uint8Array.from([0x4a, 0xfc, 0x72, 0x67, 0x65, 0x6e]);
    assert.deepEqual(textOf(latin), { text: 'Jürgen', isGuessed: true });
    assert.deepEqual(textOf(new TextEncoder().encode('Jürgen')), { text: 'Jürgen', isGuessed: false });
    const wide = Buffer.from('\ufeffJürgen', 'utf16le');
    assert.deepEqual(textOf(wide), { text: 'Jürgen', isGuessed: false });
    assert.deepEqual(textOf(wide.swap16()), { text: 'Jürgen', isGuessed: false });
  });
});
