import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { assertRefused, dataOf } from '../../support/answers.ts';
import { type Administration, describeChange, userOf } from '../administration.ts';
import { outcomeOf, Tally } from './outcomes.ts';
import type { Race } from './races.ts';

const WRITERS = 8;

/** A value of each field that nobody has had before. */
const VALUES: Readonly<Record<string, (round: number) => string>> = {
  firstName: (round) => `First ${round}`,
  lastName: (round) => `Last ${round}`,
  email: () => `${randomUUID()}@written.example`,
  phone: (round) => `+3531555${10_000 + round}`,
  gender: (round) => `Gender ${round}`,
  addressLine1: (round) => `Street ${round}`,
  addressLine2: (round) => `Flat ${round}`,
  approvalLimit: (round) => `${round + 1}.00`,
};

/** Each writes a field of its own: all get through, and nothing is lost. */
async function fieldsOfOnePerson({ post, admin, add, changesOf }: Administration, rounds: number) {
  const { id } = await add();
  const tally = new Tally();
  const present: Record<string, unknown> = {};
  for (let round = 0; round < rounds; round++) {
    const patches = Object.entries(VALUES).map(([field, value]) => ({ [field]: value(round) }));
    assert.equal(patches.length, WRITERS);
    const changes = await changesOf(async () => {
      const answers = await Promise.all(patches.map((patch) => post(admin, 'users/update', { id, ...patch })));
      for (const answer of answers) tally.add(outcomeOf(answer));
      const person = userOf(await post(admin, 'users/update', { id }));
      const written = Object.assign({}, ...patches) as object;
      assert.deepEqual({ ...person, ...written }, person);
    });
    assert.equal(changes.length, WRITERS);
    for (const { fields } of changes.map(describeChange)) {
      for (const [field, [before, after]] of Object.entries(fields)) {
        if (field in present) assert.equal(before, present[field]);
        present[field] = after;
      }
    }
  }
  assert.deepEqual([...tally.counts.keys()], ['200']);
  return tally.summary();
}

/** All have read the same state: one gets through. */
async function oneState({ get, post, admin, add, changesOf }: Administration, rounds: number) {
  const { id } = await add();
  const tally = new Tally();
  for (let round = 0; round < rounds; round++) {
    const { etag } = (await get(admin, 'users/get', { id })).headers;
    const headers = { 'if-match': String(etag) };
    const changes = await changesOf(async () => {
      const writers = Array.from({ length: WRITERS }, (_, writer) =>
        post(admin, 'users/update', { id, gender: `${round}/${writer}` }, headers),
      );
      const answers = await Promise.all(writers);
      const through = answers.filter(({ statusCode }) => statusCode === 200);
      assert.equal(through.length, 1);
      const written = through.map((answer) => userOf(answer).gender);
      for (const answer of answers) {
        tally.add(outcomeOf(answer));
        if (answer.statusCode === 200) continue;
        const { data } = assertRefused(answer, 412, 'PRECONDITION_FAILED');
        assert.equal((data as { gender: string }).gender, written[0]);
      }
    });
    assert.equal(changes.length, 1);
  }
  return tally.summary();
}

/** Some give a role and some take it: in the trail it comes and goes by turns. */
async function oneRole({ post, admin, home, add, changesOf }: Administration, rounds: number) {
  const { id } = await add();
  const role = { userId: id, role: 'MANAGER', companyId: home.id };
  const tally = new Tally();
  let isHeld = false;
  for (let round = 0; round < rounds; round++) {
    const changes = await changesOf(async () => {
      const writers = Array.from({ length: WRITERS }, (_, writer) =>
        post(admin, writer % 2 === 0 ? 'users/grant-role' : 'users/revoke-role', role),
      );
      for (const answer of await Promise.all(writers)) tally.add(outcomeOf(answer));
    });
    for (const { action } of changes) {
      assert.equal(action, isHeld ? 'removed' : 'added');
      isHeld = !isHeld;
    }
  }
  assert.deepEqual([...tally.counts.keys()], ['200']);
  return tally.summary();
}

/** All delete one thing: the first does, for the others there is none. */
async function oneThing({ post, admin, home, changesOf }: Administration, rounds: number) {
  const tally = new Tally();
  for (let round = 0; round < rounds; round++) {
    const [path, fields] = [
      ['departments', { costCode: 'X' }],
      ['bands', { code: 'X' }],
      ['approval-policies', { levels: [{ level: 1, roleRequired: 'MANAGER', minAmount: '1.00' }] }],
    ][round % 3] as [string, object];
    const thing = { companyId: home.id, name: 'Fleeting', ...fields };
    const { id } = dataOf<{ id: string }>(await post(admin, `${path}/create`, thing));
    const changes = await changesOf(async () => {
      const answers = await Promise.all(Array.from({ length: WRITERS }, () => post(admin, `${path}/delete`, { id })));
      const outcomes = answers.map(outcomeOf).sort();
      assert.deepEqual(outcomes, ['200', ...Array.from({ length: WRITERS - 1 }, () => '404 NOT_FOUND')]);
      for (const outcome of outcomes) tally.add(outcome);
    });
    assert.equal(changes.filter(({ entityId }) => entityId === id).length, 1);
  }
  return tally.summary();
}

export const WRITER_RACES: Readonly<Record<string, Race>> = {
  'eight simultaneous updates of fields of one person all succeed': fieldsOfOnePerson,
  'one of eight updates with the same ETag succeeds, and the others get 412': oneState,
  'eight simultaneous grants and revocations of one role all succeed, and the trail alternates': oneRole,
  'one of eight simultaneous deletions succeeds, and the others get 404': oneThing,
};
