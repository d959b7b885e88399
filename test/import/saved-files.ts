import type { Choices } from './console-table.ts';

/** What is stored of a person whom a file brings, by the names of the API; what is absent is as it is for every new person. */
export type Brought = Readonly<Record<string, unknown>> & { email: string };

interface SavedFile {
  /** As the program writes it. */
  bytes: Buffer;
  /** What somebody chooses on the page. */
  choices?: Choices;
  people: readonly Brought[];
}

export const utf8 = (...lines: string[]) => Buffer.from(lines.map((line) => `${line}\r\n`).join(''));
/** One byte for each character. */
const single = (...lines: string[]) => Buffer.from(lines.map((line) => `${line}\r\n`).join(''), 'latin1');
export const HEAD = 'email,firstName,lastName';

/** Files as spreadsheets save them, in many countries. */
export const SAVED_FILES: Readonly<Record<string, SavedFile>> = {
  'Excel, CSV UTF-8': {
    bytes: utf8('\ufeffFirst name,Last name,E-mail,Phone', 'Zoë,"Lee, Dr.",zoe@a1.example,+91 98450 12345'),
    people: [{ email: 'zoe@a1.example', firstName: 'Zoë', lastName: 'Lee, Dr.', phone: '+919845012345' }],
  },
  'Excel in German, CSV UTF-8': {
    bytes: utf8(
      '\ufeffVorname;Nachname;E-Mail;Geburtsdatum;Genehmigungsgrenze;PLZ;Status;Rollen',
      'Jörg;Groß;joerg@a2.example;31.12.1990;12.500,50;01067;Inaktiv;Führungskraft, Mitarbeiter/in',
      'Uwe;Weiß;uwe@a2.example;01.02.1991;0;20095;Aktiv;Mitarbeiter/in',
    ),
    people: [
      {
        email: 'joerg@a2.example',
        firstName: 'Jörg',
        lastName: 'Groß',
        dateOfBirth: '1990-12-31',
        approvalLimit: '12500.50',
        pincode: '01067',
        active: false,
        roles: ['EMPLOYEE', 'MANAGER'],
      },
      {
        email: 'uwe@a2.example',
        firstName: 'Uwe',
        lastName: 'Weiß',
        dateOfBirth: '1991-02-01',
        pincode: '20095',
      },
    ],
  },
  'Excel in German, CSV in Windows-1252': {
    bytes: single('Vorname;Nachname;E-Mail;Stra\xdfe', 'Bj\xf8rn;M\xfcller;b@a3.example;Hauptstra\xdfe 5'),
    people: [{ email: 'b@a3.example', firstName: 'Bjørn', lastName: 'Müller', addressLine1: 'Hauptstraße 5' }],
  },
  'Excel, Unicode text': {
    bytes: Buffer.from(
      '\ufeffE-mail\tFirst name\tLast name\tAddress\r\nk@a4.example\tKōji\tŌno\t"12 ""A"", Ginza"\r\n',
      'utf16le',
    ),
    people: [{ email: 'k@a4.example', firstName: 'Kōji', lastName: 'Ōno', addressLine1: '12 "A", Ginza' }],
  },
  'UTF-16, the high byte first': {
    bytes: Buffer.from(`\ufeff${HEAD}\nö@a5.example,Åsa,Ö\n`, 'utf16le').swap16(),
    people: [{ email: 'ö@a5.example', firstName: 'Åsa', lastName: 'Ö' }],
  },
  'UTF-16 without a mark': {
    bytes: Buffer.from(`${HEAD}\na@b2.example,Ana,Lee\n`, 'utf16le'),
    people: [{ email: 'a@b2.example', firstName: 'Ana', lastName: 'Lee' }],
  },
  'Excel, with a line that names the separator': {
    bytes: single('sep=;', 'E-mail;First name;Last name;PIN code', 'a@a6.example;Ana;Lee;00120'),
    people: [{ email: 'a@a6.example', firstName: 'Ana', lastName: 'Lee', pincode: '00120' }],
  },
  'Excel in American English, dates with the month first': {
    bytes: utf8(`${HEAD},DOB`, 'a@a7.example,Ana,Lee,12/31/1990', 'b@a7.example,Bo,Ray,3/4/90'),
    people: [
      { email: 'a@a7.example', firstName: 'Ana', lastName: 'Lee', dateOfBirth: '1990-12-31' },
      { email: 'b@a7.example', firstName: 'Bo', lastName: 'Ray', dateOfBirth: '1990-03-04' },
    ],
  },
  'Excel, dates with a midnight': {
    bytes: utf8(
      `${HEAD},DOB`,
      'a@a8.example,Ana,Lee,1990-12-31 00:00:00',
      'b@a8.example,Bo,Ray,31/01/1991 12:00:00 AM',
    ),
    people: [
      { email: 'a@a8.example', firstName: 'Ana', lastName: 'Lee', dateOfBirth: '1990-12-31' },
      { email: 'b@a8.example', firstName: 'Bo', lastName: 'Ray', dateOfBirth: '1991-01-31' },
    ],
  },
  'Excel, dates as serial numbers': {
    bytes: utf8(`${HEAD},DOB,PIN`, 'a@a9.example,Ana,Lee,33238,33238'),
    choices: { serials: true },
    people: [{ email: 'a@a9.example', firstName: 'Ana', lastName: 'Lee', dateOfBirth: '1990-12-31', pincode: '33238' }],
  },
  'Excel in French, amounts with no-break spaces': {
    bytes: single(
      'Email;FirstName;LastName;Approval limit;DOB',
      'e@a10.example;Ren\xe9e;Lef\xe8vre;25\xa0000,50;03/04/1990',
    ),
    choices: { order: 'day-first' },
    people: [
      {
        email: 'e@a10.example',
        firstName: 'Renée',
        lastName: 'Lefèvre',
        approvalLimit: '25000.50',
        dateOfBirth: '1990-04-03',
      },
    ],
  },
  'Excel in Danish': {
    bytes: utf8(
      '\ufeffemail;firstName;lastName;approvalLimit;dateOfBirth',
      's@a11.example;Søren;Ærø;1.250.000,00;31-12-1990',
    ),
    people: [
      {
        email: 's@a11.example',
        firstName: 'Søren',
        lastName: 'Ærø',
        approvalLimit: '1250000.00',
        dateOfBirth: '1990-12-31',
      },
    ],
  },
  'Excel in Indian English': {
    bytes: utf8(
      'Email ID,First Name,Last Name,Mobile No.,Approval Limit,DOB,PIN Code',
      'm@a12.example,Meera,Rao,+91-98450-12345,"₹1,00,000.00",31-Dec-1990,560 001',
    ),
    people: [
      {
        email: 'm@a12.example',
        firstName: 'Meera',
        lastName: 'Rao',
        phone: '+919845012345',
        approvalLimit: '100000.00',
        dateOfBirth: '1990-12-31',
        pincode: '560 001',
      },
    ],
  },
  'Excel in Polish, Windows-1250': {
    bytes: single('email;firstName;lastName', 'l@a13.example;\xa3ukasz;Wi\x9cniewski'),
    choices: { legacy: 'windows-1250' },
    people: [{ email: 'l@a13.example', firstName: 'Łukasz', lastName: 'Wiśniewski' }],
  },
  'Excel in Russian, Windows-1251': {
    bytes: single('email;firstName;lastName', 'i@a14.example;\xc8\xe2\xe0\xed;\xcf\xe5\xf2\xf0\xee\xe2'),
    choices: { legacy: 'windows-1251' },
    people: [{ email: 'i@a14.example', firstName: 'Иван', lastName: 'Петров' }],
  },
  'Excel in Turkish, Windows-1254': {
    bytes: single('email;firstName;lastName', 'g@a15.example;G\xfcl\xfeen;Y\xfdlmaz'),
    choices: { legacy: 'windows-1254' },
    people: [{ email: 'g@a15.example', firstName: 'Gülşen', lastName: 'Yılmaz' }],
  },
  'Excel in Japanese, Shift JIS': {
    bytes: single('email,firstName,lastName', 't@a16.example,\x91\xbe\x98\x59,\x8e\x52\x93\x63'),
    choices: { legacy: 'shift_jis' },
    people: [{ email: 't@a16.example', firstName: '太郎', lastName: '山田' }],
  },
  'Excel on a Mac, Macintosh encoding': {
    bytes: single('email,firstName,lastName', 'r@a17.example,Ren\x8e,M\x9fller'),
    choices: { legacy: 'macintosh' },
    people: [{ email: 'r@a17.example', firstName: 'René', lastName: 'Müller' }],
  },
  'LibreOffice, all cells in quotes': {
    bytes: Buffer.from('"E-mail","First name","Last name","Address"\n"a@a18.example","Ana","Lee","=12 High ""St"""\n'),
    people: [{ email: 'a@a18.example', firstName: 'Ana', lastName: 'Lee', addressLine1: '=12 High "St"' }],
  },
  'LibreOffice, separated by tabs': {
    bytes: Buffer.from('email\tfirstName\tlastName\tapprovalLimit\na@a19.example\tAna\t"Lee; Jr."\t7,50\n'),
    people: [{ email: 'a@a19.example', firstName: 'Ana', lastName: 'Lee; Jr.', approvalLimit: '7.50' }],
  },
  'Google Sheets': {
    bytes: Buffer.from(
      `${HEAD},Active,Roles,Notes\r\na@a20.example,Ana,Lee,FALSE,"Manager, Employee","joins\nMonday"\r\nb@a20.example,Bo,Ray,TRUE,,`,
    ),
    people: [
      {
        email: 'a@a20.example',
        firstName: 'Ana',
        lastName: 'Lee',
        active: false,
        roles: ['EMPLOYEE', 'MANAGER'],
      },
      { email: 'b@a20.example', firstName: 'Bo', lastName: 'Ray' },
    ],
  },
  'Numbers, with empty lines and columns behind the table': {
    bytes: Buffer.from(`${HEAD},,\na@a21.example,Ana,Lee,,\n,,,,\n,,,,\nb@a21.example,Bo,Ray,,\n,,,,`),
    people: [
      { email: 'a@a21.example', firstName: 'Ana', lastName: 'Lee' },
      { email: 'b@a21.example', firstName: 'Bo', lastName: 'Ray' },
    ],
  },
  'cells that are pasted': {
    bytes: Buffer.from(
      'Full Name\tFirst Name\tLAST NAME\tEmail ID\tDept\tGrade\r\nx\t Ana \tLee\ta@a22.example\tSup-1\tdefault',
    ),
    people: [{ email: 'a@a22.example', firstName: 'Ana', lastName: 'Lee', department: 'SUP-1' }],
  },
  'marks that keep cells from being formulas': {
    bytes: utf8(`${HEAD},phone,addressLine1`, "a@a23.example,Ana,'t Hooft,'+91 98450 12345,'=1 High Street"),
    people: [
      {
        email: 'a@a23.example',
        firstName: 'Ana',
        lastName: "'t Hooft",
        phone: '+919845012345',
        addressLine1: '=1 High Street',
      },
    ],
  },
  'an address with accents beside one without': {
    bytes: utf8(HEAD, 'josé@a24.example,José,Díaz', 'jose@a24.example,Jose,Diaz'),
    people: [
      { email: 'josé@a24.example', firstName: 'José', lastName: 'Díaz' },
      { email: 'jose@a24.example', firstName: 'Jose', lastName: 'Diaz' },
    ],
  },
};
