import assert from 'node:assert/strict';
import { Agent, request as send } from 'node:http';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { buildCommandLine, type Service, type Settings } from '../support/command-line.ts';
import { freePorts } from '../support/free-port.ts';
import { childrenOf, isRunning } from '../support/process-tree.ts';
import { parseScrape } from '../support/scrape.ts';
import { openDemoDatabase } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';

const commandLine = buildCommandLine();
after(() => commandLine[Symbol.asyncDispose]());

const WORKERS = 2;
const DATA_DIR = join(commandLine.folder, 'data');
const EMPLOYEE = 'employee@acme.example';

function records(
  service: Service,
): { pid: number; level: number; msg: string; path?: string; worker?: number; workers?: number[] }[] {
  return service
    .log()
    .trimEnd()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Asks once on a connection of its own, as connections are what goes round among the workers. */
function ask(service: Service, path: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    send(service.address + path, { agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    })
      .once('error', reject)
      .end();
  });
}

/** How many profiles a worker has shown, by its metrics; undefined where it has shown none. */
async function profileViews(port: number): Promise<number | undefined> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const { figures } = parseScrape(await response.text());
  return figures.get('orgdesk_http_requests_total{operation="profile.view",status="200"}');
}

async function token(settings: Settings): Promise<Record<string, string>> {
  const { stdout } = await commandLine.run(['token', EMPLOYEE], settings);
  return { authorization: `Bearer ${stdout.trimEnd()}` };
}

