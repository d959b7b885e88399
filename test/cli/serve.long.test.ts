import assert from 'node:assert/strict';
import { cpSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';
import { company, makeFolder } from '../import/folders.ts';
import { startCollector } from '../support/collector.ts';
import { buildCommandLine, type Ended, type Service, type Settings } from '../support/command-line.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { CITY_COUNT } from '../support/geography-lists.ts';
import type { TemplateName } from '../support/templates.ts';
import { openBlankDatabase, openDemoDatabase, testDatabaseKind } from '../support/test-database.ts';
import { waitUntil } from '../support/wait-until.ts';

const commandLine = buildCommandLine();
after(() => commandLine[Symbol.asyncDispose]());

const EMPLOYEE = 'employee@acme.example';
const folder = (name: string): string => join(commandLine.folder, name);

/** A folder with the compressed lists that the first start has made: to make them again takes seconds. */
async function makePreparedFolder(name: string, ...content: [TemplateName, ((db: Database) => Promise<unknown>)?]) {
  await makeDataFolder(folder(name), ...content);
  cpSync(join(folder('first'), 'geography'), join(folder(name), 'geography'), { recursive: true });
  return folder(name);
}
const withoutCompanies = (db: Database) => db.query(sql`truncate companies cascade`);

/** The log is all that may be on standard error: a JSON object a line, and none of a fault. */
function assertOnlyLog(text: string): void {
  for (const line of text.trimEnd().split('\n')) {
    const { level } = JSON.parse(line) as { level: number };
    assert.ok(level < 50, line);
  }
}

async function stop(service: Service, signal: 'SIGINT' | 'SIGTERM'): Promise<Ended> {
  const ended = await service.kill(signal);
  assert.equal(ended.code, 0, `${ended.signal} ${ended.stderr}`);
  assertOnlyLog(ended.stderr);
  assert.deepEqual(stopLines(ended), [`Stopping on ${signal}`, 'Stopped']);
  return ended;
}

/** The lines of the log that begin to tell of a stop, and all after them that are not about requests. */
function stopLines({ stderr }: Ended): string[] {
  const messages = stderr
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  return messages.slice(messages.findIndex((text) => text.startsWith('Stopping'))).filter((text) => text !== 'request');
}

async function profile(service: Service, settings: Settings, change?: object): Promise<Record<string, unknown>> {
  const { stdout } = await commandLine.run(['token', EMPLOYEE], settings);
  const response = await fetch(`${service.address}/api/users/${change ? 'update-profile' : 'profile'}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stdout.trimEnd()}`, 'content-type': 'application/json' },
    body: JSON.stringify(change ?? {}),
  });
  assert.equal(response.status, 200);
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}

async function cityCount(service: Service): Promise<unknown> {
  const response = await fetch(`${service.address}/api/cities/list?isPaginationNeeded=true&limit=1`);
  return ((await response.json()) as { pagination: { totalItems: number } }).pagination.totalItems;
}

/** The metrics of a service that does not take requests any more. */
async function lastScrape(service: Service, metrics: string): Promise<string> {
  while (await fetch(`${service.address}/livez`).catch(() => undefined)) await sleep(50);
  return (await fetch(metrics)).text();
}

