import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { zipSync } from 'fflate';
import sql from 'sql-template-tag';
import type { Context } from '../../src/app/context.ts';
import type { GivenOptions } from '../../src/commands/command.ts';
import { importCommand } from '../../src/commands/import-command.ts';
import type { UsersImportView } from '../../src/features/people/import/import-schemas.ts';
import { readChoices } from '../../src/import/tables/choices.ts';
import { csvToSend, formatOf, openTable, rowsOf } from '../../src/import/tables/draft.ts';
import { openAdministration } from '../administration/administration.ts';
import { assertInvalid, assertRefused } from '../support/answers.ts';
import { rowsOfCells, workbookOf } from '../support/workbooks.ts';
import { makeFolder } from './folders.ts';
import { HR_TABLES } from './hr-tables.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { api, home, admin, withoutTrace } = administration;
await api.db.query(sql`update companies set country = 'IN' where id = ${home.id}`);

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const isWorkbook = (file: string | Buffer) => typeof file !== 'string' && file[0] === 0x50;

/** Imports a file by the command line. @returns what it printed */
async function importByCommand(file: string, options: GivenOptions): Promise<string[]> {
  const printed: string[] = [];
  const output = {
    print: (text: string) => void printed.push(text),
    progress: () => undefined,
    flushed: async () => undefined,
  };
  await importCommand.act({ db: api.db } as Context, [file], output, options);
  return printed;
}

function send(file: string | Buffer, query: object, type = isWorkbook(file) ? XLSX : 'text/csv') {
  return api.send({
    method: 'POST',
    url: '/api/users/import',
    as: admin.email,
    query: { companyId: home.id, changes: 'true', ...query },
    headers: { 'content-type': type },
    payload: file,
  });
}
const bring = async (file: string | Buffer, choices: object, query: object = {}): Promise<UsersImportView> => {
  const response = await send(file, { choices: JSON.stringify(choices), ...query });
  assert.equal(response.statusCode, 200, response.body);
  return response.json().data;
};

/** Number of single choices: of columns and values each one counts. */
function count(choices: unknown): number {
  return typeof choices === 'object' && choices !== null
    ? Object.values(choices).reduce((sum: number, one) => sum + count(one), 0)
    : 1;
}

