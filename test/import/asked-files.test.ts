import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { zipSync } from 'fflate';
import sql from 'sql-template-tag';
import { readDate } from '../../src/import/tables/values.ts';
import { NO_WORKBOOK } from '../../src/import/tables/workbook.ts';
import { buildTestApp } from '../support/build-test-app.ts';
import { fileOf, openFeed, peopleOf } from './nightly-feed.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const feed = await openFeed(api, 'Asked');
const SOME = { mode: 'some' };
const choose = (choices: object) => ({ ...SOME, choices: JSON.stringify(choices) });

/** Returns what a file is asked about. */
async function asked(file: string | Buffer, query: object = SOME): Promise<string[]> {
  const { data } = await feed.send(file, { dryRun: 'true', ...query });
  return data.problems.map(({ message }) => message);
}

describe('an HR file that leaves something open', () => {
  it('dates in the words of each language of the headers are read', () => {
    const read = (text: string) => readDate(text, { order: undefined, serials: false });
    for (const text of [
      ...[
        '1 April 2020',
        'April 1, 2020',
        '1-Apr-2020',
        '1. April 2020',
        '1 avril 2020',
        '1 avr. 2020',
        '1 de abril de 2020',
      ],
      ...['1-abr-2020', '01 abr 2020', '1 aprile 2020', '1 apr. 2020', '1 kwietnia 2020', '1 kwi 2020', '2020年4月1日'],
      ...[
        '2020년 4월 1일',
        '2020. 4. 1.',
        '1 апреля 2020 г.',
        '1 апр. 2020',
        '1 अप्रैल 2020',
        '1 เมษายน 2020',
        '1 เม.ย. 2020',
      ],
      '２０２０/０４/０１',
    ])
      assert.equal(read(text), '2020-04-01', text);
    assert.deepEqual(
      ['12 janv. 2020', '15-dic-2021', '3 févr. 2019', '7 août 2018', '2. Mrz 2020', '5 jui 2020'].map(read),
      ['2020-01-12', '2021-12-15', '2019-02-03', '2018-08-07', '2020-03-02', undefined],
    );
  });

  it('an import returns one problem a column for years of two digits and of the Buddhist calendar', async () => {
    const file =
      'Email,First Name,Last Name,DOB,Start Date\na@era.example,A,B,01.02.31,1 เม.ย. 2563\nb@era.example,A,B,3.4.09,\n';
    const found = await asked(file);
    assert.equal(found.length, 2);
    assert.match(found.join('\n'), /choose calendar, "buddhist"/);
    assert.match(found.join('\n'), /"01\.02\.31" has a year of two digits: choose years.*\{"dateOfBirth":\d{4}\}/);
    await feed.bring(file, choose({ calendar: 'buddhist', years: { dateOfBirth: 2010 } }));
    const rows = await api.db.query(sql`
      select date_of_birth::text as born, start_date::text as began from users where email like '%@era.example' order by email`);
    assert.deepEqual(rows, [
      { born: '1931-02-01', began: '2020-04-01' },
      { born: '2009-04-03', began: null },
    ]);
  });

  it('lines of labels and notes are named with the line to begin at, or the lines to leave out', async () => {
    const labels = 'E-MAIL,FIRSTNAME,LASTNAME\nEmail,First Name,Last Name\na@labels.example,Ana,Lee\n';
    assert.match((await asked(labels)).join(), /^lines 2 look like labels or notes: choose from, such as 3$/);
    assert.equal((await feed.bring(labels, choose({ from: 3 }))).added, 1);
    const notes = 'E-Mail,First Name,Last Name\nb@labels.example,Bo,Ray\nExported by HR\n';
    assert.match((await asked(notes)).join(), /choose leaveOut, such as \[3\]$/);
    assert.equal((await feed.bring(notes, choose({ leaveOut: [3] }))).added, 1);
  });

  it('an import returns problems for ruined numbers, garbled names and a marital status', async () => {
    const ruined = 'Employee ID,Email,First Name,Last Name\n1.00001E+11,a@ruined.example,Ana,Lee\n';
    assert.match((await asked(ruined)).join(), /"1\.00001E\+11" was rounded by a spreadsheet/);
    const garbled = 'E-Mail,Vorname,Nachname\na@garbled.example,JÃ¶rg,MÃ¼ller\n';
    assert.match((await asked(garbled)).join(), /choose garbled, true to read it as "Jörg"/);
    await feed.bring(garbled, choose({ garbled: true }));
    const [joerg] = await api.db.query(sql`select first_name as name from users where email = 'a@garbled.example'`);
    assert.deepEqual(joerg, { name: 'Jörg' });
    const marital =
      'Email,First Name,Last Name,Status\na@marital.example,Ana,Lee,Separated\nb@marital.example,Bo,Ray,Married\n';
    assert.match((await asked(marital)).join(), /^unknown column: choose in columns/);
  });

  it('a separator is found or chosen, and workbooks of other programs get one sentence', async () => {
    assert.equal((await feed.bring('Email|First Name|Last Name\na@pipes.example|Ana|Lee\n', SOME)).added, 1);
    const one = 'Email^First Name\na@signs.example^Ana\n';
    assert.match((await asked(one, choose({}))).join(), /separated by ",": choose separator/);
    const tabs = 'Email\tFirst Name\tLast Name, all\na@tabs.example\tAna\tLee\n';
    assert.equal(
      (await feed.bring(tabs, choose({ separator: '\t', columns: { 'Last Name, all': 'lastName' } }))).added,
      1,
    );
    const files = [
      Buffer.from(zipSync({ 'Index/Document.iwa': new Uint8Array(9) })),
      Buffer.from(zipSync({ 'content.xml': new Uint8Array(9) })),
      Buffer.from(zipSync({ 'xl/workbook.bin': new Uint8Array(9) })),
      Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600)]),
    ];
    for (const file of files) assert.ok((await asked(file)).join().includes(NO_WORKBOOK));
  });

  it('unknown departments are made by one choice, or are one department for all', async () => {
    const file = (at: string) =>
      `Email,First Name,Last Name,Department\na@${at}.example,A,B,Lab One\nb@${at}.example,C,D,Lab Two\nc@${at}.example,E,F,Sales\n`;
    assert.equal((await asked(file('made'))).length, 2);
    const { added, notes } = await feed.bring(file('made'), choose({ departments: 'create' }));
    assert.deepEqual(
      [added, notes?.map(({ message }) => message)],
      [3, ['"Lab One" is a new department', '"Lab Two" is a new department']],
    );
    assert.equal((await feed.bring(file('made'), SOME)).unchanged, 3);
    await feed.bring(file('all').replaceAll('Lab', 'Shop'), choose({ departments: 'D-1' }));
    const rows = await api.db.query<{ name: string }>(sql`
      select departments.name from users join departments on departments.id = department_id
       where users.email like '%@all.example' order by users.email`);
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['Research', 'Research', 'Sales'],
    );
  });

  it('an import takes managers by a unique name in four forms and reports it, and returns a problem with both people of one name', async () => {
    const people = peopleOf(9, 'names.example').map((one) => ({ ...one, number: `N${one.number}`, manager: '' }));
    const [first, ...others] = people;
    assert.ok(first);
    const forms = ['First1 Last1', '"Last1, First1"', 'First1 Last1 (N1)', 'First1 Last1 N1', 'p1@names.example', 'N1'];
    const named = [
      { ...first, manager: 'N1' },
      ...others.slice(0, 6).map((one, at) => ({ ...one, manager: forms[at] ?? '' })),
    ];
    const { notes, notesTotal } = await feed.bring(fileOf(named), SOME);
    assert.equal(notesTotal, 5);
    assert.match(notes?.[0]?.message ?? '', /"N1" is their own manager: they have none/);
    assert.match(notes?.[1]?.message ?? '', /"First1 Last1" is taken for p1@names\.example \(N1\)/);
    const rows = await api.db.query<{ manager: string | null }>(sql`
      select (select employee_number from users above where above.id = users.manager_id) as manager
        from users where email like '%@names.example' order by employee_number`);
    assert.deepEqual(
      rows.map(({ manager }) => manager),
      [null, ...Array.from({ length: 6 }, () => 'N1')],
    );
    const twin = { ...first, number: 'N50', email: 'twin@names.example', manager: '' };
    const doubled = [
      twin,
      { ...first, number: 'N51', last: 'Other', email: 'o@names.example', manager: 'First1 Last1' },
    ];
    assert.match(
      (await asked(fileOf(doubled))).join(),
      /several people: .*p1@names\.example \(N1\).*twin@names\.example \(N50\).*values\.manager/,
    );
  });

  it('a family name alone is a name of one word', async () => {
    await feed.bring('Email,First Name,Last Name\nsuharto@one.example,,Suharto\n', SOME);
    const [one] = await api.db.query(sql`
      select first_name as first, last_name as last from users where email = 'suharto@one.example'`);
    assert.deepEqual(one, { first: 'Suharto', last: '' });
  });
});
