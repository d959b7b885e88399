import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import sql from 'sql-template-tag';
import { completeBookings } from '../../src/db/complete-bookings.ts';
import { migrate } from '../../src/db/migrator.ts';
import { insertRow, otherRows, uuid, validRows } from '../support/rows.ts';
import { openBlankDatabase } from '../support/test-database.ts';

/** Opens a database of the version before with 12,000 bookings of three people, of whom one is of another company. */
async function openFormer() {
  const db = await openBlankDatabase();
  await migrate(db, { version: 33 });
  for (const table of ['companies', 'departments', 'employee_bands', 'users'] as const) {
    await insertRow(db, table, validRows[table]);
  }
  for (const [table, row] of otherRows) if (table !== 'countries') await insertRow(db, table, row);
  await insertRow(db, 'departments', { ...validRows.departments, id: to, cost_code: 'TO' });
  await insertRow(db, 'users', { ...validRows.users, id: other, email: 'stays@acme.example', cost_center: 'CC' });
  await db.query(sql`
    insert into bookings (id, company_id, user_id, amount, created_at)
    select 'old ' || number, ${uuid(1)}::uuid, (array[${mover}, ${stranger}, ${other}])[number % 3 + 1]::uuid, 1.01,
           timestamptz '2026-01-31 23:00:00+00' + number * interval '1 second'
      from generate_series(1, 12000) number`);
  for (const name of ['0037.do.bookings-keep-their-origin.sql', '0066.do.origin-of-bookings.sql']) {
    const script = readFileSync(new URL(`../../migrations/${name}`, import.meta.url), 'utf8');
    await db.session((session) => session.transaction((transaction) => transaction.run(script)));
  }
  return db;
}

const [mover, stranger, other, to] = [uuid(31), uuid(32), uuid(33), uuid(13)];

/** Number of sums by department and month that differ from the bookings. */
const differing = sql`
  (select count(*)::integer from (
     select company_id, department_id, date_trunc('month', created_at at time zone 'UTC')::date, count(*), sum(amount)
       from bookings group by 1, 2, 3
     except
     select company_id, department_id, month, sum(bookings), sum(amount) from booking_sums group by 1, 2, 3) differing)`;

it('bookings from before get the department of their person, once, while people move and bookings change', async () => {
  await using db = await openFormer();
  // As instances of the version before do meanwhile.
  await db.query(sql`update users set department_id = ${to} where id = ${mover}`);
  await db.query(sql`update users set cost_center = 'Another' where id = ${other}`);
  await insertRow(db, 'bookings', { id: 'new', company_id: uuid(1), user_id: mover, amount: '5.00' });
  await db.query(sql`update bookings set amount = 2.02 where id = 'old 1'`);
  await db.query(sql`update bookings set amount = 3.03 where id = 'old 2'`);
  await db.query(sql`delete from bookings where id in ('old 3', 'old 5')`);
  await db.session((session) => completeBookings(session, db.kind));
  await db.session((session) => completeBookings(session, db.kind));

  const [found] = await db.query<{
    wrong: number;
    centers: string;
    moved: number;
    strangers: number;
    differing: number;
  }>(sql`
    select (select count(*)::integer from bookings
             where user_id <> ${stranger} and id <> 'new' and department_id is distinct from ${uuid(11)}) as wrong,
           (select string_agg(distinct cost_center, ',') from bookings) as centers,
           (select count(*)::integer from bookings where department_id = ${to}) as moved,
           (select count(*)::integer from bookings where user_id = ${stranger} and department_id is not null) as strangers,
           ${differing} as differing`);
  assert.deepEqual({ ...found }, { wrong: 0, centers: 'CC', moved: 1, strangers: 0, differing: 0 });
  const indexes = await db.query<{ name: string }>(sql`
    select indexname::text as name from pg_indexes where tablename = 'bookings' order by 1`);
  assert.deepEqual(
    indexes.map(({ name }) => name),
    ['bookings_department', 'bookings_made', 'bookings_pkey', 'bookings_updated', 'bookings_user'],
  );
});

it('a completion that is cut off in the middle goes on with the next start, and no booking is missed or summed twice', async () => {
  await using db = await openFormer();
  let pieces = 0;
  const cutOff = db.session((session) => {
    const query: typeof session.query = async (statement) => {
      if (statement.sql.includes('with piece as') && ++pieces === 3) {
        // As a kill of the process or of its connection: nothing of the session goes on, its locks are gone.
        if (db.kind === 'embedded') throw new Error('cut off');
        await session.query(sql`select pg_terminate_backend(pg_backend_pid())`);
      }
      return session.query(statement);
    };
    return completeBookings({ ...session, query }, db.kind);
  });
  await assert.rejects(cutOff);
  const [half] = await db.query<{ done: number; left: number }>(sql`
    select count(*) filter (where updated_at is not null)::integer as done,
           count(*) filter (where updated_at is null)::integer as left from bookings`);
  assert.deepEqual([half?.done, half?.left], [10_000, 2000]);
  await db.query(sql`update bookings set amount = 4.04 where id in ('old 1', 'old 9999')`);
  await db.query(sql`update users set department_id = ${to} where id = ${mover}`);
  await db.session((session) => completeBookings(session, db.kind));
  const [whole] = await db.query<{ left: number; moved: number; differing: number; total: string }>(sql`
    select (select count(*)::integer from bookings where updated_at is null) as left,
           (select count(*)::integer from bookings where department_id = ${to}) as moved, ${differing} as differing,
           (select sum(amount)::text from booking_sums) as total`);
  assert.deepEqual({ ...whole }, { left: 0, moved: 0, differing: 0, total: '12126.06' });
});
