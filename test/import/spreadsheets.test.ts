import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { ImportError } from '../../src/import/check/import-error.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { openAdministration } from '../administration/administration.ts';
import { makeFolder } from './folders.ts';

const administration = await openAdministration();
const { api, home, admin, post } = administration;
after(() => administration[Symbol.asyncDispose]());
for (const costCode of ['SUP-1', 'SUP-2']) {
  const answer = await post(admin, 'departments/create', { companyId: home.id, name: 'Support', costCode });
  assert.equal(answer.statusCode, 200);
}

interface Answer {
  added: number;
  unchanged: number;
  problems: { line: number | null; column: string | null; value: string | null; message: string }[];
  changes: { fields: { field: string; after: unknown }[] }[];
}

/** A table as its records stand in the file, the header first. EMAIL stands for an address that nobody has. */
interface Table {
  records: readonly string[];
  /** The end of a line; a line feed unless another is named. */
  end?: string;
  /** What stands before the header. */
  before?: string;
  encoding?: BufferEncoding;
}

/** What new people need from an import of the command line, beside what a table says of them. */
const NEEDED = [
  ['clientType', 'CORPORATE'],
  ['approvalLimit', '0.00'],
  ['departmentCostCode', 'GENERAL'],
  ['bandCode', 'DEFAULT'],
] as const;

/** The same table for the API and for the command line, which needs the company as well. */
function filesOf({ records, end = '\n', before = '', encoding = 'utf8' }: Table): { people: Buffer; folder: Buffer } {
  const header = (records[0] ?? '').toLowerCase();
  const needed = NEEDED.filter(([name]) => !header.includes(name.slice(0, 10).toLowerCase()));
  const email = `${randomUUID()}@new.example`;
  const file = (columns: readonly (readonly [string, string])[]) => {
    const rows = records.map((record, place) => {
      const cells = columns.map((column) => column[place === 0 ? 0 : 1]);
      return record === '' ? '' : [...cells, record.replaceAll('EMAIL', email)].join();
    });
    return Buffer.from(before + rows.join(end) + end, encoding);
  };
  return { people: file(needed), folder: file([['companyId', home.id], ...needed]) };
}

async function check(csv: Buffer): Promise<Answer> {
  const response = await api.send({
    method: 'POST',
    url: '/api/users/import',
    as: admin.email,
    query: { companyId: home.id, dryRun: 'true' },
    headers: { 'content-type': 'text/csv' },
    payload: csv,
  });
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ data: Answer }>().data;
}

/** Imports the table by the command line. @returns what is wrong with it */
async function byFolder(csv: Buffer): Promise<ImportError['problems']> {
  await using folder = await makeFolder({ 'users.csv': csv });
  try {
    await importFolder(api.db, folder.path);
    return [];
  } catch (error) {
    assert.ok(error instanceof ImportError, String(error));
    return error.problems;
  }
}

/** The beginning of a reason: what follows tells of the columns, of which a folder has more. */
const begin = (reason: string) => reason.replace(/^\d+ cells? where.*/, 'another number of cells').split(':', 1)[0];

