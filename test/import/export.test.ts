import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { booking } from '../../src/entities/booking.ts';
import { company as companyEntity } from '../../src/entities/company.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { FILE_NAMES as FILES } from '../../src/import/write/csv-folder.ts';
import { exportFolder } from '../../src/import/write/export-folder.ts';
import { UserError } from '../../src/lib/errors.ts';
import { openDemoDatabase, openTestDatabase } from '../support/test-database.ts';
import { company, contents, department, type Files, id, importFiles, makeFolder, user, validFiles } from './folders.ts';

/** Texts that a careless writer of CSV gets wrong, as people may have sent them. */
const NASTY = [
  '="1+1"',
  '+91',
  '-1',
  '@x',
  'a"b""',
  ',',
  '𝒳 😀 e\u0301',
  "'; drop",
  '\\N \\t',
  '\u202eabc',
  'x  y',
  '0',
];
const nastyFiles: Files = {
  ...validFiles,
  'companies.csv': [
    ...validFiles['companies.csv'],
    ...NASTY.map((text, index) => company(100 + index, { name: text, legalName: `${text} &` })),
  ],
  'departments.csv': [
    ...validFiles['departments.csv'],
    ...NASTY.map((text, index) => department(200 + index, 1, { name: `Z${text}`, costCode: text })),
  ],
  'users.csv': [
    ...validFiles['users.csv'],
    ...NASTY.map((text, index) => user(300 + index, 1, { firstName: text, addressLine1: text, addressLine2: text })),
  ],
  'approval-policies.csv': [
    ...validFiles['approval-policies.csv'],
    ...NASTY.map((text) => ({ id: `policy ${text}`, companyId: id(1), name: text, autoApprovalLimit: '0.10' })),
  ],
  'bookings.csv': [
    ...NASTY.map((text) => ({ id: text, companyId: id(1), userId: id(31), amount: '1', createdAt: '' })),
    { id: 'b1', companyId: id(1), userId: id(31), amount: '1', createdAt: '2025-01-31T15:00:00.123456+05:30' },
    ...[
      '1900-01-01T00:00Z',
      '1899-12-31T10:00:00-14:00',
      '1900-01-01T14:00:00+14:00',
      '9999-12-31T23:59:59.999999Z',
      '9999-12-31T09:59:59.999999-14:00',
      '9999-12-31T23:59:59.9+14:00',
    ].map((createdAt, n) => ({ id: `edge ${n}`, companyId: id(1), userId: id(31), amount: '1', createdAt })),
  ],
};

