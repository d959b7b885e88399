import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ImportError } from '../../src/import/check/problems.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { leastWithin } from '../support/least-within.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { brokenFolders } from './broken-files.ts';
import { contents, importFiles, makeFolder, validFiles } from './folders.ts';

/** Bytes of the longest line that is tried. For a longer run: `IMPORT_LINE_BYTES=1000000000`. */
const LINE_BYTES = Number(process.env.IMPORT_LINE_BYTES ?? 100_000_000);

async function refusalOf(db: Parameters<typeof importFolder>[0], path: string): Promise<string> {
  const error = await importFolder(db, path).then(
    () => assert.fail('imported'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ImportError, String(error));
  // The folder's name is random, and may hold any word.
  assert.doesNotMatch(error.message.replaceAll(path, ''), /\n\s+at |undefined|\[object|NaN:/);
  return error.message;
}

describe('import: broken files', () => {
  it('an import of each of 200 kinds of broken files is refused with file and line, and changes nothing', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    const before = await contents(db);
    const folders = brokenFolders();
    assert.ok(folders.length >= 200, String(folders.length));
    assert.equal(new Set(folders.map(({ name }) => name)).size, folders.length);
    for (const { name, files, says } of folders) {
      await using folder = await makeFolder(files);
      assert.match(await refusalOf(db, folder.path), says, name);
    }
    assert.deepEqual(await contents(db), before);
  });

  it(`an import refuses a line of ${LINE_BYTES} bytes before it is read to its end`, async () => {
    await using db = await openTestDatabase();
    await using folder = await makeFolder({ 'bookings.csv': 'id,companyId,userId,amount\n' });
    const path = join(folder.path, 'bookings.csv');
    const file = await open(path, 'r+');
    await file.truncate(LINE_BYTES);
    await file.close();
    await leastWithin(50, 'MB more', async () => {
      const before = process.memoryUsage.rss();
      assert.match(await refusalOf(db, folder.path), /\n {2}bookings\.csv:2: the record is longer than 64 KiB/);
      return (process.memoryUsage.rss() - before) / 1_000_000;
    });
    assert.equal((await createReadStream(path, { end: 1 }).toArray()).length, 1);
  });
});