describe('workers', { concurrency: false }, () => {
  it('serve at one address, with one welcome, and are replaced and stopped together', async () => {
    await using db = await openDemoDatabase();
    const metrics = await freePorts(WORKERS);
    const settings = { DATABASE_URL: db.url ?? '', DATA_DIR, JWT_SECRET: TEST_SECRET, WORKERS: String(WORKERS) };
    const bounds = { DATABASE_MAX_CONNECTIONS: '5', METRICS_PORT: String(metrics[0]) };
    await using service = await commandLine.serve({ ...settings, ...bounds });
    const workers = childrenOf(service.pid);
    assert.equal(workers.length, WORKERS);

    const headers = await token(settings);
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(service, '/api/users/profile', headers)));
    assert.deepEqual(new Set(answers), new Set([200]));
    const served = () => new Set(records(service).flatMap(({ pid, path }) => (path === undefined ? [] : [pid])));
    await waitUntil('the log', () => served().size === WORKERS);
    assert.deepEqual([...served()].sort(), workers.sort());
    const views = await Promise.all(metrics.map(profileViews));
    assert.equal(views[0] && views[1] && views[0] + views[1], 40, String(views));
    const [connections] = await db.query<{ count: number }>(sql`
      select count(*)::integer as count from pg_stat_activity
       where datname = current_database() and application_name = 'orgdesk' and query not like 'listen %'
         and pid <> pg_backend_pid()`);
    // Two and two of the five, beside those of this test.
    assert.ok((connections?.count ?? 99) <= 4 + (db.poolFigures?.().open ?? 0), JSON.stringify(connections));

    const [victim = 0] = workers;
    process.kill(victim, 'SIGKILL');
    await waitUntil('the worker that takes its place', () => {
      const now = childrenOf(service.pid);
      return now.length === WORKERS && !now.includes(victim);
    });
    const serving = () => records(service).filter(({ msg }) => msg === 'A worker is listening').length;
    await waitUntil('it to serve', () => serving() === WORKERS + 1);
    const death = records(service).find(({ msg }) => msg.startsWith('A worker exited'));
    assert.deepEqual([death?.worker, death?.level], [victim, 50]);
    assert.equal(await ask(service, '/readyz'), 200);
    // The one that has taken the place shows its own figures where the other did.
    const counting = async () => {
      const shown = await Promise.all(metrics.map(profileViews)).catch(() => []);
      return shown.length === WORKERS && shown.filter((count) => count !== undefined).length === WORKERS - 1;
    };
    await waitUntil('its metrics', counting);

    const all = childrenOf(service.pid);
    const ended = await service.kill('SIGTERM');
    assert.deepEqual([ended.code, ended.signal], [0, null], ended.stderr);
    assert.equal(ended.stdout.match(/orgdesk is ready/g)?.length, 1);
    // The first process says it for all of them.
    const stopping = records(service).filter(({ msg }) => /^Stop/.test(msg));
    assert.deepEqual(
      stopping.map(({ pid, msg }) => [pid, msg]),
      ['Stopping on SIGTERM', 'Stopped'].map((msg) => [service.pid, msg]),
    );
    for (const pid of all) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  });

  it('say first that they are not ready, and serve on meanwhile; the second SIGINT ends all at once', async () => {
    await using db = await openDemoDatabase();
    const settings = { DATABASE_URL: db.url ?? '', DATA_DIR, WORKERS: String(WORKERS), DRAIN_DELAY: '300' };
    await using service = await commandLine.serve(settings);
    const all = childrenOf(service.pid);
    process.kill(service.pid, 'SIGINT');
    // Each of them, whichever is asked.
    await waitUntil('all to be about to stop', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask(service, '/readyz')));
      return answers.every((status) => status === 503);
    });
    assert.equal(await ask(service, '/api/countries/list'), 200);
    await sleep(1_200);
    const { signal } = await service.kill('SIGINT');
    assert.equal(signal, 'SIGINT');
    await waitUntil('the workers to end', () => !all.some(isRunning));
  });

  it('are killed where they have not stopped by the deadline, and the log says which', async () => {
    await using db = await openDemoDatabase();
    const settings = { DATABASE_URL: db.url ?? '', DATA_DIR, WORKERS: String(WORKERS) };
    await using service = await commandLine.serve(settings);
    const [hung = 0] = childrenOf(service.pid);
    process.kill(hung, 'SIGSTOP');
    const began = performance.now();
    const { code } = await service.kill('SIGINT');
    assert.equal(code, 0);
    const took = performance.now() - began;
    assert.ok(took >= 9_500, `${took} ms`);
    const stopping = records(service).filter(({ pid, msg }) => pid === service.pid && /stop/i.test(msg));
    const killed = 'Workers have not stopped by the deadline: they are killed';
    assert.deepEqual(
      stopping.map(({ level, msg, workers }) => [level, msg, workers]),
      [
        [30, 'Stopping on SIGINT', undefined],
        [40, killed, [hung]],
        [30, 'Stopped', undefined],
      ],
    );
    assert.throws(() => process.kill(hung, 0), { code: 'ESRCH' });
  });

  it('count towards one limit together', async () => {
    await using db = await openDemoDatabase();
    const limits = { RATE_LIMIT_PUBLIC: '20', TRUST_PROXY: '127.0.0.1' };
    const settings = { DATABASE_URL: db.url ?? '', DATA_DIR, WORKERS: String(WORKERS), LOG_LEVEL: 'warn', ...limits };
    await using service = await commandLine.serve(settings);
    const from = (address: string) => ask(service, '/api/countries/list?search=a', { 'x-forwarded-for': address });
    let allowed = 0;
    // Connections go round: by then each has refused some.
    for (let refused = 0; refused < 6 && allowed < 40; ) {
      if ((await from('203.0.113.1')) === 200) [allowed, refused] = [allowed + 1, 0];
      else refused++;
      await sleep(100);
    }
    // What one has allowed the other knows a fifth of a second later. Alone, each would have allowed 20.
    assert.ok(allowed >= 20 && allowed < 40, `${allowed} were allowed`);
    assert.equal(await from('203.0.113.2'), 200);
  });

  it('end the service where one ends before all serve', async () => {
    await using db = await openDemoDatabase();
    const settings = { DATABASE_URL: db.url ?? '', DATA_DIR, WORKERS: String(WORKERS) };
    await using starting = commandLine.start(['serve'], settings);
    await waitUntil('a worker', () => childrenOf(starting.pid).length > 0);
    const [victim = 0] = childrenOf(starting.pid);
    process.kill(victim, 'SIGKILL');
    const { code, stdout, stderr } = await starting.ended;
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, new RegExp(`^Worker ${victim} ended \\(SIGKILL\\) before it served`, 'm'));
  });
});
