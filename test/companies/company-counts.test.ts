import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import { type Reader, sqlState } from '../../src/db/database.ts';
import { listCompanies } from '../../src/features/companies/companies-queries.ts';
import { addCompany, addPerson, type TestCompany } from '../support/people.ts';
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts';

let db: TestDatabase;
const companies: TestCompany[] = [];
/** A person of each company. */
const people: string[] = [];

before(async () => {
  db = await openTestDatabase();
  for (const name of ['Acme', 'Globex', 'Initech', 'Umbrella']) companies.push(await addCompany(db, name));
});
after(() => db[Symbol.asyncDispose]());
beforeEach(async () => {
  await db.query(sql`truncate bookings`);
  await db.query(sql`delete from users`);
  people.length = 0;
  for (const company of companies) people.push((await addPerson(db, { company })).id);
});

/** Bookings of a company by its person. */
const book = (place: number, count = 1): Sql => sql`
  insert into bookings (id, company_id, user_id, amount)
  select gen_random_uuid()::text, ${companyAt(place)}::uuid, ${people[place]}::uuid, 1 from generate_series(1, ${count}::integer)`;
const companyAt = (place: number): string => companies[place]?.id ?? '';

/** What the list shows, which is to be what counting gives. @returns the bookings of each company */
async function assertExact(reader: Reader = db): Promise<number[]> {
  const { items } = await listCompanies(reader, {}, { page: 1, limit: 100 });
  const counted = await reader.query<{ id: string; users: number; bookings: number }>(sql`
    select id::text as id, (select count(*)::integer from users where company_id = companies.id) as users,
           (select count(*)::integer from bookings where company_id = companies.id) as bookings from companies`);
  const shown = new Map(items.map((item) => [item.id, item._count]));
  for (const { id, users, bookings } of counted) assert.deepEqual(shown.get(id), { users, bookings });
  return companies.map(({ id }) => shown.get(id)?.bookings ?? -1);
}

const undone = new Error('undone');

