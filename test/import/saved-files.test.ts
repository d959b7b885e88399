import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import sql from 'sql-template-tag';
import { NEEDED, openBothWays, reported } from './both-ways.ts';
import { type ConsoleTable, consoleTable, type Place } from './console-table.ts';
import { REFUSED_FILES } from './refused-files.ts';
import { type Brought, SAVED_FILES } from './saved-files.ts';

const bothWays = await openBothWays();
after(() => bothWays[Symbol.asyncDispose]());
const { check, bring, byFolder } = bothWays;
const { api, home, admin, post } = bothWays.administration;
const create = async (what: string, fields: object) =>
  assert.equal((await post(admin, `${what}/create`, { companyId: home.id, ...fields })).statusCode, 200);
for (const costCode of ['SUP-1', 'SUP-2']) await create('departments', { name: 'Support', costCode });

/** What is stored of the people of a domain, in the order of their lines. */
function stored(emails: readonly string[]): Promise<Brought[]> {
  return api.db.query<Brought>(sql`
    select email, first_name as "firstName", last_name as "lastName", phone, date_of_birth::text as "dateOfBirth", gender,
           address_line_1 as "addressLine1", address_line_2 as "addressLine2", pincode, approval_limit::text as "approvalLimit",
           cost_code as department, employee_bands.code as band, users.active, client_type as "clientType",
           array(select role from company_roles where user_id = users.id order by role) as roles
      from users join departments on departments.id = department_id join employee_bands on employee_bands.id = band_id
     where email = any(array(select json_array_elements_text(${JSON.stringify(emails)}::text::json)))
     order by array_position(array(select json_array_elements_text(${JSON.stringify(emails)}::text::json)), email)`);
}

const NEW = {
  phone: null,
  dateOfBirth: null,
  gender: null,
  addressLine1: null,
  addressLine2: null,
  pincode: null,
  approvalLimit: '0.00',
  department: 'GENERAL',
  band: 'DEFAULT',
  active: true,
  clientType: 'CORPORATE',
  roles: ['EMPLOYEE'],
};

/** The names that the command line knows columns by. */
const OF_FOLDER: Readonly<Record<string, string>> = { department: 'departmentCostCode', band: 'bandCode' };

/** What the console sends, for the command line: with the company, and without roles, which are a file of their own there. */
function folderTable({ draft, rows, csv = '' }: ConsoleTable): string {
  assert.ok(draft.targets.includes('email'));
  const lines = csv.split('\n');
  const header = (lines[draft.header.line - 1] ?? '').split(',').map((name) => OF_FOLDER[name] ?? name);
  const needed = [['companyId', home.id] as const, ...NEEDED.filter(([name]) => !header.includes(name))];
  const before = (at: 0 | 1) => needed.map((column) => `${column[at]},`).join('');
  lines[draft.header.line - 1] = before(0) + header.join();
  for (const { line, fault } of rows) if (fault === undefined) lines[line - 1] = before(1) + lines[line - 1];
  return lines.join('\n');
}

const withoutRoles = (table: ConsoleTable['draft']['targets']) =>
  table.map((target) => (target === 'roles' ? ('' as const) : target));

/** What the service tells of a table. */
const places = (problems: readonly { line?: number | null | undefined; column?: string | null | undefined }[]) =>
  problems.map(({ line, column }): Place => [line ?? undefined, column ?? undefined]);

describe('files as spreadsheets save them', () => {
  for (const [what, { bytes, choices, people }] of Object.entries(SAVED_FILES)) {
    it(`people in a saved file (${what}) are stored alike by the console and the command line`, async () => {
      const table = await consoleTable(bytes, choices);
      assert.deepEqual(table.reported, []);
      const { added, problems } = await bring(table.csv ?? '');
      assert.deepEqual([added, problems], [people.length, []]);
      const expected = people.map((person) => ({ ...NEW, ...person }));
      assert.deepEqual(await stored(people.map(({ email }) => email)), expected);
      const same = await consoleTable(bytes, { ...choices, targets: withoutRoles(table.draft.targets) });
      const again = await byFolder(folderTable(same), { dryRun: true });
      assert.deepEqual([again.problems, again.unchanged], [[], people.length]);
    });
  }

  for (const [what, { bytes, reported: expected, tidied = [] }] of Object.entries(REFUSED_FILES)) {
    it(`a saved file (${what}) is reported by line and column by the console and the command line`, async () => {
      const table = await consoleTable(bytes);
      const problems = table.csv === undefined ? [] : reported(await check(table.csv));
      const all = new Map([...table.reported, ...places(problems)].map((place) => [place.join(), place]));
      assert.deepEqual(
        [...all.values()].sort(([left = 0], [right = 0]) => left - right),
        expected,
      );
      if (table.csv === undefined) return;
      const ofFolder = places((await byFolder(folderTable(table))).problems);
      assert.deepEqual(
        ofFolder,
        [...tidied, ...places(problems)].map(([line, column = '']) => [line, OF_FOLDER[column] ?? column]),
      );
    });
  }
});