/** Tables as spreadsheets and people write them, and some fields of the first person as they are read. */
const READ: Readonly<Record<string, Table & { after: Readonly<Record<string, unknown>> }>> = {
  'a byte order mark': {
    before: '\ufeff',
    records: ['email,firstName,lastName', 'EMAIL,Ana,Lee'],
    after: { lastName: 'Lee' },
  },
  'lines that end in CR LF': {
    end: '\r\n',
    records: ['email,firstName,lastName', 'EMAIL,Ana,Lee'],
    after: { lastName: 'Lee' },
  },
  'blank lines, and lines of empty cells': {
    records: ['email,firstName,lastName', '', 'EMAIL,Ana,Lee', ''],
    after: { firstName: 'Ana' },
  },
  'names of columns in capitals, with spaces around': {
    records: ['eMail , FirstName ,LASTNAME', 'EMAIL,Ana,Lee'],
    after: { firstName: 'Ana' },
  },
  'spaces around values': {
    records: ['email,firstName,lastName', ' EMAIL , Ana ,  Lee'],
    after: { firstName: 'Ana', lastName: 'Lee' },
  },
  'a comma and quotes in a cell': {
    records: ['email,firstName,lastName,addressLine1', 'EMAIL,Ana,Lee,"12 ""Main"" Street, Flat 3"'],
    after: { addressLine1: '12 "Main" Street, Flat 3' },
  },
  'accents as letters and marks': {
    records: ['email,firstName,lastName', 'EMAIL,Jose\u0301,Mu\u0308ller'],
    after: { firstName: 'Jose\u0301', lastName: 'Mu\u0308ller' },
  },
  'ß beside SS': {
    records: ['email,firstName,lastName', 'EMAIL,Groß,GROSS'],
    after: { firstName: 'Groß', lastName: 'GROSS' },
  },
  'an apostrophe in front': {
    records: ['email,firstName,lastName', "EMAIL,Ana,'t Hooft"],
    after: { lastName: "'t Hooft" },
  },
  'a sign in front that is none of a formula': {
    records: ['email,firstName,lastName,addressLine1', 'EMAIL,Ana,Lee,=12 High Street'],
    after: { addressLine1: '=12 High Street' },
  },
  'a phone number with no-break spaces': {
    records: ['email,firstName,lastName,phone', 'EMAIL,Ana,Lee,+91\u00a098450\u00a012345'],
    after: { phone: '+91 98450 12345' },
  },
  'zeros in front': {
    records: ['email,firstName,lastName,pincode', 'EMAIL,Ana,Lee,00120'],
    after: { pincode: '00120' },
  },
  'words for true and false in capitals': {
    records: ['email,firstName,lastName,active', 'EMAIL,Ana,Lee,FALSE'],
    after: { active: false },
  },
  'an amount without decimals': {
    records: ['email,firstName,lastName,approvalLimit', 'EMAIL,Ana,Lee,900000'],
    after: { approvalLimit: '900000.00' },
  },
};

/** Tables that nobody can read for certain, and what is told: line and column of each problem. */
const REFUSED: Readonly<
  Record<string, Table & { told: readonly (readonly [number | undefined, string | undefined])[] }>
> = {
  'a comma without quotes': {
    records: [
      'email,firstName,lastName,addressLine1,pincode,gender',
      'EMAIL,Ana,Lee,12 Main Street, Flat 3,560001,Female',
    ],
    told: [[2, undefined]],
  },
  'a cell too few': { records: ['email,firstName,lastName,pincode', 'EMAIL,Ana,Lee'], told: [[2, undefined]] },
  'empty columns behind the last': { records: ['email,firstName,lastName,,', 'EMAIL,Ana,Lee,,'], told: [[1, '']] },
  'a space before a quote': {
    records: ['email, firstName, lastName, addressLine1', 'EMAIL, Ana, Lee, "12 Main Street, Flat 3"'],
    told: [[2, undefined]],
  },
  'a quote that does not close': { records: ['email,firstName,lastName', 'EMAIL,"Ana,Lee'], told: [[2, undefined]] },
  'a letter behind a quote': { records: ['email,firstName,lastName', 'EMAIL,"Ana"x,Lee'], told: [[2, undefined]] },
  'a column twice': {
    records: ['email,firstName,lastName,Phone,phone', 'EMAIL,Ana,Lee,+919876543210,+911111111111'],
    told: [[1, 'phone']],
  },
  'a header twice': { records: ['email,firstName,lastName', 'email,firstName,lastName'], told: [[2, 'email']] },
  'a carriage return in a cell': {
    records: ['email,firstName,lastName,addressLine1', 'EMAIL,Ana,Lee,"Flat 2\rTower B"'],
    told: [[2, 'addressLine1']],
  },
  'a line break in a quoted cell': {
    records: ['email,firstName,lastName,addressLine1', 'EMAIL,Ana,Lee,"Flat 2\nTower B"'],
    told: [[2, 'addressLine1']],
  },
  'carriage returns alone': {
    end: '\r',
    records: ['email,firstName,lastName', 'EMAIL,Ana,Lee'],
    told: [[1, undefined]],
  },
  'sep=; before a header': {
    before: 'sep=;\n',
    records: ['email;firstName;lastName', 'EMAIL;Ana;Lee'],
    told: [[1, undefined]],
  },
  'Windows-1252': {
    encoding: 'latin1',
    records: ['email,firstName,lastName', 'EMAIL,Jürgen,Müller'],
    told: [[2, undefined]],
  },
  'UTF-16': {
    encoding: 'utf16le',
    before: '\ufeff',
    records: ['email,firstName,lastName', 'EMAIL,Ana,Lee'],
    told: [[1, undefined]],
  },
  'a character that could not be read': {
    records: ['email,firstName,lastName', 'EMAIL,J\ufffdrgen,Lee'],
    told: [[2, 'firstName']],
  },
  'a name that cannot be seen': { records: ['email,firstName,lastName', 'EMAIL,\u200b,Lee'], told: [[2, 'firstName']] },
  'dates as spreadsheets write them': {
    records: [
      'email,firstName,lastName,dateOfBirth',
      '1EMAIL,A,B,31/12/1990',
      '2EMAIL,A,B,1990-12-31 00:00:00',
      '3EMAIL,A,B,33238',
    ],
    told: [
      [2, 'dateOfBirth'],
      [3, 'dateOfBirth'],
      [4, 'dateOfBirth'],
    ],
  },
  'amounts with separators and signs': {
    records: [
      'email,firstName,lastName,approvalLimit',
      '1EMAIL,A,B,"1,00,000"',
      '2EMAIL,A,B,"₹25,000"',
      '3EMAIL,A,B,50k',
      '4EMAIL,A,B,1e5',
      '5EMAIL,A,B,-',
    ],
    told: [2, 3, 4, 5, 6].map((line) => [line, 'approvalLimit'] as const),
  },
  'a phone number as a large number': {
    records: ['email,firstName,lastName,phone', 'EMAIL,Ana,Lee,9.845E+09'],
    told: [[2, 'phone']],
  },
  'what is no address': {
    records: [
      'email,firstName,lastName',
      ...[
        '<1EMAIL>',
        'mailto:2EMAIL',
        '3EMAIL;',
        "'4EMAIL",
        '“5EMAIL”',
        'e6@globex',
        'e7@globex..example',
        '8\u200bEMAIL',
      ].map((address) => `${address},A,B`),
    ],
    told: [2, 3, 4, 5, 6, 7, 8, 9].map((line) => [line, 'email'] as const),
  },
  'an address twice, in other letters': {
    records: ['email,firstName,lastName', 'aEMAIL,A,B', 'AEMAIL,A,B'],
    told: [[3, 'email']],
  },
  'columns of another language': {
    records: ['E-mail,First name,Last name', 'EMAIL,Ana,Lee'],
    told: [
      [1, 'E-mail'],
      [1, 'First name'],
      [1, 'Last name'],
      [1, 'id'],
    ],
  },
};

