import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { csvLine } from '../../src/lib/csv.ts';
import { uuid } from '../../test/support/rows.ts';

/** More of everything than a page has. */
const COMPANIES = 120;
const DEPARTMENTS = 120;
const POLICIES = 120;
const LEVELS = 10;
const PEOPLE = 10_000;

export const COMPANY = uuid(1);
export const BAND = uuid(1);
export const BAND_CODE = 'B1';
/** What the names of all begin with. */
export const PREFIX = 'ab ';
/** The first of the people; the others are people of the same company without a role. */
export const SUPER_ADMIN = 'super.admin@largest.example';
export const CORPORATE_ADMIN = 'corporate.admin@largest.example';
/** The API key of a directory of the company. */
export const DIRECTORY = 'directory';

/** The longest page of a list, of those that a piece of {@link PREFIX} finds, and of the company. */
export const hundred = () => ({ limit: '100' });
export const foundHundred = (n: number) => ({ ...hundred(), search: PREFIX.slice(0, 1 + (n % PREFIX.length)) });
export const ofCompany = () => ({ ...hundred(), companyId: COMPANY });

const ACCOUNTS = [SUPER_ADMIN, CORPORATE_ADMIN];

/** The longest texts that fields take, in letters of four bytes: the same for the same number. */
export function longText(number: number, length: number): string {
  let state = number + 1;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return String.fromCodePoint(0x20000 + ((state >>> 8) % 40_000));
  }).join('');
}

const longName = (number: number) => PREFIX + longText(number, 200 - PREFIX.length);

/** All fields of a person that they can change themselves, as long as they may be. */
export function longFields(number: number) {
  return {
    firstName: longText(number, 100),
    lastName: longText(number + 1, 100),
    phone: `+${493_010_000_000_000 + number}`,
    dateOfBirth: `19${10 + (number % 90)}-02-1${number % 10}`,
    gender: longText(number + 2, 50),
    addressLine1: longText(number + 3, 255),
    addressLine2: longText(number + 4, 255),
    pincode: `A${String(10_000_000_000 + number)}`,
  };
}

/** Writes a folder in the import format. @param round another one changes every field of every person that can change */
export async function writeLargest(folder: string, round: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const numbers = (count: number) => Array.from({ length: count }, (_, number) => number + 1);
  const write = (file: string, columns: string, rows: readonly (readonly string[])[]) =>
    writeFile(join(folder, file), `${columns}\n${rows.map(csvLine).join('')}`);
  await write(
    'companies.csv',
    'id,name,legalName,gstin,email,creditLimit,creditDays',
    numbers(COMPANIES).map((n) => [
      uuid(n),
      longName(n),
      longName(n + COMPANIES),
      `TAX-${n}`,
      `office@company${n}.example`,
      '750000.00',
      '30',
    ]),
  );
  await write(
    'departments.csv',
    'id,companyId,name,costCode,budget',
    numbers(DEPARTMENTS).map((n) => [uuid(n), COMPANY, longName(n), longText(n, 50), '100000.00']),
  );
  await write('bands.csv', 'id,companyId,name,code,autoApprovalLimit', [[BAND, COMPANY, 'Band', BAND_CODE, '5000.00']]);
  const columns = Object.keys(longFields(0));
  await write(
    'users.csv',
    `id,email,clientType,companyId,departmentId,bandId,approvalLimit,${columns}`,
    numbers(PEOPLE).map((n) => [
      uuid(n),
      ACCOUNTS[n - 1] ?? `person${n}.${round}@largest.example`,
      'CORPORATE',
      COMPANY,
      uuid(1 + (n % DEPARTMENTS)),
      BAND,
      `${25_000 + round}.00`,
      ...Object.values(longFields(n + round * PEOPLE)),
    ]),
  );
  await write('company-roles.csv', 'userId,companyId,role', [[uuid(2), COMPANY, 'CORPORATE_ADMIN']]);
  await write('system-roles.csv', 'userId,role', [[uuid(1), 'SUPER_ADMIN']]);
  await write(
    'approval-policies.csv',
    'id,companyId,name,autoApprovalLimit',
    numbers(POLICIES).map((n) => [longText(n, 100), COMPANY, longName(n), '5000.00']),
  );
  await write(
    'approval-policy-levels.csv',
    'policyId,level,roleRequired,minAmount',
    numbers(POLICIES).flatMap((n) =>
      numbers(LEVELS).map((level) => [longText(n, 100), String(level), 'MANAGER', `${level}000.00`]),
    ),
  );
}
