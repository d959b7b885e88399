import { rowsOfCells, workbookOf } from '../support/workbooks.ts';

/** A file as an HR department keeps it. */
interface HrTable {
  file: string | Buffer;
  /** What has to be chosen for it. */
  choices: Readonly<Record<string, unknown>>;
  /** What is reported without the choices, in order: the column and the begin of the message. */
  open: readonly (readonly [column: string | null, message: RegExp])[];
  /** Some fields of each person, in the order of the lines. */
  people: readonly Readonly<Record<string, unknown>>[];
}

const lines = (...rows: readonly string[]) => `${rows.join('\n')}\n`;

/** Files of the shapes that HR departments send, none of them in the columns of an import. */
export const HR_TABLES: Readonly<Record<string, HrTable>> = {
  'a list of SAP: UTF-16, tabs, a title and an empty line above the header': {
    file: Buffer.from(
      '\ufeff\t\tMitarbeiterliste 26.11.2026\r\n\r\nPers.Nr.\tNachname\tVorname\tE-Mail-Adresse\tOrgEinheit\tKostenst.\r\n' +
        '0001\tKern\tUte\tute@sap.example\tVertrieb\tK-10\r\n0002\tVolz\tJan\tjan@sap.example\tVertrieb\tK-10\r\n',
      'utf16le',
    ),
    choices: { values: { department: { Vertrieb: 'GENERAL' } } },
    open: [
      ['OrgEinheit', /Vertrieb.* or choose what stands for it in values\.department$/],
      ['OrgEinheit', /Vertrieb/],
    ],
    people: [
      { lastName: 'Kern', employeeNumber: '0001', costCenter: 'K-10' },
      { lastName: 'Volz', employeeNumber: '0002', firstName: 'Jan' },
    ],
  },
  'a workbook with a title, groups of columns, merged cells, a hidden line and a total': {
    file: workbookOf({
      sheets: {
        Staff: rowsOfCells(
          [
            ['EMPLOYEE MASTER • Confidential'],
            ['BASIC DETAILS', '', '', '', 'EMPLOYMENT'],
            [
              'Emp Code',
              'First Name *',
              'Last Name *',
              'Official Email *',
              'Cost Center',
              'Mobile',
              'Reporting Manager',
            ],
            [1, 'Asha', 'Rao', 'asha@titles.example', 'North', 9198765001, 'Vera Iyer'],
            [2, 'Hidden', 'Sen', 'hidden@titles.example', '', 9198765002, 'Vera Iyer'],
            [3, 'Ravi', 'Das', 'ravi@titles.example', '', 9198765003, 'Vera Iyer'],
            ['Total', 3],
          ],
          [4],
        ),
      },
      merged: ['A1:G1', 'A2:D2', 'E4:E6'],
    }),
    choices: { hidden: false, columns: { 'Reporting Manager': '' } },
    open: [[null, /^the workbook hides 1 lines, the first is 5: choose hidden/]],
    people: [
      { employeeNumber: '1', costCenter: 'North', phone: '+919198765001' },
      { employeeNumber: '3', costCenter: 'North', lastName: 'Das' },
    ],
  },
  'a file without names of columns': {
    file: lines('ida@bare.example,Ida,First', 'ole@bare.example,Ole,Second'),
    choices: { columns: { 2: 'firstName', 3: 'lastName' } },
    open: [
      ['2', /^unknown column: choose in columns/],
      ['3', /^unknown column/],
    ],
    people: [{ firstName: 'Ida' }, { firstName: 'Ole', lastName: 'Second' }],
  },
  'roles of jobs, full names and columns that nobody needs': {
    file: lines(
      'Employee ID,Name,Email,Designation,Role,Employment Type,Shirt size',
      'EMP-1,Dr. Riya Sen,riya@jobs.example,Sales Manager,manager,full_time,M',
      'EMP-2,"van der Berg, Ajay",ajay@jobs.example,Clerk,employee,full_time,L',
    ),
    choices: { columns: { Name: 'fullName', Role: '', '*': '' } },
    open: [
      ['Name', /^this may be a full name: choose "fullName"/],
      ['Role', /^this may be the job or the rights/],
      ['Shirt size', /^unknown column/],
    ],
    people: [
      { firstName: 'Riya', lastName: 'Sen', jobTitle: 'Sales Manager', roles: ['EMPLOYEE'] },
      { firstName: 'Ajay', lastName: 'van der Berg', roles: ['EMPLOYEE'] },
    ],
  },
  'a German list in Windows-1252, with semicolons, words of status and dates with dots': {
    file: Buffer.from(
      lines(
        'Name;Vorname;E-Mail (geschäftlich);Mobilnummer (geschäftlich);Status;Eintrittsdatum',
        'Müller;Jürgen;j.mueller@umlaut.example;+49 151 1234567;Sabbatical;01.11.2021',
        'Groß;Eva;eva@umlaut.example;;Ausgetreten;15.03.2019',
      ),
      'latin1',
    ),
    choices: {
      encoding: 'windows-1252',
      columns: { Name: 'lastName' },
      values: { active: { Sabbatical: 'true' } },
    },
    open: [[null, /^the text is not UTF-8: save the file in that encoding, or choose encoding/]],
    people: [
      { lastName: 'Müller', phone: '+491511234567', active: true, startDate: '2021-11-01' },
      { lastName: 'Groß', active: false },
    ],
  },
  'a workbook with people in several sheets': {
    file: workbookOf({
      sheets: {
        Readme: rowsOfCells([['Update every month']]),
        Berlin: rowsOfCells([
          ['E-Mail', 'Vorname', 'Nachname'],
          ['b@sheets.example', 'Bo', 'Lin'],
        ]),
        Paris: rowsOfCells([
          ['Courriel', 'Prénom', 'Nom de famille'],
          ['p@sheets.example', 'Zoé', 'Petit'],
        ]),
      },
    }),
    choices: { sheet: 'Paris' },
    open: [[null, /^several sheets list people: choose sheet, one of Berlin, Paris$/]],
    people: [{ email: 'p@sheets.example', firstName: 'Zoé' }],
  },
  'dates of which nobody knows the order, days of a spreadsheet and times': {
    file: lines(
      'Work Email,First Name,Last Name,DOB,Hire Date',
      'a@dates.example,Ana,Lee,1/2/90,2019-05-12 13:17:12.0',
      'b@dates.example,Bo,Ray,33238,2020-01-01T00:00:00Z',
    ),
    choices: { dates: 'month-first', serials: true, years: { dateOfBirth: 2010 } },
    open: [
      ['DOB', /^"1\/2\/90" has a year of two digits: choose years/],
      [null, /^"1\/2\/90" may be two dates: choose dates/],
      [null, /^"33238" may count the days of a spreadsheet: choose serials/],
    ],
    people: [
      { dateOfBirth: '1990-01-02', startDate: '2019-05-12' },
      { dateOfBirth: '1990-12-31', startDate: '2020-01-01' },
    ],
  },
  'a Chinese list, with names of one word': {
    file: lines('工号,姓名,电子邮件,手机', 'C1,王小明,wang@zh.example,+86 138 0000 0000'),
    choices: { columns: { 姓名: 'fullName' } },
    open: [['姓名', /^this may be a full name/]],
    people: [{ employeeNumber: 'C1', firstName: '王小明' }],
  },
  'amounts whose signs mean two things, and a department and a cost centre': {
    file: lines(
      'Email,First Name,Last Name,Dept,Cost Centre,Approval Amount',
      'a@amounts.example,Ana,Lee,General,CC-1,"25,000"',
    ),
    choices: { decimal: '.' },
    open: [[null, /^"25,000" may be two amounts: choose decimal/]],
    people: [{ approvalLimit: '25000.00', costCenter: 'CC-1' }],
  },
  'two columns for one field': {
    file: lines('Email,First Name,Last Name,Phone,Mobile', 'a@twice.example,Ana,Lee,+911111111111,+912222222222'),
    choices: { columns: { Phone: '' } },
    open: [[null, /^more than one column is phone: choose one in columns/]],
    people: [{ phone: '+912222222222' }],
  },
  'addresses under a name that says nothing': {
    file: lines('Vorname,Nachname,Konto', 'Ana,Lee,a@account.example', 'Bo,Ray,b@account.example'),
    choices: {},
    open: [],
    people: [{ email: 'a@account.example' }, { email: 'b@account.example' }],
  },
  'a download of users of Google Workspace': {
    file: lines(
      'First Name [Required],Last Name [Required],Email Address [Required],Status [READ ONLY],Employee ID,Org Unit Path [Required]',
      'Ana,Lee,ana@google.example,Active,G-1,/',
      'Bo,Ray,bo@google.example,Suspended,G-2,/Sales',
    ),
    choices: { columns: { '*': '' } },
    open: [['Org Unit Path [Required]', /^unknown column/]],
    people: [
      { firstName: 'Ana', employeeNumber: 'G-1', active: true },
      { email: 'bo@google.example', active: false },
    ],
  },
};
