import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { csvLine } from '../../src/lib/csv.ts';

export interface PeopleSizes {
  companies: number;
  users: number;
  /** One role a person, in the own company. */
  roles: number;
  bookings: number;
}

/** Lines that are written at once. */
const BATCH = 2000;
const DEPARTMENTS = ['Sales', 'Finance', 'Operations', 'Engineering', 'People'];
const BANDS = ['Associate', 'Manager', 'Director'];
const NAMES = ['Ana', 'Björn', 'Çelik', 'Devi', 'Émile', 'Farah', 'Gita', 'Håkan', 'Ishan', 'Jürgen', 'Kavya', 'Łucja'];
const ROLES = ['EMPLOYEE', 'EMPLOYEE', 'EMPLOYEE', 'MANAGER', 'CORPORATE_ADMIN'];

/** What one file of the import format has. */
export interface PeopleFile {
  file: string;
  /** As in the header row. */
  columns: string;
  rows: number;
  /** The cells of a row; an absent value is an empty one. */
  row: (index: number) => string[];
}

/** Writes {@link peopleFiles} into a folder in the import format. */
export async function writePeople(folder: string, sizes: PeopleSizes): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { file, columns, rows, row } of peopleFiles(sizes)) {
    await pipeline(Readable.from(lines(columns, rows, row)), createWriteStream(join(folder, file)));
  }
}

/**
 * The rows of a platform, always the same for the same sizes, in the order of their references. Companies differ in size as
 * those of a platform do: the n-th has 1/n as many people and bookings as the first (which of 1,000 has some 13 %, and of
 * 10,000 some 10 %).
 */
export function peopleFiles(sizes: PeopleSizes): PeopleFile[] {
  const companyOf = companyPicker(sizes.companies);
  return [
    {
      file: 'companies.csv',
      columns: COLUMNS.companies,
      rows: sizes.companies,
      row: (n) => [
        id('company', n),
        `${pick(NAMES, n)} ${n} Industries`,
        `${pick(NAMES, n)} ${n} Industries, Limited`,
        `TAX-${n}`,
        `office@company${n}.example`,
        '750000.00',
        '30',
        'true',
      ],
    },
    {
      file: 'departments.csv',
      columns: COLUMNS.departments,
      rows: sizes.companies * DEPARTMENTS.length,
      row: (n) => {
        const company = Math.floor(n / DEPARTMENTS.length);
        return [id('department', n), id('company', company), pick(DEPARTMENTS, n), `CC-${n}`, '100000.00'];
      },
    },
    {
      file: 'bands.csv',
      columns: COLUMNS.bands,
      rows: sizes.companies * BANDS.length,
      row: (n) => {
        const company = Math.floor(n / BANDS.length);
        return [id('band', n), id('company', company), pick(BANDS, n), `B${n % BANDS.length}`, '5000.00', '50000.00'];
      },
    },
    {
      file: 'users.csv',
      columns: COLUMNS.users,
      rows: sizes.users,
      row: (n) => {
        const company = companyOf(n);
        const random = mix(n, 7);
        return [
          id('user', n),
          `person${n}@company${company}.example`,
          pick(NAMES, n),
          `Family ${n}`,
          `+91 ${String(7_000_000_000 + (random % 2_999_999_999))}`,
          'CORPORATE',
          id('company', company),
          id('department', company * DEPARTMENTS.length + (random % DEPARTMENTS.length)),
          id('band', company * BANDS.length + (random % BANDS.length)),
          '25000.00',
          `19${60 + (random % 40)}-0${1 + (n % 9)}-1${n % 10}`,
          n % 2 ? 'Female' : 'Male',
          `${n % 400}, Lake View Road`,
          n % 3 ? '' : `Floor ${n % 20}`,
          `560 ${100 + (n % 900)}`,
          String(random % 5000),
          n % 50 ? 'true' : 'false',
        ];
      },
    },
    {
      file: 'company-roles.csv',
      columns: COLUMNS.roles,
      rows: sizes.roles,
      row: (n) => [
        id('role', n),
        id('user', n % sizes.users),
        id('company', companyOf(n % sizes.users)),
        pick(ROLES, n),
      ],
    },
    {
      file: 'bookings.csv',
      columns: COLUMNS.bookings,
      rows: sizes.bookings,
      row: (n) => {
        const user = mix(n, 11) % sizes.users;
        const day = `2025-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`;
        const amount = `${100 + (mix(n, 13) % 90_000)}.${String(n % 100).padStart(2, '0')}`;
        return [id('booking', n), id('company', companyOf(user)), id('user', user), amount, `${day}T09:30:00.000Z`];
      },
    },
  ];
}

const COLUMNS = {
  companies: 'id,name,legalName,gstin,email,creditLimit,creditDays,active',
  departments: 'id,companyId,name,costCode,budget',
  bands: 'id,companyId,name,code,autoApprovalLimit,maxBookingLimit',
  users:
    'id,email,firstName,lastName,phone,clientType,companyId,departmentId,bandId,approvalLimit,dateOfBirth,gender,addressLine1,addressLine2,pincode,loyaltyPoints,active',
  roles: 'id,userId,companyId,role',
  bookings: 'id,companyId,userId,amount,createdAt',
};

function* lines(columns: string, count: number, row: (index: number) => string[]): Generator<string> {
  let text = `${columns}\n`;
  for (let index = 0; index < count; index++) {
    text += csvLine(row(index));
    if (index % BATCH === BATCH - 1) {
      yield text;
      text = '';
    }
  }
  yield text;
}

/** The company of a person, by the person's number. */
function companyPicker(companies: number): (person: number) => number {
  const ends: number[] = [];
  let sum = 0;
  for (let n = 1; n <= companies; n++) {
    sum += 1 / n;
    ends.push(sum);
  }
  return (person) => {
    const wanted = (mix(person, 3) / 2 ** 32) * sum;
    let [low, high] = [0, companies - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

const KINDS = ['company', 'department', 'band', 'user', 'role', 'booking'] as const;

/** A UUID without an order, as those of production are: always the same for the same number. */
function id(kind: (typeof KINDS)[number], number: number): string {
  const seed = 100 + KINDS.indexOf(kind);
  const hex = [0, 1, 2]
    .map((part) =>
      mix(number, seed + 16 * part)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('');
  const own = number.toString(16).padStart(8, '0');
  return `${own.slice(6)}${hex.slice(0, 6)}-${hex.slice(6, 10)}-4${hex.slice(10, 13)}-8${hex.slice(13, 16)}-${own.slice(0, 6)}${hex.slice(16, 22)}`;
}

/** 32 bits that look random, of a number and a seed (the finisher of MurmurHash3). */
export function mix(number: number, seed: number): number {
  let hash = Math.imul(number ^ Math.imul(seed, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}

function pick(choices: readonly string[], number: number): string {
  return choices[number % choices.length] ?? '';
}
