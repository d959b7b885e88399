import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ImportError } from '../../src/import/check/problems.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { band, company, contents, department, type Files, id, importFiles, makeFolder, user } from './folders.ts';

/** A fault takes minutes here: a busy machine does not. */
const DEADLINE = { timeout: 120_000 };
const MEGABYTE = 1024 * 1024;
/** Nearly the longest record. */
const RECORD = 65_000;

/** As often as it fits into so many bytes. */
const filled = (text: string, bytes = MEGABYTE - 100) => text.repeat(Math.floor(bytes / text.length));
const ROLES = 'userId,role\n';
const distinctNames = Array.from({ length: 15_000 }, (_, index) => index.toString(36)).join();

/** Files that cost more than their size says, where they are read without care. */
const KINDS: readonly [name: string, make: () => Files, says: RegExp][] = [
  ['a header of 15,000 names', () => ({ 'companies.csv': distinctNames }), /:1: the header has 15000 columns: /],
  ['a header of 65,000 commas', () => ({ 'companies.csv': filled(',', RECORD) }), /:1: the header has \d+ columns: /],
  [
    'a header of one name again and again',
    () => ({ 'companies.csv': filled('id,', RECORD) }),
    /:1: the header has \d+ col/,
  ],
  [
    'a header of a quoted name and others',
    () => ({ 'companies.csv': `"a",${filled('b,', RECORD)}` }),
    /:1: the header has/,
  ],
  ['a header of quotes alone', () => ({ 'companies.csv': filled('"",', RECORD) }), /:1: the header has \d+ columns/],
  ['a header of one long name', () => ({ 'companies.csv': filled('n', RECORD) }), /:1: "n{60}…": unknown column/],
  [
    'a row of 32,000 cells',
    () => ({ 'system-roles.csv': `${ROLES}"a",${filled('b,', RECORD)}\n` }),
    /:2: \d+ cells where/,
  ],
  ['a quote of 32,000 quotes', () => ({ 'system-roles.csv': `${ROLES}"${filled('""', RECORD)}",x\n` }), /:2: userId: /],
  ['a quote of 65,000 lines', () => ({ 'system-roles.csv': `${ROLES}"${filled('\n', RECORD)}",x\n` }), /:2: userId: /],
  [
    'a quote that is never closed',
    () => ({ 'system-roles.csv': `${ROLES}"${filled('\n')}` }),
    /:2: the record is longer/,
  ],
  ['a million empty lines', () => ({ 'system-roles.csv': `${ROLES}${filled('\n')}x\n` }), /:\d{7}: 1 cell where/],
  ['500,000 rows of one cell', () => ({ 'system-roles.csv': `${ROLES}${filled('x\n')}` }), /:2: 1 cell where/],
  ['350,000 rows of bad cells', () => ({ 'system-roles.csv': `${ROLES}${filled('a,\n')}` }), /:2: userId: "a" is not/],
  ['lines that are not UTF-8', () => ({ 'system-roles.csv': latin1(`${ROLES}${filled('\n')}\xff\n`) }), /UTF-8/],
  ['a long cell', () => ({ 'companies.csv': [company(1, { name: filled('n', 60_000) })] }), /:2: name: /],
  ['an address of @ alone', () => ({ 'companies.csv': [company(1, { email: filled('@', 60_000) })] }), /:2: email: /],
  ['a cell of spaces', () => ({ 'companies.csv': [company(1, { name: filled(' ', 60_000) })] }), /:2: name: the cell/],
];

const latin1 = (text: string) => Buffer.from(text, 'latin1');

let db: TestDatabase;
before(async () => {
  db = await openTestDatabase();
});
after(() => db?.[Symbol.asyncDispose]());

/** Returns the message by which the import of a folder is refused. */
async function refusal(path: string): Promise<string> {
  const error: unknown = await importFolder(db, path, { dryRun: true }).then(
    () => assert.fail('imported'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ImportError, String(error));
  return error.message;
}

describe('import: hostile files', () => {
  for (const [name, make, says] of KINDS) {
    it(`an import with ${name} is refused in time with a short message`, DEADLINE, async () => {
      await using folder = await makeFolder(make());
      const message = await refusal(folder.path);
      assert.match(message, says);
      assert.ok(message.length < 10_000, `${message.length} characters`);
    });
  }

  it('an import with thousands of repeated departments and their users is refused in time', async () => {
    await importFiles(db, { 'companies.csv': [company(1), company(2)] });
    await importFiles(db, { 'departments.csv': [department(11, 1)], 'bands.csv': [band(21, 1), band(22, 2)] });
    await importFiles(db, { 'users.csv': Array.from({ length: 3000 }, (_, number) => user(1000 + number, 1)) });
    const before = await contents(db);
    await using folder = await makeFolder({
      // The users that are there stay in the other company, and so do those of the folder.
      'departments.csv': Array.from({ length: 3000 }, () => department(11, 2)),
      'users.csv': Array.from({ length: 3000 }, (_, number) =>
        user(5000 + number, 1, { departmentId: id(11), bandId: id(21) }),
      ),
    });
    const message = await refusal(folder.path);
    assert.match(message, /departments\.csv:3: id: .* stands on line 2 already/);
    // Of the departments all but one; of the users each; once that there are users of the company.
    assert.match(message, new RegExp(`: ${2 * 2999 + 3000 + 1} problems`));
    assert.deepEqual(await contents(db), before);
  });

  it('an import with more than 10,000 faults checks no references', async () => {
    const rows = Array.from({ length: 10_001 }, (_, number) => department(number, 9, { budget: 'x' }));
    await using folder = await makeFolder({ 'departments.csv': rows });
    const message = await refusal(folder.path);
    // The company that there is not goes unmentioned.
    assert.match(message, /: 10001 problems\./);
  });
});
