import sql, { raw } from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { listCompanies } from '../../src/features/companies/companies-queries.ts';
import { columnsToCopy, copyRows } from '../data/load-people.ts';
import { peopleFiles } from '../data/people.ts';
import { median } from '../support/medians.ts';

/** A booking of a new id, of the company that the list begins with. */
const INSERT = (company: string, user: string) => sql`
  insert into bookings (id, company_id, user_id, amount)
  values (gen_random_uuid()::text, ${company}::uuid, ${user}::uuid, 99.99)`;

/** Single bookings for one company, by writers on connections of their own. @returns bookings a second */
export async function writeSingly(url: string, writers: number, milliseconds: number): Promise<number> {
  await using db = openPostgresDatabase({ url, maxConnections: writers });
  const [target] = await db.query<{ company: string; users: string[] }>(sql`
    select company_id::text as company, json_agg(id) as users from users
     where company_id = (select id from companies order by name_folded collate "C", id limit 1) group by company_id`);
  if (target === undefined) throw new TypeError('The first company has no users');
  // Connections are made, and statements prepared, before the clock starts.
  await Promise.all(Array.from({ length: writers * 4 }, () => db.query(INSERT(target.company, target.users[0] ?? ''))));
  let written = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (performance.now() - began < milliseconds) {
        await db.query(INSERT(target.company, target.users[written++ % target.users.length] ?? ''));
      }
    }),
  );
  return written / ((performance.now() - began) / 1000);
}

/** Rows for {@link copyBookings}, made before the clock starts. */
export function bookingsToCopy(sizes: { companies: number; users: number; bookings: number }) {
  const file = peopleFiles({ ...sizes, roles: 0 }).find((known) => known.file === 'bookings.csv');
  if (file === undefined) throw new TypeError('There is no file of bookings');
  const pieces: string[] = [];
  for (let first = 0; first < file.rows; first += 5000) {
    pieces.push(copyRows(file, first, Math.min(first + 5000, file.rows)));
  }
  return { target: raw(columnsToCopy(file)), pieces };
}

/** All bookings by one COPY into an empty table. @returns milliseconds */
export async function copyBookings(
  db: Database,
  { target, pieces }: ReturnType<typeof bookingsToCopy>,
): Promise<number> {
  await db.query(sql`truncate bookings`);
  await db.query(sql`truncate company_counts`);
  await db.query(sql`checkpoint`);
  return db.session(async (session) => {
    const began = performance.now();
    await session.copyInto(
      target,
      (async function* () {
        yield* pieces;
      })(),
    );
    return performance.now() - began;
  });
}

/** The first page of the companies list. @returns its p50 in milliseconds */
export async function readPages(db: Database, times: number): Promise<number> {
  const took: number[] = [];
  for (let count = 0; count < times; count++) {
    const began = performance.now();
    const { items } = await listCompanies(db, {}, { page: 1, limit: 10 });
    took.push(performance.now() - began);
    if (items.length !== 10) throw new Error('The first page has not 10 companies');
  }
  return median(took);
}

/** @throws Error where a kept count is not what counting gives */
export async function checkCounts(db: Database): Promise<void> {
  const wrong = await db.query(sql`
    select from (select company_id, count(*) as count from bookings group by company_id) counted
      full join (select company_id, sum(change) as count from company_counts where counted = 'bookings'
                  group by company_id having sum(change) <> 0) kept using (company_id)
     where counted.count is distinct from kept.count`);
  if (wrong.length > 0) throw new Error(`${wrong.length} companies have wrong counts`);
}
