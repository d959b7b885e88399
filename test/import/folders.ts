import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import type { Reader } from '../../src/db/database.ts';
import { ImportError } from '../../src/import/check/problems.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { openTestDatabase } from '../support/test-database.ts';

/** A row by the columns of its file. */
export type CsvRow = Readonly<Record<string, string>>;
/** What a folder holds: each file as text, bytes, or rows of which the first names the columns. */
export type Files = Readonly<Record<string, string | Buffer | readonly CsvRow[]>>;

/** The same UUID for the same number. */
export const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Two companies (1 and 2), each with a department (11, 12), a band (21, 22) and a person (31, 32), and more of the first. */
export const validFiles = {
  'companies.csv': [company(1), company(2)],
  'departments.csv': [department(11, 1), department(12, 2)],
  'bands.csv': [band(21, 1), band(22, 2)],
  'users.csv': [user(31, 1), user(32, 2)],
  'company-roles.csv': [{ id: 'r1', userId: id(31), companyId: id(1), role: 'MANAGER' }],
  'system-roles.csv': [{ userId: id(32), role: 'PLATFORM_RM', active: 'false' }],
  'approval-policies.csv': [{ id: 'p1', companyId: id(1), name: 'Travel', autoApprovalLimit: '10.00' }],
  'approval-policy-levels.csv': [
    { id: 'l1', policyId: 'p1', level: '1', roleRequired: 'MANAGER', minAmount: '10.00' },
    { id: 'l2', policyId: 'p1', level: '2', roleRequired: 'SUPER_ADMIN', minAmount: '20.00' },
  ],
  'bookings.csv': [
    { id: 'b1', companyId: id(1), userId: id(32), amount: '5.50', createdAt: '2025-01-31T15:00:00+05:30' },
  ],
} as const satisfies Files;

export function company(number: number, change: CsvRow = {}): CsvRow {
  const name = `Company ${number}`;
  const names = {
    id: id(number),
    name,
    legalName: `${name} Ltd`,
    gstin: `GST-${number}`,
    email: `c${number}@x.example`,
  };
  return { ...names, creditLimit: '75000.00', creditDays: '30', active: 'true', ...change };
}

/** That of the first company has the cost code `CC-1`. */
export function department(number: number, companyNumber: number, change: CsvRow = {}): CsvRow {
  const costCode = `CC-${number === 11 ? 1 : number}`;
  return { id: id(number), companyId: id(companyNumber), name: 'Sales', costCode, budget: '100', ...change };
}

/** That of the first company has the code `B1`. */
export function band(number: number, companyNumber: number, change: CsvRow = {}): CsvRow {
  const limits = { code: `B${number === 21 ? 1 : number}`, autoApprovalLimit: '50.5', maxBookingLimit: '' };
  return { id: id(number), companyId: id(companyNumber), name: 'Senior', ...limits, ...change };
}

/** A person of company n, in its department 10 + n and its band 20 + n. */
export function user(number: number, companyNumber: number, change: CsvRow = {}): CsvRow {
  const names = { id: id(number), email: `u${number}@x.example`, firstName: 'Ana', lastName: 'Müller' };
  const place = { companyId: id(companyNumber), departmentId: id(10 + companyNumber), bandId: id(20 + companyNumber) };
  const person = { phone: '+91 98765 43210', clientType: 'CORPORATE', dateOfBirth: '1990-05-15', gender: 'Female' };
  const address = { addressLine1: '1, Main Street', addressLine2: '', pincode: '560 001' };
  return { ...names, ...place, ...person, ...address, approvalLimit: '0', loyaltyPoints: '', active: '', ...change };
}

/** The rows as a CSV file. */
export function toCsv(rows: readonly CsvRow[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return cells
    .map((row) => `${row.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join()}\n`)
    .join('');
}

/** Makes a folder of these files; disposing of it removes it. */
export async function makeFolder(files: Files): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'orgdesk-import-'));
  for (const [file, content] of Object.entries(files)) {
    const text =
      typeof content === 'string' || Buffer.isBuffer(content) ? content : toCsv(content as readonly CsvRow[]);
    await writeFile(join(path, file), text);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

/** Imports a folder of these files and gives `[added, changed, unchanged]` of each, and the number of removed rows where there are any. */
export async function importFiles(
  db: Parameters<typeof importFolder>[0],
  files: Files,
): Promise<Record<string, number[]>> {
  await using folder = await makeFolder(files);
  const { files: reports } = await importFolder(db, folder.path);
  for (const report of reports) {
    const { rows, added, changed, removed, unchanged } = report;
    if (rows !== added + changed + removed + unchanged) throw new Error(`Miscounted: ${report.file}`);
  }
  const counts = reports.map(({ file, added, changed, removed, unchanged }) => {
    return [file, [added, changed, unchanged, ...(removed > 0 ? [removed] : [])]];
  });
  return Object.fromEntries(counts);
}

/** Imports files above stored ones, which stay as they are: the error that refuses them. */
export async function refusalOf(files: Files, stored: Files = validFiles): Promise<ImportError> {
  await using db = await openTestDatabase();
  await importFiles(db, stored);
  const before = await contents(db);
  const error = await importFiles(db, files).then(
    () => assert.fail('imported'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ImportError, String(error));
  assert.deepEqual(await contents(db), before);
  return error;
}

/** Why files are refused above stored ones: each problem as `file:line: column: reason`. */
export async function problemLines(files: Files, stored: Files = validFiles): Promise<string[]> {
  const { message } = await refusalOf(files, stored);
  return message
    .split('\n')
    .slice(1)
    .map((line) => line.trim());
}

const TABLES = ['companies', 'departments', 'employee_bands', 'users', 'company_roles', 'system_roles'].concat([
  'approval_policies',
  'approval_policy_levels',
  'bookings',
]);

/** All that the tables hold, column by column. */
export async function contents(db: Reader): Promise<Record<string, Record<string, unknown>[]>> {
  const tables: Record<string, Record<string, unknown>[]> = {};
  for (const table of TABLES) {
    const rows = await db.query<{ row: Record<string, unknown> }>(
      sql`select row_to_json(t) as row from ${raw(table)} t order by t::text`,
    );
    // What roles have of their people is kept by triggers.
    tables[table] = rows.map(({ row }) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => !column.startsWith('holder_'))),
    );
  }
  return tables;
}