describe('a table as a company keeps it, with thirty lines', () => {
  const bytes = readFileSync(new URL('../browser/tables/messy.csv', import.meta.url));
  const [header, ...records] = parse(bytes, { bom: true }) as string[][];
  /** As somebody reads the dates and amounts of the table. */
  const DATES: Readonly<Record<string, string>> = {
    '12/03/1990': '1990-03-12',
    '1990-03-12': '1990-03-12',
    '12-Mar-1990': '1990-03-12',
    '3/12/90': '1990-12-03',
    '31.12.1990': '1990-12-31',
    '31.12.1985': '1985-12-31',
  };
  const AMOUNTS: Readonly<Record<string, string>> = {
    '': '0.00',
    '₹25,000': '25000.00',
    '1,00,000': '100000.00',
    '25000.00': '25000.00',
    '50k': '50000.00',
    'Rs. 10,000/-': '10000.00',
  };

  it("console and command line refuse the same lines of a company's table, and store the others", async () => {
    await api.db.query(sql`update companies set country = 'IN' where id = ${home.id}`);
    for (const costCode of ['Sales', 'FIN-100', 'Finance', 'Human Resources', 'HR-400', 'Marketing'])
      await create('departments', { name: `Of ${costCode}`, costCode });
    for (const code of ['B1', 'B2', 'B3', 'Associate', 'Manager'])
      await create('bands', { name: `Of ${code}`, code, autoApprovalLimit: '0.00' });
    const table = await consoleTable(bytes);
    const problems = reported(await check(table.csv ?? ''));
    const ofFolder = places((await byFolder(folderTable(table))).problems);
    assert.deepEqual(
      ofFolder.map(String).sort(),
      places(problems)
        .map(([line, column = '']) => String([line, OF_FOLDER[column] ?? column]))
        .sort(),
    );
    const wrong = new Set([...table.reported, ...ofFolder].map(([line = 0]) => line));
    assert.ok(wrong.size > 10 && wrong.size < 25, `${wrong.size} lines`);
    const good = await consoleTable(bytes, { leftOut: wrong });
    assert.deepEqual(good.reported, []);
    const { added } = await bring(good.csv ?? '');
    assert.equal(added, 30 - wrong.size);
    assert.equal((await byFolder(folderTable(good), { dryRun: true })).unchanged, added);
    const cell = (record: readonly string[], name: string) => record[header?.indexOf(name) ?? -1]?.trim() ?? '';
    const expected = good.draft.lines.flatMap(({ line }, at) => {
      const record = records[at] ?? [];
      if (wrong.has(line)) return [];
      return {
        ...NEW,
        email: cell(record, 'Email ID'),
        firstName: cell(record, 'First Name '),
        lastName: cell(record, 'LAST NAME'),
        phone:
          cell(record, 'Mobile No.')
            .replace(/\D/g, '')
            .replace(/^.*(\d{10})$/, '+91$1') || null,
        department: cell(record, 'Dept').replace('sales', 'Sales'),
        band: cell(record, 'Grade').replace('associate', 'Associate').replace('b1', 'B1'),
        dateOfBirth: DATES[cell(record, 'DOB')] ?? null,
        gender: cell(record, 'Gender') || null,
        approvalLimit: AMOUNTS[cell(record, 'Approval Limit')],
        pincode: cell(record, 'PIN Code') || null,
      };
    });
    assert.deepEqual(await stored(expected.map(({ email }) => email)), expected);
  });
});