describe('files of HR departments', () => {
  it('an import leaves out a phone that its country cannot have, reports its line, and keeps the stored phone', async () => {
    const people = (...phones: readonly string[]) =>
      ['email,firstName,lastName,phone', ...phones.map((phone, at) => `p${at}@phones.example,Ana,Lee,${phone}`)].join(
        '\n',
      );
    await bring(people('098765 43210'), {});
    const { changes, leftOut, problems } = await bring(people('+91 1234 567', '12 34 567'), {});
    assert.deepEqual(problems, []);
    assert.deepEqual(
      leftOut?.map(({ line, column, value }) => [line, column, value]),
      [
        [2, 'phone', '+91 1234 567'],
        [3, 'phone', '12 34 567'],
      ],
    );
    assert.deepEqual(
      changes.map(({ line, action }) => [line, action]),
      [[3, 'added']],
    );
    const stored = await api.db.query(sql`
      select phone from users where email like 'p_@phones.example' order by email`);
    assert.deepEqual(stored, [{ phone: '+919876543210' }, { phone: null }]);
  });

  for (const [what, { file, choices, open, people }] of Object.entries(HR_TABLES)) {
    it(`an import of ${what} without choices reports the missing ones`, async () => {
      const response = await withoutTrace(() => send(file, { dryRun: 'true' }));
      const { problems } = response.json<{ data: UsersImportView }>().data;
      assert.deepEqual(
        problems.map(({ column }) => column),
        open.map(([column]) => column),
        response.body,
      );
      for (const [index, [, message]] of open.entries()) assert.match(problems[index]?.message ?? '', message);
    });

    it(`an import of ${what} succeeds with at most five choices`, async () => {
      assert.ok(count(choices) <= 5);
      const { problems, changes } = await bring(file, choices);
      assert.deepEqual(problems, []);
      const found = changes.map(({ fields }) =>
        Object.fromEntries(fields.map(({ field, after: value }) => [field, value])),
      );
      assert.equal(found.length, people.length);
      for (const [index, expected] of people.entries())
        assert.deepEqual({ ...found[index], ...expected }, found[index]);
      assert.equal((await bring(file, choices)).unchanged, people.length);
    });

    it(`the console sends the rows of ${what} that the API reads`, async () => {
      const read = readChoices(JSON.stringify(choices));
      assert.ok('choices' in read);
      const draft = await openTable(typeof file === 'string' ? file : new Uint8Array(file), read.choices);
      assert.ok(draft);
      const response = await send(csvToSend(draft, rowsOf(draft, formatOf(draft))), { dryRun: 'true' }, 'text/csv');
      assert.equal(response.json().data.unchanged, people.length, response.body);
    });
  }

  it('an import of an HR file reports each problem with the line and column of the file', async () => {
    const file =
      'Staff,,,\n\nE-Mail,Vorname,Nachname,Status\nok@lines.example,Ana,Lee,aktiv\n,Bo,Ray,aktiv\nx@lines.example,Cy,Orr,Unknown word\n';
    const { problems, changes } = await bring(file, { columns: { Status: 'active' } }, { dryRun: 'true' });
    assert.deepEqual(
      problems.map(({ line, column, value }) => [line, column, value]),
      [
        [5, 'E-Mail', ''],
        [6, 'Status', 'Unknown word'],
      ],
    );
    assert.deepEqual(
      changes.map(({ line }) => line),
      [4],
    );
    const bare = await bring(
      'a@bare2.example,Ana,Lee\nnone@,Bo,Ray\n',
      { columns: { 1: 'email', 2: 'firstName', 3: 'lastName' } },
      { dryRun: 'true' },
    );
    assert.deepEqual([bare.problems.map(({ line }) => line), bare.changes.map(({ line }) => line)], [[2], [1]]);
  });

  it('an import of an HR file in another encoding is refused with the encoding to choose', async () => {
    // 姓名,邮箱 and a person.
    const header = Buffer.from([0xd0, 0xd5, 0xc3, 0xfb, 0x2c, 0xd3, 0xca, 0xcf, 0xe4, 0x0a]);
    const file = Buffer.concat([header, Buffer.from([0xd5, 0xc5]), Buffer.from(' San,z@x.example\n')]);
    const { problems } = (await send(file, { dryRun: 'true' })).json<{ data: UsersImportView }>().data;
    assert.match(problems[0]?.message ?? '', /choose encoding, such as "gb18030"$/);
  });

  it('an import of an HR file with a known employee number and another address changes that person', async () => {
    const before = 'Emp No,E-Mail,Vorname,Nachname\nEMP-77,m0@rename.example,M0,Single\n';
    const after = 'Emp No,E-Mail,Vorname,Nachname\nEMP-77,m0.married@rename.example,M0,Married\n';
    assert.equal((await bring(before, {})).added, 1);
    const { added, changed } = await bring(after, {});
    assert.deepEqual([added, changed], [0, 1]);
  });

  it('an import of an unreadable HR file or with unknown choices is refused with what to do', async () => {
    const xls = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600)]);
    const { problems } = (await send(xls, { dryRun: 'true' })).json<{ data: UsersImportView }>().data;
    assert.match(problems[0]?.message ?? '', /^the file cannot be read: .* Save it as \.xlsx or as CSV$/);
    for (const [choices, field] of [
      ['[]', 'choices'],
      ['{"head":3}', 'choices.head'],
      ['{"header":"three"}', 'choices.header'],
      ['{"from":0}', 'choices.from'],
      ['{"leaveOut":["4"]}', 'choices.leaveOut'],
      ['{"columns":{"Role":"king"}}', 'choices.columns'],
      ['{"values":{"department":"x"}}', 'choices.values'],
      ['{"encoding":"utf-7"}', 'choices.encoding'],
    ] as const) {
      assertInvalid(await send('email\n', { choices }), field);
    }
    const missing = await bring('E-Mail,Vorname\na@none.example,Ana\n', { header: 9 }, { dryRun: 'true' });
    assert.match(missing.problems[0]?.message ?? '', /^there is no line 9/);
    assertRefused(await send('E-Mail\n', {}, 'application/json'), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('an import of a workbook that is too large or malformed is refused', async () => {
    const sheet = (xml: string) => workbookOf({ sheets: { Staff: xml } });
    // The bound is for all parts together.
    const parts = ['workbook', 'styles', 'sharedStrings'].map((name) => [`xl/${name}.xml`, new Uint8Array(20_000_000)]);
    const zeros = Buffer.from(zipSync(Object.fromEntries(parts)));
    const files: [Buffer, RegExp][] = [
      [zeros, /The workbook is too large/],
      [sheet('<row r="2000000"><c><v>1</v></c></row>'), /too many lines/],
      [sheet('<row><c r="ZZZ1"><v>1</v></c></row>'), /line of the workbook is too long/],
      [sheet('<row><c><v>1</v></c>'), /An element of the XML is not closed/],
      [sheet(`<row><c t="inlineStr"><is>${'<r>'.repeat(50_000)}${'</r>'.repeat(50_000)}</is></c></row>`), /./],
      [sheet('<!DOCTYPE x [<!ENTITY a "b">]><row/>'), /The text is no XML/],
    ];
    for (const [file, reason] of files) {
      const { problems } = (await send(file, { dryRun: 'true' })).json<{ data: UsersImportView }>().data;
      assert.match(problems[0]?.message ?? '', reason);
      assert.match(problems[0]?.message ?? '', /^the file /);
    }
    const merged = Array.from({ length: 5000 }, () => 'A1:A1048576');
    const { problems } = await bring(
      workbookOf({ sheets: { Staff: rowsOfCells([['E-Mail'], ['x@merged.example']]) }, merged }),
      {},
      { dryRun: 'true' },
    );
    assert.match(problems[0]?.message ?? '', /needs firstName/);
  });

  it('an import leaves out an unreadable date, and asks for the order of one with two meanings', async () => {
    const about = async (date: string, choices: object) => {
      const file = `Email,First Name,Last Name,DOB\na@when.example,Ana,Lee,${date}\n`;
      const { added, problems, leftOut = [] } = await bring(file, choices, { dryRun: 'true' });
      assert.equal(added, leftOut.length);
      return [...problems, ...leftOut].map(({ message }) => message);
    };
    for (const [date, choices] of [
      ['soon', {}],
      ['31/31/1990', { dates: 'day-first' }],
    ] as const) {
      const messages = await about(date, choices);
      assert.equal(messages.length, 1);
      assert.match(messages[0] ?? '', /is no date|expected/);
      assert.doesNotMatch(messages[0] ?? '', /two dates/);
    }
    assert.match((await about('1/2/1990', {})).join(), /"1\/2\/1990" may be two dates/);
  });

  it('the import command reads an HR file with choices in a file as the API does', async () => {
    const [file, choices] = ['people.csv', JSON.stringify({ columns: { Name: 'fullName', '*': '' } })];
    const table = 'Name;E-Mail;Abteilung;Schuhe\nUte Kern;ute@command.example;General;38\n';
    await using folder = await makeFolder({ [file]: table, 'choices.json': choices });
    const path = (name: string) => join(folder.path, name);
    const run = (options: GivenOptions) => importByCommand(path(file), { company: home.id, ...options });
    const report = path('problems.txt');
    await assert.rejects(
      run({ report }),
      /people\.csv:1: Name: this may be a full name: choose "fullName"[\s\S]*Schuhe: unknown column/,
    );
    assert.equal(readFileSync(report, 'utf8').split('\n').length, 4);
    await assert.rejects(run({ report: path(file) }), /would be one of the files to import/);
    const options = { choices: path('choices.json') };
    assert.deepEqual(await run({ ...options, 'dry-run': true }), [
      'people.csv: 1 added, 0 changed, 0 unchanged',
      'A dry run: nothing has been changed.',
    ]);
    assert.deepEqual(await run(options), ['people.csv: 1 added, 0 changed, 0 unchanged']);
    assert.deepEqual(await run(options), ['people.csv: 0 added, 0 changed, 1 unchanged']);
    await assert.rejects(run({ ...options, leavers: '0' }), /active people are missing from the file/);
    await assert.rejects(run({ choices: path(file) }), /choices must be a JSON object/);
    writeFileSync(path('twice.json'), '{"columns":{},"columns":{"*":""}}');
    await assert.rejects(run({ choices: path('twice.json') }), /choices must be a JSON object with each name once/);
    await assert.rejects(run({ company: 'x' }), /there is no company with the id x/);
  });

  it('the import command imports an HR file into a closed company', async () => {
    const closed = await administration.addCompany();
    await api.db.query(sql`update companies set active = false where id = ${closed.id}::uuid`);
    await using folder = await makeFolder({ 'people.csv': 'firstName,lastName,email\nAda,Byron,ada@closed.example\n' });
    const printed = await importByCommand(join(folder.path, 'people.csv'), { company: closed.id });
    assert.deepEqual(printed, ['people.csv: 1 added, 0 changed, 0 unchanged']);
  });
});
