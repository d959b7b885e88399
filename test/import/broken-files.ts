import {
  BAD_AMOUNTS,
  BAD_DATES,
  BAD_EMAILS,
  BAD_GSTINS,
  BAD_IDS,
  BAD_NAMES,
  BAD_NUMBERS,
  BAD_TIMES,
  REQUIRED,
} from './bad-values.ts';
import { band, type CsvRow, company, department, type Files, id, toCsv, user, validFiles } from './folders.ts';

/** A folder that must be refused, and what the message must say: the place first, then some words of the reason. */
export interface BrokenFolder {
  name: string;
  files: Files;
  says: RegExp;
}

const CSV_FILES = Object.keys(validFiles) as (keyof typeof validFiles)[];
/** Folders that are broken in one way each. */
export function brokenFolders(): BrokenFolder[] {
  return [...inEncodings(), ...inQuotes(), ...inHeaders(), ...inCells(), ...inReferences()];
}

const at = (file: string, line: number, reason = ''): RegExp =>
  new RegExp(`\\n {2}${file.replaceAll('.', '\\.')}:${line}: .*${reason}`);

/** The rows of a valid file with one cell of the first row changed. */
function changed(file: keyof typeof validFiles, change: CsvRow): Files {
  const [first, ...others] = validFiles[file] as readonly CsvRow[];
  return { [file]: [{ ...first, ...change }, ...others] };
}

function inEncodings(): BrokenFolder[] {
  return CSV_FILES.flatMap((file) => {
    const csv = toCsv(validFiles[file]);
    const [header = ''] = csv.split('\n');
    const spoilt = (bytes: number[]) => Buffer.concat([Buffer.from(csv), Buffer.from(bytes), Buffer.from('\n')]);
    const lines = csv.split('\n').length;
    return [
      {
        name: `${file} in UTF-16`,
        files: { [file]: Buffer.from(`\ufeff${csv}`, 'utf16le') },
        says: at(file, 1, 'UTF-8'),
      },
      { name: `${file} in Latin-1`, files: { [file]: spoilt([0xfc]) }, says: at(file, lines, 'not UTF-8') },
      {
        name: `${file} with half a character`,
        files: { [file]: spoilt([0xe2, 0x82]) },
        says: at(file, lines, 'not UTF-8'),
      },
      {
        name: `${file} with old Macintosh lines`,
        files: { [file]: csv.replaceAll('\n', '\r') },
        says: at(file, 1, 'carriage return'),
      },
      {
        name: `${file} with semicolons`,
        files: { [file]: csv.replaceAll(',', ';') },
        says: at(file, 1, 'not separated by commas'),
      },
      {
        name: `${file} with tabs`,
        files: { [file]: csv.replaceAll(',', '\t') },
        says: at(file, 1, 'not separated by commas'),
      },
      { name: `${file} empty`, files: { [file]: '' }, says: at(file, 1, 'empty') },
      { name: `${file} of a mark alone`, files: { [file]: '\ufeff' }, says: at(file, 1, 'empty') },
      { name: `${file} of zeros`, files: { [file]: Buffer.alloc(1000) }, says: at(file, 1, 'unknown column') },
      {
        name: `${file} with a line without an end`,
        files: { [file]: `${header}\n${'x'.repeat(1_200_000)}` },
        says: at(file, 2, '64 KiB'),
      },
    ];
  });
}

function inQuotes(): BrokenFolder[] {
  return CSV_FILES.flatMap((file) => {
    const csv = toCsv(validFiles[file]);
    const line = csv.split('\n').length;
    return [
      { name: `${file} with an open quote`, files: { [file]: `${csv}"a,b\n` }, says: at(file, line, 'not closed') },
      {
        name: `${file} with a quote within a cell`,
        files: { [file]: `${csv}a"b,c\n` },
        says: at(file, line, 'in the middle of a cell'),
      },
      {
        name: `${file} with text after a quote`,
        files: { [file]: `${csv}"a"b,c\n` },
        says: at(file, line, 'closing quote'),
      },
    ];
  });
}

function inHeaders(): BrokenFolder[] {
  return CSV_FILES.flatMap((file) => {
    const csv = toCsv(validFiles[file]);
    const lines = csv.trimEnd().split('\n');
    const [header = '', ...rows] = lines;
    const withHeader = (text: string) => [text, ...rows].join('\n');
    return [
      ...(REQUIRED[file] ?? []).map((column) => ({
        name: `${file} without ${column}`,
        files: { [file]: withHeader(header.replace(new RegExp(`(^|,)${column}(?=,|$)`), `$1old_${column}`)) },
        says: at(file, 1, column),
      })),
      {
        name: `${file} with a column twice`,
        files: { [file]: lines.map((line) => `${line},${line.split(',')[0]}`).join('\n') },
        says: at(file, 1, 'more than once'),
      },
      {
        name: `${file} with a column too many`,
        files: { [file]: lines.map((line) => `${line},x`).join('\n') },
        says: at(file, 1, 'unknown column'),
      },
      {
        name: `${file} with a short row`,
        files: { [file]: `${csv}x\n` },
        says: at(file, lines.length + 1, '1 cell where'),
      },
      {
        name: `${file} with a long row`,
        files: { [file]: `${csv}x${','.repeat(30)}\n` },
        says: at(file, lines.length + 1, '31 cells where'),
      },
    ];
  });
}

