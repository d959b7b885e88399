import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ImportError } from '../../src/import/check/problems.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { UserError } from '../../src/lib/errors.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';
import {
  band,
  type CsvRow,
  company,
  contents,
  department,
  type Files,
  id,
  importFiles,
  makeFolder,
  toCsv,
  user,
  validFiles,
} from './folders.ts';

let db: TestDatabase;
before(async () => {
  db = await openTestDatabase();
  await importFiles(db, validFiles);
});
after(() => db[Symbol.asyncDispose]());

/** The error of an import of these files, which leaves the database as it was. */
async function refusal(files: Files): Promise<ImportError> {
  await using folder = await makeFolder(files);
  return await refusalOf(folder.path);
}

async function refusalOf(path: string): Promise<ImportError> {
  const stored = await contents(db);
  const error = await importFolder(db, path).then(
    () => assert.fail('imported'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ImportError && error instanceof UserError, String(error));
  assert.deepEqual(await contents(db), stored);
  return error;
}

/** The only problem, as `file:line: column: reason`, and its value. */
async function problem(files: Files): Promise<{ text: string; value: string | undefined }> {
  const { problems, message } = await refusal(files);
  assert.equal(problems.length, 1, message);
  const [{ file, line, column, value, reason } = assert.fail()] = problems;
  const text = [line === undefined ? file : `${file}:${line}`, column, reason]
    .filter((part) => part !== undefined)
    .join(': ');
  assert.ok(message.split('\n').includes(`  ${text}`), message);
  return { text, value };
}

/** Every file with a row of which one cell is bad: the value, and what its message must name next to it. */
const BAD_CELLS: readonly (readonly [
  file: keyof typeof validFiles,
  column: string,
  value: string,
  expected: RegExp,
])[] = [
  ['companies.csv', 'id', 'c-1', /expected a UUID/],
  ['companies.csv', 'name', '', /the cell is empty: expected 1 to 200 characters/],
  ['companies.csv', 'name', 'x'.repeat(201), /expected 1 to 200 characters/],
  ['companies.csv', 'gstin', 'GST 1', /expected a registration number/],
  ['companies.csv', 'email', 'nobody', /expected an e-mail address/],
  ['companies.csv', 'creditLimit', 'NaN', /expected an amount/],
  ['companies.csv', 'creditLimit', '1.005', /expected an amount/],
  ['companies.csv', 'creditDays', '-1', /expected a whole number/],
  ['companies.csv', 'active', 'yes', /expected true or false/],
  ['departments.csv', 'companyId', '', /the cell is empty: expected a UUID/],
  ['departments.csv', 'costCode', 'x'.repeat(51), /expected 1 to 50 characters/],
  ['departments.csv', 'budget', 'Infinity', /expected an amount/],
  ['bands.csv', 'maxBookingLimit', '1e3', /expected an amount/],
  ['users.csv', 'firstName', 'A\u0000na', /expected 1 to 100 characters/],
  ['users.csv', 'phone', '12', /expected a telephone number with \+ and its country code/],
  ['users.csv', 'phone', '98765 43210', /expected \+ with the country code, then the digits/],
  ['users.csv', 'phone', '+9112345', /expected a number with more digits/],
  ['users.csv', 'clientType', 'corporate', /expected one of CORPORATE, AGENCY, DIRECT/],
  ['users.csv', 'dateOfBirth', '2023-02-29', /expected a calendar date from 1900-01-01 to today/],
  ['users.csv', 'addressLine1', 'a\nb', /expected 1 to 255 characters/],
  ['users.csv', 'pincode', '1', /expected 3 to 12 letters/],
  ['users.csv', 'loyaltyPoints', '1.5', /expected a whole number/],
  ['company-roles.csv', 'role', 'SUPER_ADMIN', /expected one of CORPORATE_ADMIN, MANAGER, EMPLOYEE/],
  ['system-roles.csv', 'role', 'MANAGER', /expected one of SUPER_ADMIN, PLATFORM_RM/],
  ['approval-policies.csv', 'id', 'x'.repeat(101), /expected 1 to 100 characters/],
  ['approval-policy-levels.csv', 'level', '0', /expected a whole number from 1/],
  ['approval-policy-levels.csv', 'roleRequired', 'BOSS', /expected one of SUPER_ADMIN/],
  ['bookings.csv', 'amount', '', /the cell is empty: expected an amount/],
  ['bookings.csv', 'createdAt', '2025-01-31T09:30:00', /expected a date-time with its time zone/],
];

describe('import: refuses', () => {
  for (const [file, column, value, expected] of BAD_CELLS) {
    it(`an import with ${column} ${JSON.stringify(value.slice(0, 20))} in ${file} is refused`, async () => {
      const [row]: readonly CsvRow[] = validFiles[file];
      const found = await problem({ [file]: [{ ...row, [column]: value }] });
      assert.equal(found.value, value);
      assert.ok(found.text.startsWith(`${file}:2: ${column}: `), found.text);
      assert.match(found.text, expected);
    });
  }

  it("an import with an unknown, missing or repeated column is refused with the column's name", async () => {
    const csv = toCsv([company(1)]);
    const foreign = await problem({ 'companies.csv': csv.replace('active', 'Activ') });
    assert.match(
      foreign.text,
      /^companies\.csv:1: Activ: unknown column: the columns of companies\.csv are id, name, /,
    );
    const { id: companyId, gstin, ...without } = company(1);
    const missing = await problem({ 'companies.csv': toCsv([without]) });
    assert.match(missing.text, /^companies\.csv:1: id: the column is missing from the header, and so is gstin: /);
    const [{ id: policyId, ...policy }] = validFiles['approval-policies.csv'];
    const always = await problem({ 'approval-policies.csv': toCsv([policy]) });
    assert.equal(always.text, 'approval-policies.csv:1: id: the column is missing from the header');
    const doubled = await problem({
      'companies.csv': csv.replaceAll('\n', ',true\n').replace('active,true', 'active,ACTIVE'),
    });
    assert.equal(doubled.text, 'companies.csv:1: ACTIVE: the column stands more than once in the header');
    assert.deepEqual([companyId, gstin, policyId], [id(1), 'GST-1', 'p1']);
  });

  it('an import of a record with a wrong number of cells is refused', async () => {
    const [short, long] = [`${toCsv([company(1)])}a,b\n`, toCsv([company(1), company(2)]).replace('GST-2', 'GST-2,')];
    const found = [await problem({ 'companies.csv': short }), await problem({ 'companies.csv': long })];
    assert.deepEqual(
      found.map(({ text }) => text),
      [
        'companies.csv:3: 2 cells where the header has 8 columns',
        'companies.csv:3: 9 cells where the header has 8 columns',
      ],
    );
  });

  it('an import of text that is no CSV in UTF-8 is refused', async () => {
    const csv = toCsv([company(1)]);
    const latin1 = await problem({ 'companies.csv': Buffer.from(csv.replace('Ltd', 'Sàrl'), 'latin1') });
    assert.match(latin1.text, /^companies\.csv:2: the text is not UTF-8/);
    const quote = await problem({ 'companies.csv': `${csv}"\n` });
    assert.match(quote.text, /^companies\.csv:3: a quoted cell of this record is not closed/);
    const semicolons = await problem({ 'companies.csv': csv.replaceAll(',', ';') });
    assert.match(semicolons.text, /^companies\.csv:1: the cells are not separated by commas/);
    const returns = await problem({ 'companies.csv': csv.replaceAll('\n', '\r') });
    assert.match(returns.text, /^companies\.csv:1: a carriage return stands without a line feed/);
    const nothing = await problem({ 'companies.csv': '' });
    assert.match(nothing.text, /^companies\.csv:1: the file is empty: expected a header with the columns id, name, /);
  });

  it('an import numbers a record after quoted line breaks by its own first line', async () => {
    const files = { 'companies.csv': [company(1, { name: 'Two\r\n\r\nlines' }), company(2, { active: '2' })] };
    const { problems } = await refusal(files);
    assert.deepEqual(
      problems.map(({ line, column }) => [line, column]),
      [
        [2, 'name'],
        [5, 'active'],
      ],
    );
  });

  it("an import's message shows invisible characters of a value as escapes", async () => {
    const values = { pincode: '560\u00a0001', firstName: '\u3164', gender: '\u{e0041}\u2800', phone: '12\u2003' };
    const { message } = await refusal({ ...validFiles, 'users.csv': [user(31, 1, values), user(32, 2)] });
    for (const shown of ['"560\\u00a0001"', '"\\u3164"', '"\\u{e0041}\\u2800"'])
      assert.ok(message.includes(shown), message);
  });

  it('an import returns all problems of all files at once, in order', async () => {
    const { problems, message } = await refusal({
      'bookings.csv': [{ id: 'b9', companyId: id(1), userId: id(99), amount: '-' }],
      'users.csv': [user(31, 1, { email: 'x', bandId: id(22) }), user(33, 1, { email: 'U32@x.example' })],
      'departments.csv': [department(13, 9)],
      'bands.csv': [band(21, 1), band(21, 1)],
    });
    assert.deepEqual(
      problems.map(({ file, line, column, value }) => [file, line, column, value]),
      [
        ['departments.csv', 2, 'companyId', id(9)],
        ['bands.csv', 3, 'id', id(21)],
        ['bands.csv', 3, 'code', 'B1'],
        ['users.csv', 2, 'email', 'x'],
        ['users.csv', 2, 'bandId', id(22)],
        ['users.csv', 3, 'email', 'U32@x.example'],
        ['bookings.csv', 2, 'amount', '-'],
        ['bookings.csv', 2, 'userId', id(99)],
      ],
    );
    assert.match(message, /^Nothing was imported from .*: 8 problems\.\n {2}departments\.csv:2: companyId: /);
  });

  it("an import's message lists twenty problems and counts the others", async () => {
    const rows = Array.from({ length: 12_000 }, (_, index) => department(1000 + index, 1, { budget: 'x' }));
    const { problems, total, message } = await refusal({ 'departments.csv': rows });
    assert.equal(total, 12_000);
    const lines = message.split('\n');
    assert.match(lines[0] ?? '', /: 12000 problems\.$/);
    assert.deepEqual([lines.length, lines.at(-1)], [22, '  … and 11980 more']);
    assert.deepEqual([problems.length, problems.at(-1)?.line], [10_000, 10_001]);
  });

  it("an import's message shortens a value and escapes its control characters", async () => {
    const value = `\u001b[31m${'𝒳'.repeat(300)}`;
    const { problems, message } = await refusal({ 'departments.csv': [department(11, 1, { name: value })] });
    assert.equal(problems[0]?.value, value);
    assert.match(message, /name: "\\u001b\[31m𝒳{55}…" is not valid: expected/u);
  });

  it('an import of a missing folder, or one without CSV files or with others, is refused', async () => {
    await using folder = await makeFolder({ 'notes.txt': '', '.hidden.csv': '' });
    assert.match((await refusalOf(join(folder.path, 'absent'))).message, /there is no such folder/);
    assert.match((await refusalOf(join(folder.path, 'notes.txt'))).message, /cannot be read/);
    assert.match((await refusalOf(folder.path)).message, /it has no CSV file\. .* companies\.csv, departments\.csv, /);
    await writeFile(join(folder.path, 'user.csv'), '');
    await writeFile(join(folder.path, 'Users.CSV'), '');
    const { problems, message } = await refusalOf(folder.path);
    assert.deepEqual(
      problems.map(({ file, line }) => [file, line]),
      [
        ['Users.CSV', undefined],
        ['user.csv', undefined],
      ],
    );
    assert.match(message, /user\.csv: not a file of the import format: .* users\.csv, /);
  });

  it('an import of a folder with an unreadable file is refused', async () => {
    await using folder = await makeFolder({ 'companies.csv': validFiles['companies.csv'] });
    await mkdir(join(folder.path, 'users.csv'));
    await symlink(join(folder.path, 'absent'), join(folder.path, 'bookings.csv'));
    const { message } = await refusalOf(folder.path);
    assert.match(message, /\n {2}users\.csv: the file cannot be read: \S+ is a folder, and no regular file/);
    assert.match(message, /\n {2}bookings\.csv: the file cannot be read: ENOENT/);
  });

  it("an import that the database refuses after all checks fails with the database's message", async () => {
    await using blank = await openTestDatabase();
    const script = `
      create function refuse() returns trigger language plpgsql as $$ begin raise unique_violation; end $$;
      create trigger refuse before insert on bookings for each row execute function refuse();`;
    await blank.transaction((transaction) => transaction.run(script));
    await assert.rejects(importFiles(blank, validFiles), {
      message: /^Nothing was imported from .*: the database answered: unique_violation.* import the folder again\.$/,
    });
    assert.deepEqual((await contents(blank)).companies, []);
  });
});
