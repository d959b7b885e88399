import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findHeader, isUnclearRole, matchColumns } from '../../src/import/tables/columns.ts';
import {
  csvToSend,
  formatOf,
  type ImportDraft,
  isCorrected,
  obstacleOf,
  openTable,
  rowsOf,
  unknownValues,
  withHeader,
  withMatch,
} from '../../src/import/tables/draft.ts';

async function draft(source: string | Uint8Array): Promise<ImportDraft> {
  const read = await openTable(source);
  assert.ok(read);
  return read;
}
const sent = (read: ImportDraft) => csvToSend(read, rowsOf(read, formatOf(read)));

describe('an HR file', () => {
  it('the header of an HR file is found below a title and a row of groups', async () => {
    const read = await draft(
      'Staff list,,,\nPERSON,,WORK,\nFirst Name *,Last Name *,Official Email *,Department\nAna,Lee,a@x.example,Sales\n',
    );
    assert.equal(read.header.line, 3);
    assert.deepEqual(read.targets, ['firstName', 'lastName', 'email', 'department']);
    assert.equal(sent(read), '\n\nemail,firstName,lastName,department\na@x.example,Ana,Lee,Sales\n');
    const moved = withHeader(read, 1, {});
    assert.deepEqual([moved.header.line, moved.lines.length], [2, 2]);
  });

  it('an HR file from SAP in UTF-16 with tabs, a title and an empty line is read', async () => {
    const text =
      '\ufeff\t\tMitarbeiterliste 26.11.2026\r\n\r\nPers.Nr.\tNachname\tVorname\tE-Mail-Adresse\tOrgEinheit\tKostenst.\t\r\n' +
      '0001\tKern\tUte\tute@x.example\tVertrieb\tSales\t\r\n';
    const read = await draft(Buffer.from(text, 'utf16le'));
    assert.equal(obstacleOf(read), undefined);
    assert.equal(
      sent(read).trim(),
      'email,employeeNumber,firstName,lastName,department,costCenter\nute@x.example,0001,Ute,Kern,Vertrieb,Sales',
    );
  });

  it('an HR file without a header keeps its first person, and its addresses are found by their form', async () => {
    const read = await draft('a@x.example,Ida,First\nb@x.example,Ole,Second\n');
    assert.equal(obstacleOf(read), undefined);
    assert.deepEqual([read.header.line, read.targets], [0, ['email', '', '']]);
    assert.equal(sent(read), 'email\na@x.example\nb@x.example\n');
  });

  it('the columns of an HR file are recognised in ten more languages', async () => {
    const headers = [
      'Nachname|Vorname|E-Mail (geschäftlich)|Mobilnummer (geschäftlich)|Personalnummer|Kostenstelle',
      'Nom de famille|Prénom|Courriel|Téléphone|Matricule|Centre de coût',
      'Apellidos|Nombre|Correo electrónico|Teléfono|Número de empleado|Centro de costo',
      'Sobrenome|Nome próprio|Endereço de email|Celular|Matrícula|Centro de custo',
      'Cognome|Nome di battesimo|Indirizzo e-mail|Cellulare|Matricola|Centro di costo',
      'Achternaam|Voornaam|E-mailadres|Telefoonnummer|Personeelsnummer|Kostenplaats',
      'Nazwisko|Imię|Adres e-mail|Numer telefonu|Numer pracownika|MPK',
      '姓|名|メールアドレス|電話番号|社員番号|コストセンター',
      '姓|名字|电子邮件|手机|工号|成本中心',
      'उपनाम|प्रथम नाम|ईमेल|मोबाइल नंबर|कर्मचारी संख्या|Cost Center',
    ];
    for (const header of headers) {
      const names = header.split('|');
      assert.equal(findHeader([{ cells: ['Title'] }, { cells: names }]), 1, header);
      assert.deepEqual(
        matchColumns(names, () => ['x'], {}),
        ['lastName', 'firstName', 'email', 'phone', 'employeeNumber', 'costCenter'],
        header,
      );
    }
  });

  it("an HR file's column Name or Nom is the missing half of a name if the other half has a column", () => {
    const match = (...names: string[]) => matchColumns(names, () => ['x'], {});
    assert.deepEqual(match('Vorname', 'Name', 'E-Mail'), ['firstName', 'lastName', 'email']);
    assert.deepEqual(match('Nom', 'Prénom', "Date d'entrée"), ['lastName', 'firstName', 'startDate']);
    assert.deepEqual(match('Nome', 'Cognome'), ['firstName', 'lastName']);
    assert.deepEqual(match('Nom', 'First name', 'Employee #', 'Reporting to'), [
      '',
      'firstName',
      'employeeNumber',
      'manager',
    ]);
  });

  it("an HR file's column of titles such as Mr and Ms is not read as job titles", async () => {
    const titles = async (...values: string[]) =>
      (await draft(`Title,Email\n${values.map((value, at) => `${value},p${at}@x.example`).join('\n')}\n`)).targets[0];
    assert.equal(await titles('Mr', 'Ms.', '', 'Prof. Dr.'), '');
    assert.equal(await titles('Mr', 'Clerk'), 'jobTitle');
  });

  it('an HR file is read from the line in from, without the lines in leaveOut', async () => {
    const file = 'Email,Last name\nE-mail of work,Surname\na@x.example,Lee\nb@x.example,Ray\nc@x.example,Orr\n';
    const read = await openTable(file, { from: 3, leaveOut: [4] });
    assert.ok(read);
    assert.equal(sent(read), 'email,lastName\n\na@x.example,Lee\n\nc@x.example,Orr\n');
  });

  it("an HR file's column of job roles is not read as roles, and one of access roles is", async () => {
    const read = await draft('Employee ID,Name,Email,Designation,Role\nEMP-1,Riya Sen,r@x.example,Clerk,manager\n');
    assert.deepEqual(read.targets, ['employeeNumber', '', 'email', 'jobTitle', '']);
    assert.ok(isUnclearRole('Role') && isUnclearRole('Rolle') && !isUnclearRole('Access role'));
    assert.deepEqual(
      matchColumns(['Email', 'Access role'], () => ['x'], {}),
      ['email', 'roles'],
    );
  });

  it("an HR file's sums are left out, dates with dots read day first, and words of status understood", async () => {
    const read = await draft(
      'Email,Geburtsdatum,Status\na@x.example,01.11.1984,Ausgetreten\nb@x.example,02.03.1990,Full-Time\nTotal,2,\n',
    );
    assert.deepEqual([isCorrected(read), [...read.leftOut]], [false, [4]]);
    assert.equal(sent(read), 'email,active,dateOfBirth\na@x.example,false,1984-11-01\nb@x.example,true,1990-03-02\n');
  });

  it('an unknown value of an HR file is matched once for all its lines', async () => {
    const lines = Array.from(
      { length: 6 },
      (_, index) => `p${index}@x.example,Dept ${index % 2},${index < 4 ? 'Active' : 'Sabbatical'}`,
    );
    const read = await draft(`Email,Department,Status\n${lines.join('\n')}\n`);
    const known = { department: new Set(['dept 0', 'd-0']) };
    const unknown = (one: ImportDraft) => unknownValues(rowsOf(one, formatOf(one)), one, known);
    assert.deepEqual(unknown(read), [
      { field: 'department', text: 'Dept 1', lines: 3 },
      { field: 'active', text: 'Sabbatical', lines: 2 },
    ]);
    const matched = withMatch(withMatch(read, 'department', 'Dept 1', 'D-0'), 'active', 'Sabbatical', 'true');
    assert.deepEqual(
      rowsOf(matched, formatOf(matched)).map(({ values }) => [values.department, values.active]),
      lines.map((_, index) => [index % 2 === 0 ? 'Dept 0' : 'D-0', 'true']),
    );
  });
});
