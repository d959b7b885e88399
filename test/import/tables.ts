import type { Place } from './console-table.ts';

/** A table as its records stand in the file, the header first. EMAIL stands for an address that nobody has. */
export interface Table {
  records: readonly string[];
  /** The end of a line; a line feed unless another is named. */
  end?: string;
  /** What stands before the header. */
  before?: string;
  encoding?: BufferEncoding;
}

/** Tables as spreadsheets and people write them, and some fields of the first person as they are read. */
export const READ: Readonly<Record<string, Table & { after: Readonly<Record<string, unknown>> }>> = {
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
    after: { phone: '+919845012345' },
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

/** What is told of a table: line and column of each problem. */
interface RefusedTable extends Table {
  reported: readonly Place[];
  /** What the console tells: nothing where it reads the file. The same unless it is named. */
  byConsole?: readonly Place[];
  /** Whether the API reads the file as the console does, and only a folder has to have the exact columns. */
  isReadByApi?: true;
}

/** Tables that nobody can read for certain, or none but the console, which asks. */
export const REFUSED: Readonly<Record<string, RefusedTable>> = {
  'a comma without quotes': {
    records: [
      'email,firstName,lastName,addressLine1,pincode,gender',
      'EMAIL,Ana,Lee,12 Main Street, Flat 3,560001,Female',
    ],
    reported: [[2, undefined]],
  },
  'a cell too few': { records: ['email,firstName,lastName,pincode', 'EMAIL,Ana,Lee'], reported: [[2, undefined]] },
  'empty columns behind the last': {
    records: ['email,firstName,lastName,,', 'EMAIL,Ana,Lee,,'],
    reported: [[1, '']],
    byConsole: [],
    isReadByApi: true,
  },
  'a space before a quote': {
    records: ['email, firstName, lastName, addressLine1', 'EMAIL, Ana, Lee, "12 Main Street, Flat 3"'],
    reported: [[2, undefined]],
  },
  'a quote that does not close': {
    records: ['email,firstName,lastName', 'EMAIL,"Ana,Lee'],
    reported: [[2, undefined]],
  },
  'a letter behind a quote': { records: ['email,firstName,lastName', 'EMAIL,"Ana"x,Lee'], reported: [[2, undefined]] },
  'a column twice': {
    records: ['email,firstName,lastName,Phone,phone', 'EMAIL,Ana,Lee,+919876543210,+911111111111'],
    reported: [[1, 'phone']],
  },
  'a header twice': { records: ['email,firstName,lastName', 'email,firstName,lastName'], reported: [[2, 'email']] },
  'a carriage return in a cell': {
    records: ['email,firstName,lastName,addressLine1', 'EMAIL,Ana,Lee,"Flat 2\rTower B"'],
    reported: [[2, 'addressLine1']],
    byConsole: [],
    isReadByApi: true,
  },
  'a line break in a quoted cell': {
    records: ['email,firstName,lastName,addressLine1', 'EMAIL,Ana,Lee,"Flat 2\nTower B"'],
    reported: [[2, 'addressLine1']],
    byConsole: [],
    isReadByApi: true,
  },
  'carriage returns alone': {
    end: '\r',
    records: ['email,firstName,lastName', 'EMAIL,Ana,Lee'],
    reported: [[1, undefined]],
  },
  'sep=; before a header': {
    before: 'sep=;\n',
    records: ['email;firstName;lastName', 'EMAIL;Ana;Lee'],
    reported: [[1, undefined]],
    byConsole: [],
  },
  'Windows-1252': {
    encoding: 'latin1',
    records: ['email,firstName,lastName', 'EMAIL,Jürgen,Müller'],
    reported: [[2, undefined]],
    byConsole: [],
  },
  'UTF-16': {
    encoding: 'utf16le',
    before: '\ufeff',
    records: ['email,firstName,lastName', 'EMAIL,Ana,Lee'],
    reported: [[1, undefined]],
    byConsole: [],
    isReadByApi: true,
  },
  'a character that could not be read': {
    records: ['email,firstName,lastName', 'EMAIL,J\ufffdrgen,Lee'],
    reported: [[2, 'firstName']],
  },
  'a name that cannot be seen': {
    records: ['email,firstName,lastName', 'EMAIL,\u200b,Lee'],
    reported: [[2, 'firstName']],
  },
  'dates as spreadsheets write them': {
    records: [
      'email,firstName,lastName,dateOfBirth',
      '1EMAIL,A,B,31/12/1990',
      '2EMAIL,A,B,1990-12-31 00:00:00',
      '3EMAIL,A,B,33238',
    ],
    reported: [
      [2, 'dateOfBirth'],
      [3, 'dateOfBirth'],
      [4, 'dateOfBirth'],
    ],
    byConsole: [[4, 'dateOfBirth']],
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
    reported: [2, 3, 4, 5, 6].map((line) => [line, 'approvalLimit'] as const),
    byConsole: [5, 6].map((line) => [line, 'approvalLimit'] as const),
  },
  'a phone number as a large number': {
    records: ['email,firstName,lastName,phone', 'EMAIL,Ana,Lee,9.845E+09'],
    reported: [[2, 'phone']],
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
    reported: [2, 3, 4, 5, 6, 7, 8, 9].map((line) => [line, 'email'] as const),
  },
  'an address twice, in other letters': {
    records: ['email,firstName,lastName', 'aEMAIL,A,B', 'AEMAIL,A,B'],
    reported: [[3, 'email']],
  },
  'columns of another language': {
    records: ['E-mail,First name,Last name', 'EMAIL,Ana,Lee'],
    reported: [
      [1, 'E-mail'],
      [1, 'First name'],
      [1, 'Last name'],
      [1, 'id'],
    ],
    byConsole: [],
    isReadByApi: true,
  },
};
