import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import sql from 'sql-template-tag';
import { buildTestApp } from '../support/build-test-app.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { waitUntil } from '../support/wait-until.ts';

const api = await buildTestApp();
after(() => api[Symbol.asyncDispose]());
const company = await addCompany(api.db, 'Own');
const people = [await addPerson(api.db, { company }), await addPerson(api.db, { company })].map(({ id }) => id);
const [first = '', second = ''] = people.sort();
const { email: superAdmin } = await addPerson(api.db, { systemRole: { role: 'SUPER_ADMIN', active: true } });

it('bookings of several people are recorded while those people are locked in another order', async () => {
  const booking = (id: string, userId: string) => ({ id, companyId: company.id, userId, amount: '1.00' });
  const payload = { bookings: [booking('BK-1', second), booking('BK-2', first)] };
  let recorded: ReturnType<typeof api.send> | undefined;
  await api.db.transaction(async (transaction) => {
    const lock = (id: string) => transaction.query(sql`select from users where id = ${id}::uuid for update`);
    await lock(first);
    recorded = api.send({ method: 'POST', url: '/api/bookings/record', payload, as: superAdmin });
    await waitUntil('the bookings to wait for the person', async () => {
      const waiting = await api.db.query(sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
      return waiting.length > 0;
    });
    await lock(second);
  });
  assert.equal((await recorded)?.statusCode, 200);
});
