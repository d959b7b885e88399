import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { openBackup } from '../../src/backup/read-backup.ts';
import type { Database } from '../../src/db/database.ts';

/** A backup that the version before the baseline made of its demo, with rows in each table. */
export const LANDED_BACKUP = fileURLToPath(new URL('./landed-0066.backup', import.meta.url));
export const LANDED_SCHEMA = 66;

/** Returns all 49 migrations of that version as one script, with their checksums. */
export function landedSchema(): string {
  return gunzipSync(readFileSync(new URL('./schema-0066.sql.gz', import.meta.url))).toString();
}

/** Makes a database what it was in that version: its schema, the rows of the backup, and so many more bookings. */
export async function makeLandedDatabase(db: Database, url: string, bookings: number): Promise<void> {
  await db.session((session) => session.transaction((transaction) => transaction.run(landedSchema())));
  await using client = await connect(url);
  await using backup = await openBackup(LANDED_BACKUP);
  const reader = backup.read();
  await client.query('begin; set constraints all deferred');
  for (const { name, columns, rows } of backup.header.tables) {
    const names = columns.map((column) => `"${column}"`).join(', ');
    const copy = client.query(copyFrom(`copy ${name} (${names}) from stdin`));
    for await (const { text } of reader.take(rows)) copy.write(text);
    const finished = once(copy, 'finish');
    copy.end();
    await finished;
  }
  await client.query(`select setval(pg_get_serial_sequence('audit_changes', 'id'), max(id)) from audit_changes`);
  await client.query('commit');
  await client.query(`
    insert into bookings (id, company_id, user_id, amount)
    select 'more-' || number, company_id, id, 100 + number % 1000
      from generate_series(1, ${bookings}) number
      join (select row_number() over (order by id) - 1 as place, count(*) over () as people, id, company_id from users) person
        on person.place = number % person.people`);
  await client.query('vacuum analyze');
}

/** Statements such as an instance of that version sends, each by itself. */
export const LANDED_STATEMENTS = {
  'a profile': `
    select u.id, u.email, u.first_name, u.phone, u.date_of_birth::text, u.gender, u.address_line_1, u.pincode, c.legal_name, d.cost_code, b.code
      from users u join companies c on c.id = u.company_id join departments d on d.id = u.department_id
      join employee_bands b on b.id = u.band_id where lower(u.email) = 'employee@acme.example'`,
  'the departments of a company': `
    select id, name, budget::text, cost_code, (select count(*) from users where users.department_id = departments.id)
      from departments where company_id = (select company_id from users where email = 'employee@acme.example')
     order by name_folded collate "C", id limit 10`,
  'a page of companies': `
    select id, name, legal_name, gstin, credit_limit::text, credit_days, active from companies order by name_folded collate "C", id limit 10`,
  'an update of a profile': `
    with changed as (update users set pincode = '560001', updated_at = now() where email = 'employee@acme.example' returning id, company_id)
    insert into audit_changes (actor_kind, actor_id, request_id, action, entity, entity_id, user_id, company_id, fields)
    select 'user', id, 'upgrade', 'changed', 'user', id::text, id, company_id, array['pincode'] from changed`,
  'a booking': `
    insert into bookings (id, company_id, user_id, amount)
    select gen_random_uuid()::text, company_id, id, 10 from users where email = 'employee@acme.example'`,
} as const;

/** Milliseconds that the slowest of each statement took. */
export type Slowest = Record<string, number>;

/** Sends each of the statements again and again, on a connection each, until it is stopped. What fails is thrown at the stop. */
export async function sendAllTheTime(url: string): Promise<{ stop(): Promise<Slowest> }> {
  const stop = new AbortController();
  const slowest: Slowest = {};
  const loops = Object.entries(LANDED_STATEMENTS).map(async ([name, statement]) => {
    await using client = await connect(url);
    while (!stop.signal.aborted) {
      const began = performance.now();
      await client.query(statement);
      slowest[name] = Math.max(slowest[name] ?? 0, performance.now() - began);
      await sleep(5);
    }
  });
  // Each has been sent before anything else happens.
  await sleep(500);
  return {
    async stop() {
      stop.abort();
      await Promise.all(loops);
      return slowest;
    },
  };
}

async function connect(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
