import assert from 'node:assert/strict';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { median } from '../../bench/support/medians.ts';
import { openPGliteDatabase } from '../../src/embedded/pglite-database.ts';
import { processorTime, sizeOf } from '../soak/figures.ts';
import { openShiftedClock } from '../soak/shifted-clock.ts';
import { buildCommandLine, type Service } from '../support/command-line.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { makeWriters, post, sendUpdate } from '../support/killed-service.ts';
import { rounded, tryOften } from './try-often.ts';

/** What changes a database a lot. */
const [IMPORTS, PEOPLE, UPDATES] = [20, 5_000, 50_000];
/** Megabytes of the write-ahead log on the disk. */
const LOG_LIMIT = 192;
/** Starts of each kind, and how much dearer one after a kill may be. */
const [STARTS, DEARER] = [5, 1.4];
/** Requests with keys, of which so many come in 24 hours, and by how much their table may exceed its living rows. */
const [KEYED, ALIVE, LARGER] = [9_000, 500, 2];

/** What the keeper of the embedded database holds: its log, its start after a kill, a table whose rows come and go. Linux, with a C compiler. */
export async function tryKeeper(rounds: number): Promise<string[]> {
  return [
    ...(await tryLog(rounds)),
    await tryOften(`${KEYED} kept answers, ${ALIVE} of them in any 24 hours`, rounds, tryKeptAnswers),
  ];
}

async function tryLog(rounds: number): Promise<string[]> {
  await using commandLine = buildCommandLine();
  const dataDir = await makeDataFolder(join(commandLine.folder, 'data'), 'demo');
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMIT_USER: '0', RATE_LIMIT_WRITES: '0' };
  let service: Service = await commandLine.serve(settings);
  const writers = await makeWriters(commandLine, settings);
  const [admin] = writers;
  assert.ok(admin);
  const { body } = await post(service, '/api/users/profile', admin.token, {});
  const { id: companyId } = body.data.company as { id: string };
  let largest = 0;
  const noteLog = () => {
    largest = Math.max(largest, sizeOf(join(dataDir, 'postgres', 'pg_wal')));
  };
  let imports = 0;
  async function importPeople(): Promise<void> {
    imports += 1;
    const rows = Array.from({ length: PEOPLE }, (_, index) => `row-${index}@acme.example,Row,Of import ${imports}`);
    const response = await fetch(`${service.address}/api/users/import?companyId=${companyId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin?.token}`, 'content-type': 'text/csv' },
      body: `email,firstName,lastName\n${rows.join('\n')}\n`,
    });
    assert.equal(response.status, 200, await response.text());
    noteLog();
  }
  const start = async () => {
    service = await commandLine.serve(settings);
    return processorTime(service.pid);
  };

  const log = await tryOften(`${IMPORTS} imports of ${PEOPLE} people, and ${UPDATES} updates`, rounds, async () => {
    for (let count = 0; count < IMPORTS; count++) await importPeople();
    await Promise.all(
      writers.map(async (writer) => {
        for (let count = 0; count < UPDATES / writers.length; count++) {
          assert.equal((await sendUpdate(service, writer)).status, 200);
          if (count % 100 === 0) noteLog();
        }
      }),
    );
    assert.ok(largest <= LOG_LIMIT, `${largest} MB`);
    return `the write-ahead log took at most ${largest.toFixed(0)} MB`;
  });
  const starts = await tryOften('start after kill -9 amid updates, behind an import', rounds, async () => {
    const [killed, clean]: [number[], number[]] = [[], []];
    for (let count = 0; count < STARTS; count++) {
      await importPeople();
      const answers = Promise.allSettled(writers.map((writer) => sendUpdate(service, writer)));
      await service.kill('SIGKILL');
      await answers;
      killed.push(await start());
      await service.kill('SIGTERM');
      clean.push(await start());
    }
    const ratio = median(killed) / median(clean);
    const seen =
      `${rounded(median(killed))} of processor time, after a clean stop ${rounded(median(clean))}: ` +
      `× ${ratio.toFixed(2)} (medians of ${STARTS})`;
    assert.ok(ratio <= DEARER, seen);
    return seen;
  });
  await service.kill('SIGTERM');
  return [log, starts];
}

/** Sends bookings with keys through some days of a moved clock. */
async function tryKeptAnswers(): Promise<string> {
  using clock = openShiftedClock();
  await using commandLine = buildCommandLine();
  const dataDir = await makeDataFolder(join(commandLine.folder, 'data'), 'demo');
  const settings = { ...clock.settings, DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMIT_WRITES: '0' };
  const made = await commandLine.run(['key', 'Engine', '--scope', 'bookings.write'], settings);
  const [key = assert.fail(made.stdout + made.stderr)] = /odk_\w+/.exec(made.stdout) ?? [];
  const service = await commandLine.serve(settings);
  const [writer] = await makeWriters(commandLine, settings);
  const { body } = await post(service, '/api/users/profile', writer?.token ?? '', {});
  const { id: userId, company } = body.data as { id: string; company: { id: string } };
  for (let count = 0; count < KEYED; count++) {
    const booking = { id: `kept-${count}`, companyId: company.id, userId, amount: '1.00' };
    const send = () =>
      fetch(`${service.address}/api/bookings/record`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': `kept-${count}`,
        },
        body: JSON.stringify({ bookings: [booking] }),
      }).catch(() => undefined);
    let response = await send();
    // Deadlines pass with the clock, whatever the database does, and kept connections end.
    while (response === undefined || response.status === 503) response = await send();
    assert.equal(response.status, 200, await response.text());
    clock.pass(Math.round(86_400 / ALIVE));
  }
  await service.kill('SIGTERM');
  await using db = await openPGliteDatabase({ folder: join(dataDir, 'postgres') });
  const [row] = await db.query<{ size: number; rows: number; living: number }>(sql`
    select pg_relation_size('kept_answers')::integer as size, count(*)::integer as rows,
           sum(pg_column_size(kept_answers.*) + 4)::integer as living
      from kept_answers where at > (select max(at) from kept_answers) - interval '24 hours'`);
  assert.ok(row);
  const seen = `${row.size} bytes for ${row.rows} living rows of ${row.living}: × ${(row.size / row.living).toFixed(2)}`;
  assert.ok(row.size <= LARGER * row.living, seen);
  return seen;
}