describe('the counts of companies', () => {
  it('the counts of a company follow added, moved and removed rows, one or many at a time', async () => {
    await db.query(book(0, 100));
    await db.query(book(1));
    assert.deepEqual(await assertExact(), [100, 1, 0, 0]);
    await db.query(
      sql`update bookings set company_id = ${companyAt(2)}::uuid where company_id = ${companyAt(0)}::uuid`,
    );
    assert.deepEqual(await assertExact(), [0, 1, 100, 0]);
    await db.query(sql`update bookings set amount = 2`);
    await db.query(
      sql`delete from bookings where id in (select id from bookings where company_id = ${companyAt(2)}::uuid limit 40)`,
    );
    assert.deepEqual(await assertExact(), [0, 1, 60, 0]);
    const { id, departmentId, bandId } = companies[3] ?? assert.fail();
    await db.query(sql`
      update users set company_id = ${id}::uuid, department_id = ${departmentId}::uuid, band_id = ${bandId}::uuid`);
    await assertExact();
    await db.query(sql`
      with gone as (delete from bookings where company_id = ${companyAt(2)}::uuid returning *)
      insert into bookings select id || '+', ${companyAt(3)}::uuid, user_id, amount, created_at from gone
      on conflict (id) do update set company_id = excluded.company_id`);
    assert.deepEqual(await assertExact(), [0, 1, 0, 60]);
  });

  it('the counts of a company follow COPY', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) => `${randomUUID()}\t${companyAt(n % 3)}\t${people[n % 3]}\t1\n`);
    await db.session((session) =>
      session.copyInto(
        sql`bookings (id, company_id, user_id, amount)`,
        (async function* () {
          yield rows.slice(0, 1000).join('');
          yield rows.slice(1000).join('');
        })(),
      ),
    );
    assert.deepEqual(await assertExact(), [1000, 1000, 1000, 0]);
  });

  it('the counts of a company are restored by a rollback, of all or to a savepoint', async () => {
    await db.query(book(0, 5));
    const work = db.transaction(async (transaction) => {
      await transaction.query(book(1, 7));
      await transaction.run('savepoint before');
      await transaction.query(sql`delete from bookings`);
      assert.deepEqual(await assertExact(transaction), [0, 0, 0, 0]);
      await transaction.run('truncate bookings');
      await transaction.run('rollback to before');
      assert.deepEqual(await assertExact(transaction), [5, 7, 0, 0]);
      throw undone;
    });
    await assert.rejects(work, undone);
    assert.deepEqual(await assertExact(), [5, 0, 0, 0]);
  });

  it('the counts of companies restart after TRUNCATE, under repeatable read too', async () => {
    await db.query(book(0, 5));
    await db.transaction(async (transaction) => {
      await transaction.run('set transaction isolation level repeatable read');
      await transaction.query(sql`select 1 from users limit 1`);
      if (db.url !== undefined) await db.query(book(1, 3));
      await transaction.run('truncate bookings');
      await transaction.query(book(2, 2));
    });
    assert.deepEqual(await assertExact(), [0, 0, 2, 0]);
    const work = db.transaction(async (transaction) => {
      // Heads of departments: by them TRUNCATE would reach the companies themselves.
      await transaction.run('alter table departments drop constraint departments_head; truncate users cascade');
      assert.deepEqual(await assertExact(transaction), [0, 0, 0, 0]);
      throw undone;
    });
    await assert.rejects(work, undone);
    assert.deepEqual(await assertExact(), [0, 0, 2, 0]);
  });

  it('the counts of companies take few rows after many statements, inside and outside a transaction', async () => {
    await db.transaction(async (transaction) => {
      for (let n = 0; n < 1500; n++) await transaction.query(book(n % 4 ? 0 : 1));
    });
    for (let n = 0; n < 500; n++) await db.query(book(0));
    assert.deepEqual(await assertExact(), [1625, 375, 0, 0]);
    const [{ rows } = { rows: -1 }] = await db.query<{ rows: number }>(
      sql`select count(*)::integer as rows from company_counts`,
    );
    // That none of 600 statements merges happens once in 12,000 runs.
    assert.ok(rows < 1200, `${rows} rows`);
  });

  it('the counts of companies are exact after many simultaneous writers, in every isolation level', async () => {
    const levels = ['read committed', 'read committed', 'repeatable read', 'serializable'];
    const pick = (below: number) => Math.floor(Math.random() * below);
    const writer = async (_: unknown, number: number) => {
      for (let n = 0; n < 25; n++) {
        const places = [pick(4), pick(4), pick(4)] as const;
        const work = db.transaction(async (transaction) => {
          await transaction.run(`set transaction isolation level ${levels[number % levels.length]}`);
          await transaction.query(book(places[0], 1 + pick(3)));
          await transaction.query(book(places[1]));
          await transaction.run('savepoint before');
          await transaction.query(sql`
            update bookings set company_id = ${companyAt(places[2])}::uuid
             where id in (select id from bookings order by random() limit 2 for update skip locked)`);
          if (n % 3 === 0) await transaction.run('rollback to before');
          await transaction.query(sql`
            delete from bookings where id in (select id from bookings order by random() limit 1 for update skip locked)`);
          if (n % 5 === 0) throw undone;
        });
        await work.catch((error: unknown) => {
          // Two on one booking, in the isolation levels that object to it.
          if (error !== undone && sqlState(error) !== '40001') throw error;
        });
      }
    };
    await Promise.all(Array.from({ length: 8 }, writer));
    await assertExact();
  });

  it('open transactions that write for the same companies do not wait for each other', async () => {
    if (db.url === undefined) return;
    let open = 0;
    let proceed = () => {};
    const allOpen = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    await Promise.all(
      [0, 1, 2, 3, 4, 5, 6, 7].map((number) =>
        db.transaction(async (transaction) => {
          await transaction.run(`set local lock_timeout = '5s'`);
          // Enough that each merges.
          for (let n = 0; n < 150; n++) await transaction.query(book(number % 2 ? n % 4 : 3 - (n % 4)));
          if (++open === 8) proceed();
          await allOpen;
        }),
      ),
    );
    assert.deepEqual(await assertExact(), [300, 300, 300, 300]);
  });

  it('the counts of a removed company leave no row behind', async () => {
    const company = await addCompany(db, 'Gone');
    const { id } = await addPerson(db, { company });
    await db.query(sql`delete from users where id = ${id}::uuid`);
    for (const table of ['departments', 'employee_bands']) {
      await db.query(sql`delete from ${raw(table)} where company_id = ${company.id}::uuid`);
    }
    await db.query(sql`delete from companies where id = ${company.id}::uuid`);
    assert.deepEqual([...(await db.query(sql`select from company_counts where company_id = ${company.id}::uuid`))], []);
  });

  it('the counts of companies refuse direct changes, and a restored dump does not double them', async () => {
    await db.query(book(0, 5));
    await db.query(sql`
      insert into company_counts (counted, company_id, change) values (${'bookings'}, ${companyAt(0)}::uuid, 100)`);
    assert.deepEqual(await assertExact(), [5, 0, 0, 0]);
    await assert.rejects(
      db.query(sql`select merge_company_counts('bookings', array[${join([companyAt(0)])}]::uuid[])`),
      (error) => sqlState(error) === '23001',
    );
  });

  it('the counts of companies follow a database role without rights on them, whatever its search path', async () => {
    const role = `orgdesk_writer_${process.pid}`;
    const work = db.transaction(async (transaction) => {
      await transaction.run(`
        create role ${role}; grant select, insert, update, delete on bookings, users, companies to ${role};
        create temporary table company_counts_bookings (id integer); set local search_path = '';
        set local role ${role};
        insert into public.bookings select n::text, '${companyAt(0)}', '${people[0]}', 1 from generate_series(1, 9) n;
        delete from public.bookings where id = '9';
        reset role; set local search_path = public`);
      assert.deepEqual(await assertExact(transaction), [8, 0, 0, 0]);
      throw undone;
    });
    await assert.rejects(work, undone);
  });
});
