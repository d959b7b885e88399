import { parseArgs } from 'node:util';
import sql from 'sql-template-tag';
import { terminalOutput } from '../../src/commands/terminal-output.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { UserError } from '../../src/lib/errors.ts';
import { loadPeople } from './load-people.ts';
import { SIZE_OPTIONS, sizesOf } from './sizes.ts';

/*
 * Fills the database of DATABASE_URL, migrated and without companies, with as many companies, users and bookings as a large
 * platform has: `npm run bench -- data`; less with `--small`, or `--users 100000 --bookings 1000000`.
 */
try {
  await main();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: SIZE_OPTIONS });
  const sizes = sizesOf(values, 'large');
  const url = process.env.DATABASE_URL;
  if (!url) throw new UserError('DATABASE_URL is not set: it names the PostgreSQL database to fill.');
  await using db = openPostgresDatabase({ url, maxConnections: 1 });
  await refuseUnlessEmpty(url);
  using output = terminalOutput();
  const began = performance.now();
  await loadPeople(db, sizes, (report) => output.progress(report));
  await db.query(sql`vacuum analyze`);
  const [largest] = await db.query<{ users: number; bookings: number }>(sql`
    select max(count) filter (where counted = 'users')::integer as users,
           coalesce(max(count) filter (where counted = 'bookings'), 0)::integer as bookings
      from (select counted, sum(change) as count from company_counts group by counted, company_id) company`);
  const seconds = Math.round((performance.now() - began) / 1000);
  output.print(
    `${sizes.companies} companies, ${sizes.users} users with a role each, ${sizes.bookings} bookings in ${seconds} s. ` +
      `The largest company has ${largest?.users ?? 0} users and ${largest?.bookings ?? 0} bookings.`,
  );

  async function refuseUnlessEmpty(address: string): Promise<void> {
    const shown = new URL(address);
    shown.password = '';
    const [schema] = await db.query<{ there: boolean }>(sql`select to_regclass('company_counts') is not null as there`);
    if (!schema?.there)
      throw new UserError(`${shown.href} has not the present schema: run "orgdesk migrate" on it first.`);
    const companies = await db.query(sql`select from companies limit 1`);
    if (companies.length > 0) throw new UserError(`${shown.href} has companies already: name a database without any.`);
  }
}
