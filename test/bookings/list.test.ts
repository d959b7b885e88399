import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { BookingTotals, BookingView } from '../../src/features/bookings/bookings-schemas.ts';
import { openAdministration } from '../administration/administration.ts';
import { assertInvalid, assertRefused, dataOf, pageOf } from '../support/answers.ts';

const administration = await openAdministration();
after(() => administration[Symbol.asyncDispose]());
const { home, admin, superAdmin, add, get, post } = administration;
const traveller = await add();

const BOOKINGS = [
  { id: 'B-1', amount: '9.99', reference: 'PNR X7K2QP', category: 'Flug nach München' },
  { id: 'B-2', amount: '100.00', reference: 'PNR Q%1', costCenter: 'CC-77' },
  { id: 'B-3', amount: '-0.01', refundOf: 'B-2' },
  { id: 'B-4', amount: '9999999999999.99', status: 'CANCELLED' },
  { id: 'B-5', amount: '9.99', status: 'CANCELLED', category: 'Hotel' },
];
dataOf(
  await post(superAdmin, 'bookings/record', {
    bookings: BOOKINGS.map((each, index) => ({
      ...{ companyId: home.id, userId: traveller.id, createdAt: `2026-0${index + 1}-01T10:00:00Z`, ...each },
    })),
  }),
);

const ask = (query: object) => get(admin, 'bookings/list', { companyId: home.id, userId: traveller.id, ...query });
const idsOf = async (query: object) => pageOf<BookingView>(await ask(query)).items.map(({ id }) => id);
const totalsOf = async (query: object) =>
  (await ask({ include: 'totals', ...query })).json<{ totals: BookingTotals }>().totals;

it('a Manager finds bookings by a part of the id, reference, category or cost centre, whatever the case and accents', async () => {
  assert.deepEqual(await idsOf({ search: 'b-3' }), ['B-3']);
  assert.deepEqual(await idsOf({ search: 'x7k2' }), ['B-1']);
  assert.deepEqual(await idsOf({ search: 'munchen' }), ['B-1']);
  assert.deepEqual(await idsOf({ search: 'cc-77' }), ['B-2']);
  assert.deepEqual(await idsOf({ search: 'q%' }), ['B-2']);
  assert.deepEqual(await idsOf({ search: 'PNR', status: 'CANCELLED' }), []);
  assertInvalid(await ask({ search: 'x'.repeat(257) }), 'search');
});

it('a list of bookings is sorted by time or amount either way, and read by cursor in that order', async () => {
  assert.deepEqual(await idsOf({}), ['B-5', 'B-4', 'B-3', 'B-2', 'B-1']);
  assert.deepEqual(await idsOf({ sort: 'createdAt' }), ['B-1', 'B-2', 'B-3', 'B-4', 'B-5']);
  assert.deepEqual(await idsOf({ sort: 'amount' }), ['B-3', 'B-1', 'B-5', 'B-2', 'B-4']);
  const read: string[] = [];
  for (let cursor: string | null = 'start'; cursor !== null; ) {
    const answer = await ask({ sort: '-amount', after: cursor, limit: '2' });
    read.push(...pageOf<BookingView>(answer).items.map(({ id }) => id));
    cursor = answer.json<{ pagination: { next: string | null } }>().pagination.next;
  }
  assert.deepEqual(read, ['B-4', 'B-2', 'B-5', 'B-1', 'B-3']);
  assertInvalid(await ask({ sort: 'status' }), 'sort');
});

it('bookings are sorted by a field of one’s own, and read by cursor in that order', async () => {
  dataOf(
    await post(admin, 'fields/create', {
      ...{ companyId: home.id, entity: 'booking', key: 'legs', label: 'Legs', type: 'INTEGER' },
    }),
  );
  const fields = (id: string, legs: number) => ({
    ...{ id, companyId: home.id, userId: traveller.id, amount: '1.00', costCenter: 'legs', fields: { legs } },
  });
  dataOf(
    await post(superAdmin, 'bookings/record', { bookings: [fields('L-1', 2), fields('L-2', 3), fields('L-3', 1)] }),
  );
  const sorted = { sort: '-fields.legs', search: 'legs', limit: '2' };
  const first = await ask({ ...sorted, after: 'start' });
  const ids = (answer: typeof first) => pageOf<BookingView>(answer).items.map(({ id }) => id);
  const { next } = first.json<{ pagination: { next: string } }>().pagination;
  assert.deepEqual([ids(first), ids(await ask({ ...sorted, after: next }))], [['L-2', 'L-1'], ['L-3']]);
});

it('include=totals returns the exact sums of all selected bookings, whatever the page, and nobody else pays for them', async () => {
  assert.deepEqual(await totalsOf({ search: 'B-', limit: '1', page: '2' }), {
    booked: '109.98',
    cancelled: '10000000000009.98',
  });
  assert.deepEqual(await totalsOf({ search: 'B-', to: '2026-03-01' }), { booked: '109.99', cancelled: '0.00' });
  assert.deepEqual(await totalsOf({ search: 'nothing' }), { booked: '0.00', cancelled: '0.00' });
  assert.equal(await totalsOf({ include: 'fields' }), undefined);
  assertRefused(
    await get(superAdmin, 'bookings/list', { companyId: home.id, include: 'totals' }),
    403,
    'ROLE_REQUIRED',
  );
});
