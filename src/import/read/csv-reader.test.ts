import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CsvSyntaxError, readCsvFile, type TableRecord } from './csv-reader.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orgdesk-csv-'));
});
after(() => rm(folder, { recursive: true }));

/** Returns the records of a file with these bytes as `[line, ...cells]`, and the syntax error that ends them. */
async function read(content: string | Buffer): Promise<{ records: unknown[]; fault?: string }> {
  const path = join(folder, 'file.csv');
  await writeFile(path, content);
  const records: TableRecord[] = [];
  try {
    for await (const piece of readCsvFile(path)) records.push(...piece.records);
  } catch (error) {
    if (!(error instanceof CsvSyntaxError)) throw error;
    return { records: asArrays(records), fault: `${error.line}: ${error.message.split(':')[0]}` };
  }
  return { records: asArrays(records) };
}

const asArrays = (records: readonly TableRecord[]) => records.map(({ line, cells }) => [line, ...cells]);

describe('reading CSV', () => {
  it('the CSV reader accepts LF and CRLF, with or without one at the end', async () => {
    const records = [
      [1, 'a', 'b'],
      [2, '1', '2'],
    ];
    for (const content of [
      'a,b\n1,2\n',
      'a,b\n1,2',
      'a,b\r\n1,2\r\n',
      'a,b\r\n1,2',
      'a,b\r\n1,"2"\n',
      'a,b\n1,"2"\r\n',
    ]) {
      assert.deepEqual(await read(content), { records });
    }
  });

  it('the CSV reader numbers a record by its first line, whatever line breaks its cells contain', async () => {
    assert.deepEqual(await read('a\r\n"x\r\ny\n\nz"\r\n3\r\n'), {
      records: [
        [1, 'a'],
        [2, 'x\r\ny\n\nz'],
        [6, '3'],
      ],
    });
    assert.deepEqual(await read('a\n"x\n""y"""\n3,\n'), {
      records: [
        [1, 'a'],
        [2, 'x\n"y"'],
        [4, '3', ''],
      ],
    });
  });

  it('the CSV reader skips a byte order mark and empty lines, and counts the lines', async () => {
    assert.deepEqual(await read('\ufeff"a",b\n\n1,2\r\n\r\n3,4\n\n'), {
      records: [
        [1, 'a', 'b'],
        [3, '1', '2'],
        [5, '3', '4'],
      ],
    });
    assert.deepEqual(await read(''), { records: [] });
    assert.deepEqual(await read('\ufeff'), { records: [] });
    assert.deepEqual(await read('a'), { records: [[1, 'a']] });
  });

  it('the CSV reader trims cells and keeps every other character', async () => {
    assert.deepEqual(await read('a, b\u0000,\r,"\u0000"\n'), { records: [[1, 'a', 'b\u0000', '', '\u0000']] });
  });

  it('the CSV reader returns the records before a misplaced or missing quote, and its line', async () => {
    const records = [
      [1, 'a'],
      [2, 'x\r\ny'],
    ];
    const good = 'a\r\n"x\r\ny"\r\n';
    const middle = '4: a quote stands in the middle of a cell';
    assert.deepEqual(await read(`${good}12" pipe\r\n5\r\n`), { records, fault: middle });
    assert.deepEqual(await read(`${good} "5"\r\n`), { records, fault: middle });
    const closing = '4: a closing quote is not followed by a comma or the end of the line';
    assert.deepEqual(await read(`${good}"a\r\nb"c\r\n`), { records, fault: closing });
    const open = '4: a quoted cell of this record is not closed before the end of the file';
    assert.deepEqual(await read(`${good}"5\r\n6\r\n7\r\n`), { records, fault: open });
  });

  it('the CSV reader reports the line of bytes that are not UTF-8', async () => {
    const fault = (line: number) => `${line}: the text is not UTF-8`;
    const latin1 = Buffer.from('a\nb\nM\u00fcller\nd\n', 'latin1');
    assert.equal((await read(latin1)).fault, fault(3));
    const late = Buffer.concat([Buffer.from('é\n'.repeat(100_000)), latin1]);
    assert.equal((await read(late)).fault, fault(100_003));
    assert.equal((await read(Buffer.from([0x61, 0x0a, 0xc3]))).fault, fault(2));
    assert.equal((await read(Buffer.from('\ufeffid\n1\n', 'utf16le'))).fault, fault(1));
    // An overlong encoding of a slash, and a lone surrogate.
    assert.equal((await read(Buffer.from([0xc0, 0xaf, 0x0a]))).fault, fault(1));
    assert.equal((await read(Buffer.from([0xed, 0xa0, 0x80]))).fault, fault(1));
  });

  it('the CSV reader reads a file of several pieces like a file of one piece', async () => {
    const cells = ['é', 'ab', '𝒳\r\n', '"', ',\n', '日本'];
    const rows = Array.from({ length: 60_000 }, (_, row) => [`${row}`, cells[row % cells.length] ?? '']);
    const content = rows.map(([id, cell]) => `${id},"${cell?.replaceAll('"', '""')}"`).join('\r\n');
    assert.ok(content.length > 500_000);
    const { records, fault } = await read(content);
    assert.equal(fault, undefined);
    let line = 1;
    const expected = rows.map((row) => {
      const record = [line, ...row.map((cell) => cell.trim())];
      line += row.join('').split('\n').length;
      return record;
    });
    assert.deepEqual(records, expected);
  });

  it('the CSV reader reads quoted and plain cells alike, wherever the pieces end', async () => {
    // Deterministic pseudo-random numbers.
    let state = 7;
    const below = (bound: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * bound);
    };
    const cellsWith = (parts: readonly string[]) =>
      Array.from({ length: 2 + below(3) }, () =>
        Array.from({ length: below(4) }, () => parts[below(parts.length)]).join(''),
      );
    for (const lineEnd of ['\n', '\r\n']) {
      const expected: unknown[] = [];
      let [content, line] = ['', 1];
      for (let row = 0; row < 12_000; row++) {
        // Runs of rows with and without quotes, long enough for pieces of both kinds.
        const isQuoted = row % 6000 > 5500;
        const cells = cellsWith(
          isQuoted ? ['a', 'é', ' ', ',', '"', '\n', '\r\n', '𝒳'] : ['a', 'é', ' ', '\r', '日本'],
        );
        // A trailing carriage return would be taken for part of the line end.
        cells.push('z');
        const text = isQuoted ? cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join() : cells.join();
        expected.push([line, ...cells.map((cell) => cell.trim())]);
        content += `${text}${lineEnd}`;
        line += `${text}${lineEnd}`.split('\n').length - 1;
      }
      assert.deepEqual(await read(content), { records: expected });
    }
  });

  it('the CSV reader accepts a record of 64 KiB and refuses a longer record', async () => {
    const longest = 64 * 1024 - 1;
    for (const quote of ['', '"']) {
      const cell = (length: number) => `${quote}${'x'.repeat(length - 2 * quote.length)}${quote}`;
      const { records } = await read(`a\n${cell(longest)}\nb\n`);
      assert.deepEqual(
        (records as unknown[][]).map(([line]) => line),
        [1, 2, 3],
      );
      const { records: before, fault } = await read(`a\n${cell(longest + 1)}\nb\n`);
      assert.deepEqual([before, fault], [[[1, 'a']], '2: the record is longer than 64 KiB']);
    }
  });

  it('the CSV reader refuses a record that does not end within 64 KiB', async () => {
    const fault = '2: the record is longer than 64 KiB';
    assert.equal((await read(`a\n${'x'.repeat(3_000_000)}`)).fault, fault);
    assert.equal((await read(`a\n"${'x\n'.repeat(1_500_000)}`)).fault, fault);
  });

  it('the CSV reader throws the error of the file system for a file that does not exist', async () => {
    const readAbsent = async () => {
      for await (const { records } of readCsvFile(join(folder, 'absent.csv'))) assert.deepEqual(records, []);
    };
    await assert.rejects(readAbsent, { code: 'ENOENT' });
  });
});
