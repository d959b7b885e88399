import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import sql from 'sql-template-tag';
import { ImportError } from '../../src/import/check/problems.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { openProblemReport } from '../../src/import/report/problem-report.ts';
import { UserError } from '../../src/lib/errors.ts';
import { openDemoDatabase, openTestDatabase } from '../support/test-database.ts';
import { band, company, contents, department, type Files, id, makeFolder, user, validFiles } from './folders.ts';

const DEMO = fileURLToPath(new URL('../../demo', import.meta.url));

describe('import: a dry run', () => {
  it('a dry run of an import reports what the import then does, and changes nothing', async () => {
    await using db = await openTestDatabase();
    const steps: Files[] = [
      validFiles,
      validFiles,
      // Swaps, moves, rows without ids, additions and changes together.
      {
        'companies.csv': [company(1, { gstin: 'GST-2' }), company(2, { gstin: 'GST-1' }), company(3)],
        'departments.csv': [department(11, 2), department(12, 2)],
        'bands.csv': [band(21, 2, { maxBookingLimit: '1' })],
        'users.csv': [user(31, 2, { departmentId: id(11), bandId: id(21) }), user(33, 2)],
        'company-roles.csv': [
          { userId: id(31), companyId: id(1), role: 'MANAGER' },
          { userId: id(33), companyId: id(3), role: 'EMPLOYEE' },
        ],
        'bookings.csv': [{ id: 'b1', companyId: id(1), userId: id(32), amount: '5.50' }],
      },
    ];
    for (const files of steps) {
      await using folder = await makeFolder(files);
      const before = await contents(db);
      const dry = await importFolder(db, folder.path, { dryRun: true });
      assert.deepEqual(await contents(db), before);
      assert.deepEqual(dry, await importFolder(db, folder.path));
    }
    assert.equal((await contents(db)).companies?.length, 3);
  });

  it('a dry run of an import finds the same faults as the import', async () => {
    await using db = await openDemoDatabase();
    await using folder = await makeFolder({
      ...validFiles,
      'users.csv': [user(31, 1, { email: 'employee@acme.example', approvalLimit: 'x' }), user(31, 1)],
    });
    const faults = await Promise.all(
      [true, false].map((dryRun) => importFolder(db, folder.path, { dryRun }).catch((error: unknown) => error)),
    );
    assert.ok(faults[0] instanceof ImportError && faults[1] instanceof ImportError);
    assert.deepEqual(
      faults[0].problems.map(({ file, line, column }) => `${file}:${line} ${column}`),
      [
        'users.csv:2 approvalLimit',
        'users.csv:2 email',
        'users.csv:3 id',
        // Their user 32 is no longer in the folder.
        'system-roles.csv:2 userId',
        'bookings.csv:2 userId',
      ],
    );
    assert.deepEqual(faults[0].problems, faults[1].problems);
    assert.equal(faults[0].message, faults[1].message);
  });

  it('a dry run of an import of the stored rows reports all of them as unchanged', async () => {
    await using db = await openDemoDatabase();
    const { files } = await importFolder(db, DEMO, { dryRun: true });
    assert.ok(files.length === 9 && files.every(({ rows, unchanged }) => rows > 0 && rows === unchanged));
  });

  it('an import leaves no staging table, also as a dry run, refused or interrupted', async () => {
    await using db = await openTestDatabase();
    await using good = await makeFolder(validFiles);
    await using bad = await makeFolder({ 'users.csv': 'x' });
    const fault = new Error('on purpose');
    await importFolder(db, good.path, { dryRun: true });
    await assert.rejects(importFolder(db, bad.path), ImportError);
    const stopped = importFolder(db, good.path, {
      onProgress: ({ file, step }) => {
        if (file === 'users.csv' && step === 'writing') throw fault;
      },
    });
    await assert.rejects(stopped, (error) => error === fault);
    const left = await db.query(sql`select relname::text from pg_class where relname like 'import\\_%'`);
    assert.deepEqual([...left], []);
    assert.equal((await contents(db)).companies?.length, 0);
    await importFolder(db, good.path);
  });
});

/** A report of an import of these files, as text. */
async function reportOf(files: Files): Promise<string> {
  await using db = await openTestDatabase();
  await using folder = await makeFolder(files);
  const file = join(folder.path, 'report.txt');
  await writeFile(file, 'an older one');
  await using report = await openProblemReport(file, folder.path);
  const error = await importFolder(db, folder.path).then(
    () => undefined,
    (reason: unknown) => reason as ImportError,
  );
  await report.write(error);
  assert.deepEqual((await readdir(folder.path)).toSorted(), [...Object.keys(files), 'report.txt'].toSorted());
  return await readFile(file, 'utf8');
}

describe('import: the report of problems', () => {
  it("an import's report has a line for each problem, with the value as in the file", async () => {
    const text = await reportOf({
      'companies.csv': [company(1, { active: '=1+1' }), company(2, { name: '"a",\nb', email: '@x' })],
      'departments.csv': 'name,name\n',
    });
    const lines = text.split('\n');
    assert.equal(lines[0], 'file,line,column,value,reason');
    assert.match(text, /\ncompanies\.csv,2,active,'=1\+1,"'""=1\+1"" is not valid: expected true or false"\n/);
    assert.match(text, /\ncompanies\.csv,3,name,"""a"",\nb","""\\""a\\"",\\nb"" is not valid: expected 1 to 200 /);
    assert.match(text, /\ndepartments\.csv,1,name,,the column stands more than once in the header\n/);
    assert.match(
      text,
      /\ndepartments\.csv,1,id,,"the column is missing from the header, and so is companyId and costCode: .*"\n$/,
    );
  });

  it("an import's report counts the problems beyond 10,000, and shortens very long values", async () => {
    const rows = Array.from({ length: 10_005 }, (_, index) => department(1000 + index, 1, { budget: 'x' }));
    const text = await reportOf({ 'departments.csv': [department(1, 1, { name: 'n'.repeat(5000) }), ...rows] });
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.length, 1 + 10_000 + 1);
    // One of the name, and of each row one of the budget and one of the company.
    assert.match(lines.at(-1) ?? '', /^,,,,… and \d+ more$/);
    assert.match(lines[1] ?? '', /^departments\.csv,2,(name|companyId),/);
    assert.ok(lines.some((line) => line.includes(`,${'n'.repeat(1000)}…,`)));
  });

  it('the report of an import without problems is a header alone', async () => {
    assert.equal(await reportOf(validFiles), 'file,line,column,value,reason\n');
  });

  it('an import refuses a report that cannot be written or would be one of its files', async () => {
    await using folder = await makeFolder(validFiles);
    const refused = (file: string, pattern: RegExp) =>
      assert.rejects(
        openProblemReport(join(folder.path, file), folder.path),
        (error) => error instanceof UserError && pattern.test(error.message),
      );
    await mkdir(join(folder.path, 'sub'));
    await refused('users.csv', /would be one of the files to import/);
    await refused('report.CSV', /would be one of the files to import/);
    await refused('sub', /sub is a folder, and no regular file/);
    await refused('absent/report.csv', /cannot be written to .*ENOENT/);
    const report = await openProblemReport(join(folder.path, 'sub/report.csv'), folder.path);
    assert.equal((await readdir(join(folder.path, 'sub'))).length, 1);
    await report[Symbol.asyncDispose]();
    assert.deepEqual(await readdir(join(folder.path, 'sub')), []);
  });
});