function inCells(): BrokenFolder[] {
  const cells = (file: keyof typeof validFiles, column: string, values: readonly string[]): BrokenFolder[] =>
    values.map((value) => ({
      name: `${file}: ${column} ${JSON.stringify(value.slice(0, 40))}`,
      files: changed(file, { [column]: value }),
      says: at(file, 2, `${column}: .*expected `),
    }));
  return [
    ...cells('companies.csv', 'creditLimit', BAD_AMOUNTS),
    ...cells('bookings.csv', 'amount', BAD_AMOUNTS),
    ...cells('companies.csv', 'creditDays', BAD_NUMBERS),
    ...cells('approval-policy-levels.csv', 'level', [...BAD_NUMBERS, '0']),
    ...cells('users.csv', 'dateOfBirth', BAD_DATES),
    ...cells('bookings.csv', 'createdAt', BAD_TIMES),
    ...cells('users.csv', 'email', BAD_EMAILS),
    ...cells('companies.csv', 'gstin', BAD_GSTINS),
    ...cells('users.csv', 'companyId', BAD_IDS),
    ...cells('departments.csv', 'name', BAD_NAMES),
    ...cells('users.csv', 'active', ['yes', '2', 't', 'TRUE!']),
    ...cells('company-roles.csv', 'role', ['SUPER_ADMIN', 'manager', '']),
    ...cells('users.csv', 'phone', ['123', 'call me', '+', '+9112345']),
    ...cells('users.csv', 'pincode', ['12', 'x'.repeat(13), 'a_b']),
  ];
}

function inReferences(): BrokenFolder[] {
  const broken = (name: string, files: Files, says: RegExp): BrokenFolder => ({ name, files, says });
  const level = { id: 'l9', policyId: 'p1', level: '9', roleRequired: 'MANAGER', minAmount: '1' };
  const booking = { id: 'b9', companyId: id(1), userId: id(31), amount: '1' };
  return [
    broken(
      'a department of no company',
      { 'departments.csv': [department(13, 9)] },
      at('departments.csv', 2, 'no company'),
    ),
    broken('a band of no company', { 'bands.csv': [band(23, 9)] }, at('bands.csv', 2, 'no company')),
    broken(
      'a user of no department',
      { 'users.csv': [user(33, 1, { departmentId: id(99) })] },
      at('users.csv', 2, 'no department'),
    ),
    broken(
      'a user of a foreign band',
      { 'users.csv': [user(33, 1, { bandId: id(22) })] },
      at('users.csv', 2, 'band of the company'),
    ),
    broken(
      'a user whose department is a band',
      { 'users.csv': [user(33, 1, { departmentId: id(21) })] },
      at('users.csv', 2, 'no department'),
    ),
    broken(
      'a level of no policy',
      { 'approval-policy-levels.csv': [{ ...level, policyId: 'x' }] },
      at('approval-policy-levels.csv', 2, 'no approval policy'),
    ),
    broken(
      'a level twice',
      { 'approval-policy-levels.csv': [level, { ...level, id: 'l10' }] },
      at('approval-policy-levels.csv', 3, 'line 2'),
    ),
    broken(
      'a level that is there',
      { 'approval-policy-levels.csv': [{ ...level, level: '1' }] },
      at('approval-policy-levels.csv', 2, '"l1"'),
    ),
    broken(
      'levels in a circle with a third left out',
      {
        'approval-policy-levels.csv': [
          { ...level, id: 'l1', level: '2' },
          { ...level, id: 'l9', level: '2' },
        ],
      },
      at('approval-policy-levels.csv', 3, 'line 2'),
    ),
    broken(
      'a booking of nobody',
      { 'bookings.csv': [{ ...booking, userId: id(99) }] },
      at('bookings.csv', 2, 'no user'),
    ),
    broken('a booking twice', { 'bookings.csv': [booking, booking] }, at('bookings.csv', 3, 'line 2')),
    broken(
      'a company twice',
      { 'companies.csv': [company(3), company(3, { gstin: 'x' })] },
      at('companies.csv', 3, 'line 2'),
    ),
    broken(
      'an address that is taken',
      { 'users.csv': [user(33, 1, { email: 'U32@X.example' })] },
      at('users.csv', 2, 'belongs to the user'),
    ),
    broken(
      'a department that leaves its users',
      { 'departments.csv': [department(11, 2)] },
      at('departments.csv', 2, 'move them too'),
    ),
  ];
}