function embeddedTests(): void {
  const settings = { DATA_DIR: folder('first') };
  let first: Service;

  test('the first serve loads the demo and prints addresses and requests that work', async () => {
    first = await commandLine.serve(settings);
    assert.equal(await cityCount(first), CITY_COUNT);
    const [text] = await first.said(/.*/s);
    const begun = `First start: making the database in ${settings.DATA_DIR} …\n`;
    assert.ok(text.startsWith(`${begun}orgdesk is ready at `), text);
    for (const part of [`embedded PostgreSQL in ${settings.DATA_DIR}`, `${first.address}/docs`, 'Ctrl+C stops it']) {
      assert.ok(text.includes(part), part);
    }
    for (const [, path = ''] of text.matchAll(/'http:\/\/[^/]+(\/\S+)'/g)) {
      assert.equal((await fetch(first.address + path)).status, 200, path);
    }
    assert.match(text, /token employee@acme\.example\)" http\S+\/api\/users\/profile$/m);
    assert.equal((await profile(first, settings, { firstName: 'Changed' })).firstName, 'Changed');
  });

  test('a second serve on the same data folder is refused with the pid of the first', async () => {
    const { code, stdout, stderr } = await commandLine.run(['serve'], settings);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      new RegExp(`^The data folder .* is in use by "orgdesk serve" \\(pid ${first.pid},.*DATA_DIR.*\\n$`),
    );
  });

  test('the second serve on a data folder loads nothing and keeps the changes', async () => {
    const lists = join(settings.DATA_DIR, 'geography');
    const complete = () => readdirSync(lists).filter((name) => /\.(?:br|gzip)$/.test(name)).length === 6;
    await waitUntil('the compressed lists', complete);
    const { stdout } = await stop(first, 'SIGTERM');
    assert.equal(stdout.split('\n').filter((line) => line.includes('First start')).length, 1);
    await using second = await commandLine.serve(settings);
    assert.equal((await profile(second, settings)).firstName, 'Changed');
    const ended = await stop(second, 'SIGINT');
    assert.match(ended.stdout, /^orgdesk is ready at /);
  });

  test('serve without the demo has no company, and prints how to import', async () => {
    const DATA_DIR = await makePreparedFolder('no demo', 'demo', withoutCompanies);
    await using service = await commandLine.serve({ DATA_DIR, DEMO_DATA: 'false' });
    const [text] = await service.said(/.*/s);
    assert.match(text, /orgdesk -- import FOLDER/);
    assert.doesNotMatch(text, /acme/);
    const { code } = await commandLine.run(['token', EMPLOYEE], { DATA_DIR });
    assert.equal(code, 1);
    const backup = folder('no demo.backup');
    const backedUp = await commandLine.run(['backup', backup], { DATA_DIR });
    assert.deepEqual([backedUp.code, backedUp.stderr], [0, '']);
    // The companies have gone, and their audit trail is there.
    const restored = await commandLine.run(['restore', backup], { DATA_DIR });
    assert.match(restored.stderr, /^Nothing was restored: the database has rows in audit_changes already/);
    assert.equal(await cityCount(service), CITY_COUNT);
    // Ctrl+C in a terminal comes twice, from the terminal and through npm.
    const stopped = stop(service, 'SIGINT');
    await sleep(5);
    void service.kill('SIGINT');
    await stopped;
  });

  test('serve stops despite a hanging client and an import, and reports metrics and traces to the end', async () => {
    await using collector = await startCollector();
    const observed = { METRICS_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'orgdesk-eu' };
    await using service = await commandLine.serve({ DATA_DIR: folder('no demo'), DEMO_DATA: 'false', ...observed });
    const rows = Array.from({ length: 120_000 }, (_, number) => company(number));
    await using files = await makeFolder({ 'companies.csv': rows });
    const client = connect(Number(new URL(service.address).port), '127.0.0.1');
    client.on('error', () => undefined).write('POST /api/cities/list HTTP/1.1\r\nHost: x\r\n');
    assert.equal((await fetch(`${service.address}/livez`)).status, 200);
    const [, metrics = ''] = await service.said(/Read the metrics {2}(http:\S+)/);

    await using importing = commandLine.start(['import', files.path], { DATA_DIR: folder('no demo') });
    await waitUntil('the import to begin', () => service.log().includes('"command":"import"'));
    const stopped = stop(service, 'SIGTERM');
    const last = await lastScrape(service, metrics);
    assert.match(last, /^orgdesk_ready 0$/m);
    assert.match(last, /^orgdesk_http_requests_total\{operation="health",status="200"\} [1-9]\d*$/m);
    await stopped;
    const { code, stderr } = await importing.ended;
    assert.deepEqual([code, stderr], [1, 'orgdesk was stopped before this was done.\n']);
    await assert.rejects(fetch(metrics));
    assert.ok(collector.spans.some(({ name }) => name === 'GET /livez'));
    assert.equal(collector.resources[0]?.['service.name'], 'orgdesk-eu');
  });

  test('serve stopped amid its first start is completed by the next one', async () => {
    const DATA_DIR = folder('stopped');
    const starting = commandLine.start(['serve'], { DATA_DIR, DEMO_DATA: 'false' });
    await starting.said(/First start/);
    const ended = await starting.kill('SIGTERM');
    assert.equal(ended.code, 0);
    assert.deepEqual(stopLines(ended), ['Stopping on SIGTERM', 'Stopped']);
    assert.doesNotMatch(ended.stdout, /ready/);
    await using service = await commandLine.serve({ DATA_DIR, DEMO_DATA: 'false' });
    assert.equal(await cityCount(service), CITY_COUNT);
  });
}

/** How many companies and bookings there are. */
async function amounts(db: Database): Promise<unknown> {
  return db.query(sql`
    select (select count(*)::integer from companies) as companies, (select count(*)::integer from bookings) as bookings`);
}

function serverTests(): void {
  test('of two serves that start simultaneously on an empty database one fills it, and both answer', async () => {
    await using db = await openBlankDatabase();
    const settings = { DATABASE_URL: db.url ?? '', DEMO_DATA: 'true', DATA_DIR: folder('two') };
    for (const service of await Promise.all([commandLine.serve(settings), commandLine.serve(settings)])) {
      assert.equal(await cityCount(service), CITY_COUNT);
      await profile(service, settings);
      await stop(service, 'SIGTERM');
    }
    await using seeded = await openDemoDatabase();
    assert.deepEqual(await amounts(db), await amounts(seeded));
  });

  test('serve on a database server loads no demo unless requested', async () => {
    await using db = await openDemoDatabase();
    await withoutCompanies(db);
    const settings = { DATABASE_URL: db.url ?? '', DATA_DIR: folder('server') };
    await using service = await commandLine.serve(settings);
    const [text] = await service.said(/.*/s);
    assert.match(text, /\(PostgreSQL server\).*import FOLDER/s);
    const password = new URL(settings.DATABASE_URL).password;
    assert.equal(text.includes(password), false);
    await stop(service, 'SIGINT');
    assert.equal((await db.query(sql`select from companies`)).length, 0);
  });

  test('serve stopped while it waits for a lock of the database ends without waiting for it', async () => {
    await using db = await openDemoDatabase();
    const settings = { DATABASE_URL: db.url ?? '', DATA_DIR: folder('server') };
    const { ended } = await db.transaction(async (transaction) => {
      await transaction.query(sql`lock table schema_version in access exclusive mode`);
      await using starting = commandLine.start(['serve'], settings);
      await waitUntil('it to wait for the lock', async () => {
        const [row] = await transaction.query<{ waiting: boolean }>(
          sql`select exists (select from pg_locks where not granted and relation = 'schema_version'::regclass) as waiting`,
        );
        return row?.waiting === true;
      });
      return { ended: await starting.kill('SIGTERM') };
    });
    assert.deepEqual([ended.code, ended.stdout], [0, '']);
    assert.deepEqual(stopLines(ended), ['Stopping on SIGTERM', 'Stopped']);
  });
}

describe(
  `serve on ${testDatabaseKind()}`,
  { concurrency: false },
  testDatabaseKind() === 'pglite' ? embeddedTests : serverTests,
);