async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = FILES.map(async (file) => [file, await readFile(join(folder, file), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(entries));
}

describe('export', () => {
  it('an export can be imported into an empty database, whose export is the same', async () => {
    await using db = await openDemoDatabase();
    await importFiles(db, nastyFiles);
    await using folder = await makeFolder({});
    const [first, second] = [join(folder.path, 'a/b'), join(folder.path, 'c')];
    const exported = await exportFolder(db, first);
    assert.deepEqual(
      exported.map(({ file }) => file),
      FILES,
    );
    await using other = await openTestDatabase();
    const { files } = await importFolder(other, first);
    assert.deepEqual(
      files.map(({ rows, added }) => [rows, added]),
      exported.map(({ rows }) => [rows, rows]),
    );
    await exportFolder(other, second);
    assert.deepEqual(await filesOf(second), await filesOf(first));
    const stamps = (table: object[] = []) => table.map((row) => ({ ...row, created_at: '', updated_at: '' }));
    const [before, after] = [await contents(db), await contents(other)];
    const unstamped = (table: object[] = []) => table.map((row) => ({ ...row, updated_at: '', position: '' }));
    assert.deepEqual(unstamped(after.bookings), unstamped(before.bookings));
    assert.deepEqual(stamps(after.users), stamps(before.users));
    assert.deepEqual(stamps(after.companies), stamps(before.companies));
    // And the first database finds nothing to do in it.
    assert.ok((await importFolder(db, first)).files.every(({ rows, unchanged }) => rows === unchanged));
  });

  it('an export writes columns in the order of the format, rows by id, and quotes only where needed', async () => {
    await using db = await openTestDatabase();
    const [last, first] = [company(2, { name: 'A "b", c', active: 'false' }), company(1, { name: '=1' })];
    await importFiles(db, {
      ...validFiles,
      'companies.csv': [last, first],
      'bookings.csv': ['b', 'a', 'B', 'é'].map((name) => ({ ...validFiles['bookings.csv'][0], id: name })),
    });
    await using folder = await makeFolder({});
    await exportFolder(db, folder.path);
    const files = await filesOf(folder.path);
    const columns = Object.keys(companyEntity.fields);
    const line = (cells: Readonly<Record<string, string>>) =>
      columns
        .map((name) => ({ budgetPeriod: 'YEAR', fiscalYearStart: '1', timeZone: 'UTC', ...cells })[name] ?? '')
        .join(',');
    assert.equal(
      files['companies.csv'],
      [columns.join(','), line({ ...first, name: "'=1" }), line({ ...last, name: '"A ""b"", c"' }), ''].join('\n'),
    );
    assert.equal(
      files['bookings.csv'],
      [Object.keys(booking.fields).join(',')]
        .concat(
          ['B', 'a', 'b', 'é'].map(
            (name) => `${name},${id(1)},${id(32)},5.50,2025-01-31T09:30:00.000Z,,,,BOOKED,,,,,,,`,
          ),
        )
        .concat('')
        .join('\n'),
    );
    assert.equal(files['system-roles.csv'], `userId,role,active\n${id(32)},PLATFORM_RM,false\n`);
    assert.match(files['users.csv'] ?? '', /,Female,"1, Main Street",,560 001,0,true,,,,,,,,,,,EMPLOYEE,,,\n/);
    assert.deepEqual((await readdir(folder.path)).toSorted(), FILES.toSorted());
  });

  it('an export contains one state of the database while rows change', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    await using folder = await makeFolder({});
    const changes: Promise<unknown>[] = [];
    await exportFolder(db, folder.path, ({ file }) => {
      if (file === 'companies.csv') changes.push(db.query(sql`delete from bookings`));
    });
    await Promise.all(changes);
    assert.match((await filesOf(folder.path))['bookings.csv'] ?? '', /\nb1,/);
    assert.equal((await contents(db)).bookings?.length, 0);
  });

  it('an export into a folder with CSV files, or to a path that is a file, is refused', async () => {
    await using db = await openTestDatabase();
    await using folder = await makeFolder({ 'Notes.CSV': 'x' });
    const refused = (path: string, pattern: RegExp) =>
      assert.rejects(exportFolder(db, path), (error) => error instanceof UserError && pattern.test(error.message));
    await refused(folder.path, /it holds CSV files already \(Notes\.CSV\)\. Name another folder, or remove them/);
    assert.deepEqual(await readdir(folder.path), ['Notes.CSV']);
    await refused(join(folder.path, 'Notes.CSV'), /^Nothing was exported to .*: EEXIST/);
  });

  it('a failed export leaves no file, and the next one removes the files of a killed export', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    await using folder = await makeFolder({ 'notes.txt': '', 'companies.csv.00ff00ff.unfinished': 'id' });
    const fault = new Error('on purpose');
    const failed = exportFolder(db, folder.path, ({ file }) => {
      if (file === 'users.csv') throw fault;
    });
    await assert.rejects(failed, (error) => error === fault);
    assert.deepEqual(await readdir(folder.path), ['notes.txt']);
    await exportFolder(db, folder.path);
    assert.deepEqual((await readdir(folder.path)).toSorted(), [...FILES, 'notes.txt'].toSorted());
  });

  it('an export that cannot name one of its files removes the files it has named', async () => {
    await using db = await openTestDatabase();
    await importFiles(db, validFiles);
    await using folder = await makeFolder({});
    const failed = exportFolder(db, folder.path, ({ file }) => {
      if (file !== 'bookings.csv') return;
      for (const name of readdirSync(folder.path)) if (name.startsWith('users.csv.')) rmSync(join(folder.path, name));
    });
    await assert.rejects(failed, (error) => error instanceof UserError && /ENOENT/.test(error.message));
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('an import of a folder with an unfinished export is refused', async () => {
    await using db = await openTestDatabase();
    await using folder = await makeFolder({ 'companies.csv': validFiles['companies.csv'] });
    await writeFile(join(folder.path, 'users.csv.00ff00ff.unfinished'), 'id');
    await assert.rejects(importFolder(db, folder.path), /an export into it was not finished/);
  });

  it('an export into a folder with other files writes all its files', async () => {
    await using db = await openTestDatabase();
    await using folder = await makeFolder({});
    await mkdir(join(folder.path, 'sub.csv.d'));
    assert.deepEqual(
      (await exportFolder(db, folder.path)).map(({ rows }) => rows),
      FILES.map(() => 0),
    );
    assert.equal((await readFile(join(folder.path, 'bookings.csv'), 'utf8')).split('\n').length, 2);
  });
});
