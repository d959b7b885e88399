import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { NEEDED, openBothWays, reported } from './both-ways.ts';
import { consoleTable, type Place } from './console-table.ts';
import { READ, REFUSED, type Table } from './tables.ts';

const bothWays = await openBothWays();
after(() => bothWays[Symbol.asyncDispose]());
const { check, byFolder } = bothWays;
const { home, admin, post } = bothWays.administration;
for (const costCode of ['SUP-1', 'SUP-2']) {
  const answer = await post(admin, 'departments/create', { companyId: home.id, name: 'Support', costCode });
  assert.equal(answer.statusCode, 200);
}

/** The same table as it is, for the API with what new people need, and for the command line with the company as well. */
function filesOf({ records, end = '\n', before = '', encoding = 'utf8' }: Table): {
  bare: Buffer;
  people: Buffer;
  folder: Buffer;
} {
  const header = (records[0] ?? '').toLowerCase();
  const needed = NEEDED.filter(([name]) => !header.includes(name.slice(0, 10).toLowerCase()));
  const email = `${randomUUID()}@new.example`;
  const file = (columns: readonly (readonly [string, string])[]) => {
    const rows = records.map((record, place) => {
      const cells = columns.map((column) => column[place === 0 ? 0 : 1]);
      return record === '' ? '' : [...cells, record.replaceAll('EMAIL', email)].join();
    });
    return Buffer.from(before + rows.join(end) + end, encoding);
  };
  return { bare: file([]), people: file(needed), folder: file([['companyId', home.id], ...needed]) };
}

/** The beginning of a reason: what follows tells of the columns, of which a folder has more. */
const begin = (reason: string) => reason.replace(/^\d+ cells? where.*/, 'another number of cells').split(':', 1)[0];

/** What the console tells of a table, and what the service then does, each place once. */
function merged(found: readonly Place[], problems: readonly { line: number | null; column: string | null }[]): Place[] {
  const places = [...found, ...problems.map(({ line, column }): Place => [line ?? undefined, column ?? undefined])];
  return [...new Map(places.map((place) => [place.join(), place])).values()].sort(
    ([left = 0], [right = 0]) => left - right,
  );
}

describe('tables of people, by the API, the console and the command line', () => {
  for (const [what, { after: expected, ...table }] of Object.entries(READ)) {
    it(`a table with ${what} gives the same people by the API, the console and the command line`, async () => {
      const { bare, people, folder } = filesOf(table);
      const { problems, changes, added } = await check(people);
      assert.deepEqual(problems, []);
      const fields = Object.fromEntries(changes[0]?.fields.map(({ field, after: value }) => [field, value]) ?? []);
      assert.deepEqual({ ...fields, ...expected }, fields);
      const { reported: found, csv = '' } = await consoleTable(bare);
      assert.deepEqual([found, (await check(csv)).changes], [[], changes]);
      assert.deepEqual((await byFolder(folder)).problems, []);
      const again = await check(people);
      assert.deepEqual([added, again.unchanged, again.changes], [1, 1, []]);
    });
  }

  for (const [what, { reported: expected, byConsole = expected, isReadByApi = false, ...table }] of Object.entries(
    REFUSED,
  )) {
    it(`a table with ${what} is refused alike by the API, the console and the command line`, async () => {
      const { bare, people, folder } = filesOf(table);
      const { problems, leftOut = [], added } = await check(people);
      const { problems: ofFolder } = await byFolder(folder);
      assert.deepEqual(
        ofFolder.map(({ line, column }) => [line, column]),
        expected,
      );
      assert.deepEqual(
        [...problems, ...leftOut].map(({ line, column, value, message }) => [line, column, value, begin(message)]),
        (isReadByApi ? [] : ofFolder).map(({ line = null, column = null, value = null, reason }) => [
          line,
          column,
          value,
          begin(reason),
        ]),
      );
      const read = await consoleTable(bare);
      const also = read.csv === undefined ? [] : reported(await check(read.csv));
      assert.deepEqual(merged(read.reported, also), byConsole);
      assert.equal(added, isReadByApi || what === 'an address twice, in other letters' ? 1 : leftOut.length);
    });
  }
});

describe('departments by a name', () => {
  it("an import by a department's name that two have is refused, and by a cost code accepted", async () => {
    const rows = [
      'email,firstName,lastName,department',
      'a1@new.example,Ana,Lee,Support',
      'a2@new.example,Ana,Lee,sup-1',
    ];
    const { problems, changes } = await check(Buffer.from(rows.join('\n')));
    assert.deepEqual(
      problems.map(({ line, column, value }) => [line, column, value]),
      [[2, 'department', 'Support']],
    );
    assert.match(problems[0]?.message ?? '', /of 2 departments of the company/);
    assert.equal(changes.length, 1);
  });
});
