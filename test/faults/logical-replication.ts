import assert from 'node:assert/strict';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import { migrate } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { importFolder } from '../../src/import/import-folder.ts';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { buildCommandLine } from '../support/command-line.ts';
import { blocksIn } from '../support/documented-blocks.ts';
import { assertUpdates, makeWriters, post, sendUpdate } from '../support/killed-service.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { waitUntil } from '../support/wait-until.ts';
import { tryOften } from './try-often.ts';

const UPDATES = 50;

/** Bookings of each step, each recorded by itself: their sums are merged now and then. */
const BOOKINGS = 100;

/** A move to another server by publication and subscription, by the SQL of docs/database.md. */
export async function tryLogicalReplication(rounds: number): Promise<string[]> {
  return [await tryOften('a move to another server by logical replication', rounds, move)];
}

async function move(): Promise<string> {
  await using commandLine = buildCommandLine();
  await using from = await startPostgresServer({ wal_level: 'logical' });
  await using to = await startPostgresServer();
  const [publish = '', subscribe = '', ...finish] = blocksIn('docs/database.md', 'sql', 'Moving to another server');
  await using old = openPostgresDatabase({ url: from.url, maxConnections: 4 });
  await using next = openPostgresDatabase({ url: to.url, maxConnections: 4 });
  await migrate(old);
  await importFolder(old, 'demo');
  await migrate(next);
  const settings = { DATA_DIR: join(commandLine.folder, 'data'), JWT_SECRET: TEST_SECRET, LOG_LEVEL: 'warn' };
  const service = await commandLine.serve({ ...settings, DATABASE_URL: from.url });
  const writers = await makeWriters(commandLine, { ...settings, DATABASE_URL: from.url });
  const update = (times: number) =>
    Promise.all(
      writers.map(async (writer) => {
        for (let time = 0; time < times; time++) assert.equal((await sendUpdate(service, writer)).status, 200);
      }),
    );

  const staff = (
    await commandLine.run(['token', 'super.admin@orgdesk.example'], { ...settings, DATABASE_URL: from.url })
  ).stdout;
  // People with names: none of them updates the own profile here.
  const [traveller, leaver] = await old.query<{ id: string; companyId: string }>(sql`
    select id, company_id as "companyId" from users where email like '%.%@acme.example' order by email limit 2`);
  assert.ok(traveller && leaver);
  const { id, companyId } = traveller;
  let recorded = 0;
  async function sendAsStaff(path: string, body: object): Promise<void> {
    const answer = await post(service, `/api/${path}`, staff.trim(), body);
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
  }
  /** Records bookings, cancels some of them, and ends the link of a sign-in. */
  async function work(): Promise<void> {
    for (let count = 0; count < BOOKINGS; count++) {
      const booking = { companyId, userId: id, amount: '1.00' };
      await sendAsStaff('bookings/record', { bookings: [{ ...booking, id: `moved-${recorded++}` }] });
      if (count % 10 > 0) continue;
      const cancelled = { ...booking, id: `moved-${recorded - 1}`, status: 'CANCELLED' };
      await sendAsStaff('bookings/record', { bookings: [cancelled] });
    }
    await old.query(
      sql`insert into user_identities (issuer, subject, user_id) values ('https://id.example', ${id}, ${id})`,
    );
    await sendAsStaff('users/forget-sign-in', { id });
  }
  const writing = (times: number) => Promise.all([update(times), work()]);

  await old.query(sql([publish]));
  await writing(UPDATES);
  for (const statement of statementsOf(subscribe)) {
    await next.query(sql([statement.replace("'host=OLD dbname=orgdesk user=orgdesk_owner'", `'${from.url}'`)]));
  }
  await writing(UPDATES);
  const erased = await commandLine.run(['erase', leaver.id], { ...settings, DATABASE_URL: from.url });
  assert.equal(erased.code, 0, erased.stderr);
  await service.kill('SIGTERM');
  const figures = async (db: typeof old) => {
    const tables = await db.query<{ name: string }>(sql`
      select relname::text as name from pg_class
       where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`);
    const rows: string[] = [];
    for (const { name } of tables) {
      const [row] = await db.query<{ digest: string }>(sql`
        select count(*)::text || md5(coalesce(string_agg(row, ' ' order by row), '')) as digest
          from (select (to_jsonb(t) - ${name === 'bookings' ? 'position' : ''}::text)::text as row from ${raw(`"${name}"`)} t) rows`);
      rows.push(`${name} ${row?.digest}`);
    }
    return rows;
  };
  const published = await figures(old);
  await waitUntil('all is there', async () => (await figures(next)).join() === published.join());
  for (const statement of finish) await next.query(sql([statement]));

  await using moved = await commandLine.serve({ ...settings, DATABASE_URL: to.url });
  await assertUpdates(moved, writers);
  for (const writer of writers) assert.equal((await sendUpdate(moved, writer)).status, 200);
  const checked = await commandLine.run(['check'], { ...settings, DATABASE_URL: to.url });
  assert.equal(checked.code, 0, checked.stdout);
  const answered = writers.reduce((sum, writer) => sum + writer.answered, 0);
  return (
    `${published.length} tables equal; ${answered} updates answered, none lost; ${recorded} bookings, links of sign-ins ended, a person erased; ` +
    'the trail goes on'
  );
}

function statementsOf(block: string): string[] {
  return block
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
