import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { restoreBackup } from '../../src/backup/restore-backup.ts';
import { writeBackup } from '../../src/backup/write-backup.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { openProblemReport } from '../../src/import/report/problem-report.ts';
import { exportFolder } from '../../src/import/write/export-folder.ts';
import { UserError } from '../../src/lib/errors.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { contents, makeFolder, validFiles } from './folders.ts';

let db: TestDatabase;
before(async () => {
  db = await openTestDatabase();
});
after(() => db?.[Symbol.asyncDispose]());

const pipe = (path: string) => execFileSync('mkfifo', [path]);
const device = (path: string) => symlinkSync('/dev/zero', path);
/** What may stand in the place of a file, and what is said of it. Whoever opened the pipes would wait for ever, and read the device for ever. */
const KINDS: readonly [name: string, make: (path: string) => void, said: RegExp][] = [
  ['a pipe', pipe, /is a named pipe, and no regular file/],
  ['a link to a device', device, /is a device, and no regular file/],
  ['a folder', mkdirSync, /is a folder, and no regular file/],
];

const refused = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof UserError, String(error));
  assert.match(error.message, pattern);
  return true;
};

for (const [name, make, said] of KINDS) {
  describe(`${name} in the place of a file`, { timeout: 600_000 }, () => {
    it(`an import with ${name} instead of a file is refused before anything is read`, async () => {
      await using folder = await makeFolder({ 'departments.csv': 'not even looked at' });
      for (const file of ['companies.csv', 'bookings.csv']) make(join(folder.path, file));
      for (const dryRun of [true, false]) {
        await assert.rejects(importFolder(db, folder.path, { dryRun }), (error) => {
          const [heading = '', ...lines] = (error as Error).message.split('\n');
          assert.match(heading, /: 2 problems\.$/);
          assert.deepEqual(
            lines.map((line) => line.split(': ').slice(0, 2).join(': ')),
            ['  companies.csv: the file cannot be read', '  bookings.csv: the file cannot be read'],
          );
          return refused(said)(error);
        });
      }
      assert.deepEqual((await contents(db)).companies, []);
    });

    it(`a report of an import does not replace ${name}`, async () => {
      await using folder = await makeFolder({});
      await using other = await makeFolder(validFiles);
      const path = join(folder.path, 'report');
      make(path);
      await assert.rejects(openProblemReport(path, other.path), refused(/^The report cannot be written to .* regular/));
      await assert.rejects(openProblemReport(path, other.path), refused(said));
      assert.deepEqual(readdirSync(folder.path), ['report']);
      assert.ok(!statSync(path).isFile());
    });

    it(`a backup does not replace ${name}, even with --force, and a restore refuses it as a backup`, async () => {
      await using folder = await makeFolder({});
      const path = join(folder.path, 'backup');
      make(path);
      await assert.rejects(writeBackup(db, path), refused(/is there already/));
      await assert.rejects(writeBackup(db, path, { force: true }), refused(/^Nothing was backed up to /));
      await assert.rejects(writeBackup(db, path, { force: true }), refused(said));
      await assert.rejects(restoreBackup(db, path), refused(/^Nothing was restored: /));
      await assert.rejects(restoreBackup(db, path), refused(said));
      assert.deepEqual(readdirSync(folder.path), ['backup']);
      assert.ok(!statSync(path).isFile());
    });

    it(`an export into a folder with ${name} as a CSV file is refused`, async () => {
      await using folder = await makeFolder({});
      const path = join(folder.path, 'users.csv');
      make(path);
      await assert.rejects(exportFolder(db, folder.path), refused(/it holds CSV files already \(users\.csv\)/));
      assert.deepEqual(readdirSync(folder.path), ['users.csv']);
    });
  });
}

describe('in the place of a folder', { timeout: 600_000 }, () => {
  for (const [name, make] of KINDS.slice(0, 2)) {
    it(`an import from ${name} and an export to one are refused`, async () => {
      await using folder = await makeFolder({});
      const path = join(folder.path, 'folder');
      make(path);
      await assert.rejects(importFolder(db, path), refused(/it cannot be read \(ENOTDIR/));
      await assert.rejects(exportFolder(db, path), refused(/^Nothing was exported to .*(EEXIST|ENOTDIR)/));
    });
  }
});

describe('links', () => {
  it('a link to a regular file is imported, and a backup replaces a broken link only with --force', async () => {
    await using files = await makeFolder({ target: 'name\n' });
    await using folder = await makeFolder({});
    symlinkSync(join(files.path, 'target'), join(folder.path, 'companies.csv'));
    await assert.rejects(importFolder(db, folder.path), refused(/companies\.csv:1: id: the column is missing/));
    const backup = join(folder.path, 'backup');
    symlinkSync(join(folder.path, 'nowhere'), backup);
    await assert.rejects(writeBackup(db, backup), refused(/is there already/));
    assert.ok(lstatSync(backup).isSymbolicLink());
    await writeBackup(db, backup, { force: true });
    assert.ok(lstatSync(backup).isFile());
  });
});
