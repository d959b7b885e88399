import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { assertRefused, dataOf, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { addCompany, addPerson } from '../support/people.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());
const own = await addCompany(api.db, 'Own');
const foreign = await addCompany(api.db, 'Foreign');
const person = await addPerson(api.db, { company: own });
const stranger = await addPerson(api.db, { company: foreign });
const { email: superAdmin } = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });
const key = await keyOf(own.id);

async function keyOf(companyId: string): Promise<string> {
  const payload = { name: 'Engine', scopes: ['bookings.write'], companyId };
  const made = await api.send({ method: 'POST', url: '/api/api-keys/create', payload, as: superAdmin });
  return dataOf<{ key: string }>(made).key;
}

let last = 0;
const nextId = () => {
  last += 1;
  return `BK-${last}`;
};
const booking = (more: object = {}) => ({
  id: nextId(),
  companyId: own.id,
  userId: person.id,
  amount: '100.00',
  ...more,
});

function record(bookings: unknown, by = key) {
  const headers = { authorization: `Bearer ${by}` };
  return api.send({ method: 'POST', url: '/api/bookings/record', headers, payload: { bookings } });
}

async function stored(id: string) {
  const [row] = await api.db.query<{ amount: string; createdAt: string; userId: string }>(sql`
    select amount::text as amount, user_id as "userId", created_at::text as "createdAt" from bookings where id = ${id}`);
  return row;
}

describe('bookings', () => {
  it('recording bookings adds, changes or leaves them unchanged by their ids', async () => {
    const [one, two] = [booking(), booking({ createdAt: '2026-01-31T09:30:00Z' })];
    assert.deepEqual(dataOf(await record([one, two])), { added: 2, changed: 0, unchanged: 0 });
    const before = await stored(one.id);
    assert.deepEqual(dataOf(await record([one, two])), { added: 0, changed: 0, unchanged: 2 });
    const dearer = { ...one, amount: '120.50' };
    assert.deepEqual(dataOf(await record([dearer, two, booking()])), { added: 1, changed: 1, unchanged: 1 });
    assert.deepEqual(await stored(one.id), { ...before, amount: '120.50' });
  });

  it('a recorded booking counts on the list of companies at once', async () => {
    const company = await addCompany(api.db, 'Counted');
    const { id: userId } = await addPerson(api.db, { company });
    await record([booking({ companyId: company.id, userId })], await keyOf(company.id));
    const { items } = pageOf<{ _count: object }>(
      await api.send({ url: '/api/companies/list?search=counted', as: superAdmin }),
    );
    assert.deepEqual(items[0]?._count, { users: 1, bookings: 1 });
  });

  it('recording takes a thousand bookings in up to 512 KiB, and more returns 400 or 413', async () => {
    const many = Array.from({ length: 1000 }, () => booking({ id: `${'x'.repeat(80)}-${nextId()}` }));
    assert.deepEqual(dataOf(await record(many)), { added: 1000, changed: 0, unchanged: 0 });
    assertRefused(await record([...many, booking()]), 400, 'INVALID_INPUT', ['bookings']);
    const huge = await record([{ ...booking(), amount: ' '.repeat(512 * 1024) }]);
    assert.match(String(assertRefused(huge, 413, 'PAYLOAD_TOO_LARGE').message), /larger than 512 KiB/);
  });

  const twice = booking();
  const WRONG: readonly (readonly [what: string, bookings: unknown, ...fields: string[]])[] = [
    ['none', [], 'bookings'],
    ['no list', {}, 'bookings'],
    ['no object', ['x'], 'bookings[0]'],
    ['an empty object', [{}], 'bookings[0].id', 'bookings[0].companyId', 'bookings[0].userId', 'bookings[0].amount'],
    ['an id twice', [twice, booking(), twice], 'bookings[2].id'],
    ['a person of another company', [booking(), booking({ userId: stranger.id })], 'bookings[1].userId'],
    ['a foreign company', [booking({ companyId: foreign.id, userId: stranger.id })], 'bookings[0].companyId'],
    ['an amount as a number', [booking({ amount: 7 })], 'bookings[0].amount'],
    ['an unknown field', [booking({ note: 'x' })], 'bookings[0].note'],
    ['null as a time', [booking({ createdAt: null })], 'bookings[0].createdAt'],
  ];
  for (const [what, bookings, ...fields] of WRONG) {
    it(`an invalid list of bookings (${what}) returns 400, and none is recorded`, async () => {
      const [before] = await api.db.query(sql`select count(*)::integer as count from bookings`);
      assertRefused(await record(bookings), 400, 'INVALID_INPUT', fields);
      assert.deepEqual(await api.db.query(sql`select count(*)::integer as count from bookings`), [before]);
    });
  }

  it("recording a booking with the id of another company's booking returns the error of an invalid id", async () => {
    const theirs = booking({ companyId: foreign.id, userId: stranger.id });
    dataOf(await record([theirs], await keyOf(foreign.id)));
    const taken = await record([booking({ id: theirs.id })]);
    const none = await record([booking({ id: '' })]);
    assertRefused(taken, 400, 'INVALID_INPUT', ['bookings[0].id']);
    assert.equal(taken.json().message, none.json().message);
    assert.equal((await stored(theirs.id))?.userId, stranger.id);
  });

  it('simultaneous requests with the same bookings record each once', async () => {
    const batch = Array.from({ length: 50 }, () => booking());
    const answers = await Promise.all(Array.from({ length: 4 }, () => record(batch)));
    const added = answers.reduce((sum, answer) => sum + dataOf<{ added: number }>(answer).added, 0);
    assert.equal(added, 50);
  });
});