describe('tables of people, by the API and by the command line', () => {
  for (const [what, { after: expected, ...table }] of Object.entries(READ)) {
    it(`${what}: the same people`, async () => {
      const { people, folder } = filesOf(table);
      const { problems, changes, added } = await check(people);
      assert.deepEqual(problems, []);
      const fields = Object.fromEntries(changes[0]?.fields.map(({ field, after: value }) => [field, value]) ?? []);
      assert.deepEqual({ ...fields, ...expected }, fields);
      assert.deepEqual(await byFolder(folder), []);
      const again = await check(people);
      assert.deepEqual([added, again.unchanged, again.changes], [1, 1, []]);
    });
  }

  for (const [what, { told, ...table }] of Object.entries(REFUSED)) {
    it(`${what}: the same refusal`, async () => {
      const { people, folder } = filesOf(table);
      const { problems, added } = await check(people);
      assert.deepEqual(
        problems.map(({ line, column }) => [line ?? undefined, column ?? undefined]),
        told,
      );
      assert.deepEqual(
        problems.map(({ line, column, value, message }) => [line, column, value, begin(message)]),
        (await byFolder(folder)).map(({ line = null, column = null, value = null, reason }) => [
          line,
          column,
          value,
          begin(reason),
        ]),
      );
      assert.equal(added, what === 'an address twice, in other letters' ? 1 : 0);
    });
  }
});

describe('departments by a name', () => {
  it('is refused where two have it, and its cost code is taken', async () => {
    const rows = [
      'email,firstName,lastName,department',
      'a1@new.example,Ana,Lee,Support',
      'a2@new.example,Ana,Lee,sup-1',
    ];
    const { problems, changes } = await check(Buffer.from(rows.join('\n')));
    assert.deepEqual(
      problems.map(({ line, column, value }) => [line, column, value]),
      [[2, 'department', 'Support']],
    );
    assert.match(problems[0]?.message ?? '', /of 2 departments of the company/);
    assert.equal(changes.length, 1);
  });

  it('is refused where one has it as its cost code and another as its name', async () => {
    await post(admin, 'departments/create', { companyId: home.id, name: 'Twofold', costCode: 'T-1' });
    await post(admin, 'departments/create', { companyId: home.id, name: 'Other', costCode: 'twofold' });
    const { problems } = await check(Buffer.from('email,firstName,lastName,department\na3@new.example,A,B,Twofold'));
    assert.deepEqual(
      problems.map(({ line, column }) => [line, column]),
      [[2, 'department']],
    );
  });
});
