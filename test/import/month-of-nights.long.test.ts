import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { buildTestApp } from '../support/build-test-app.ts';
import { fileOf, type Line, openFeed, peopleOf } from './nightly-feed.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());

type Accident = (people: readonly Line[]) => string | { file: string; query: object; expected?: number };

const shifted = (people: readonly Line[], name: keyof Line) =>
  people.map((one, index) => ({ ...one, [name]: people[(index + 1) % people.length]?.[name] ?? '' }));

/** Accidents of a night, each of which is stopped. */
const ACCIDENTS: Readonly<Record<string, Accident>> = {
  'addresses moved by a line': (people) => fileOf(shifted(people, 'email')),
  'names sorted alone': (people) => fileOf(shifted(shifted(people, 'first'), 'last')),
  'first and last names swapped': (people) =>
    fileOf(people.map((one) => ({ ...one, first: one.last, last: one.first }))),
  'everybody Terminated': (people) => fileOf(people.map((one) => ({ ...one, status: 'Terminated' }))),
  'another company with the same numbers': (people) => fileOf(peopleOf(people.length, 'foreign.example')),
  'a department filled down': (people) => fileOf(people.map((one) => ({ ...one, department: 'Finance' }))),
  'managers emptied': (people) => fileOf(people.map((one) => ({ ...one, manager: '' }))),
  'half of the file': (people) => fileOf(people.slice(0, people.length / 2)),
  'nobody in the file': () => fileOf([]).trimEnd().concat('\n'),
  "last week's file": (people) => ({ file: fileOf(people), query: { asOf: '2026-10-30' }, expected: 409 }),
  'ruined numbers': (people) => fileOf(people.map((one) => ({ ...one, number: `1.0000${one.number.at(-1)}E+11` }))),
  'garbled names': (people) => fileOf(people.map((one) => ({ ...one, last: `MÃ¼ller${one.last}` }))),
  'a column that is gone': (people) => ({
    file: fileOf(people).replace('Status', 'State of work'),
    query: { choices: '{"columns":{"*":""}}' },
  }),
  'a cut line': (people) => `${fileOf(people)}999,Cut`,
};

it('after each accident of a month of nights, and its correction, the company is what the right file says', async () => {
  const { bring, stopped, state } = await openFeed(api, 'A month');
  const query = { maxLeavers: '3', choices: '{"columns":{"*":""}}' };
  let people = peopleOf(40, 'month.example');
  let next = people.length;
  const left: Line[] = [];
  await bring(fileOf(people), { ...query, asOf: '2026-11-01' });
  const accidents = Object.entries(ACCIDENTS);
  for (let night = 2; night <= 30; night++) {
    const [name = '', accident] = accidents[(night - 2) % accidents.length] ?? [];
    people = people.map((one, index) => {
      if (index === night) return { ...one, last: `${one.last}-Married${night}`, email: `m${night}.${one.email}` };
      return index === night + 1 ? { ...one, department: 'Research', manager: '1' } : one;
    });
    const gone = people[people.length - 2];
    if (gone && night % 3 === 0) {
      people = people.filter((one) => one !== gone);
      left.push({ ...gone, status: 'Terminated' });
    }
    const number = String(++next);
    const joiner = { number, first: `New${number}`, last: `Joiner${number}`, email: `p${number}@month.example` };
    people = [...people, { ...joiner, department: 'Tours', manager: '2', status: 'Active' }];
    const asOf = `2026-11-${String(night).padStart(2, '0')}`;
    const made = accident?.(people) ?? '';
    const { file, query: own = {}, expected = 400 } = typeof made === 'string' ? { file: made, query: {} } : made;
    await stopped(file, { ...query, asOf, ...own }, expected).catch((error: unknown) => {
      throw new Error(`The night of ${name}`, { cause: error });
    });
    await bring(fileOf(people), { ...query, asOf });
    const right = [...people, ...left].sort((one, other) => Number(one.number) - Number(other.number));
    assert.deepEqual(await state(), right, name);
  }
  // What went through with a confirmation is mended by the right file.
  for (const name of ['addresses moved by a line', 'first and last names swapped', 'a department filled down']) {
    const file = String(ACCIDENTS[name]?.(people));
    const { confirm } = await stopped(file, query);
    await bring(file, { ...query, confirm });
    await bring(fileOf(people), { ...query, maxChanged: '100', maxMoved: '100' });
    const right = [...people, ...left].sort((one, other) => Number(one.number) - Number(other.number));
    assert.deepEqual(await state(), right, name);
  }
});
