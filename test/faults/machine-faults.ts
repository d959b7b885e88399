import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildCommandLine, type CommandLine, type Service, type Settings } from '../support/command-line.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { assertUpdates, makeWriters, sendUpdate, type Writer } from '../support/killed-service.ts';
import { MemoryGroup } from '../support/memory-group.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { databaseUrl, makePostgresTemplates } from '../support/templates.ts';
import { compressedLists } from './kill-faults.ts';
import { rounded, tryOften } from './try-often.ts';

const MEGABYTE = 1_000_000;
/** Bytes of the group in which the service runs. */
const ROOM = 512 * MEGABYTE;
/** Milliseconds. */
const LOAD_TIME = 10_000;
const RECOVERY_LIMIT = 5_000;

/** Takes memory until the kernel ends another process of its group. */
const HOG = "const kept = []; setInterval(() => kept.push(Buffer.alloc(20_000_000, 1)), 10); console.log('begun');";

/** Too little memory, a machine that stands still, and one that knows IPv6 alone. @param pause seconds for which the service is stopped */
export async function tryMachineFaults(rounds: number, pause: number): Promise<string[]> {
  await using commandLine = buildCommandLine();
  const DATA_DIR = await makeDataFolder(join(commandLine.folder, 'data'), 'demo');
  const embedded = { DATA_DIR, LOG_LEVEL: 'warn' };
  await using server = await startPostgresServer();
  await using templates = await makePostgresTemplates(server.url);
  const onServer = { ...embedded, DATABASE_URL: databaseUrl(server.url, `${templates.prefix}_demo`) };
  const rows: string[] = [];
  for (const [name, settings] of Object.entries({ 'embedded database': embedded, server: onServer })) {
    const row = async (what: string, run: () => Promise<string>) => {
      const one = await tryOften(`${what}, ${name}`, rounds, run);
      process.stderr.write(`${one}\n`);
      rows.push(one);
    };
    {
      await using _service = await commandLine.serve(settings);
      await compressedLists(DATA_DIR);
    }
    await row('out of memory amid updates: the kernel ends the service', () => runOutOfMemory(commandLine, settings));
    await row(`stopped for ${pause} s (SIGSTOP) amid updates`, () => stopFor(commandLine, settings, pause));
    await row(`${ROOM / MEGABYTE} MB of memory (cgroup)`, () => workIn(commandLine, settings));
  }
  rows.push(await tryOften('IPv6 alone (::1), server', rounds, () => useIpv6(commandLine, embedded)));
  return rows;
}

/** Updates until the service is gone or the signal comes; whatever is not a 200 does not count. */
async function updateUntil(service: Service, writers: readonly Writer[], signal: AbortSignal): Promise<number[]> {
  const others: number[] = [];
  const one = async (writer: Writer) => {
    while (!signal.aborted) {
      const status = await sendUpdate(service, writer).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status !== 200) others.push(status);
      if (status === 0) await Promise.race([service.ended, sleep(50)]);
    }
  };
  await Promise.all(writers.map(one));
  return others;
}

const answeredBy = (writers: readonly Writer[]) => writers.reduce((sum, { answered }) => sum + answered, 0);

async function answerSome(writers: readonly Writer[]): Promise<void> {
  const before = writers.map(({ answered }) => answered);
  while (writers.some(({ answered }, index) => answered < (before[index] ?? 0) + 3)) await sleep(5);
}

async function runOutOfMemory(commandLine: CommandLine, settings: Settings): Promise<string> {
  await using group = new MemoryGroup(ROOM);
  const service = await group.start(() => commandLine.serve(settings));
  const writers = await makeWriters(commandLine, settings);
  const over = new AbortController();
  const updates = updateUntil(service, writers, over.signal);
  await answerSome(writers);
  writeFileSync(`/proc/${service.pid}/oom_score_adj`, '1000');
  const hog = group.start(() => spawn(process.execPath, ['-e', HOG], { stdio: 'ignore' }));
  // The kernel may end it too.
  const gone = once(hog, 'exit');
  const { signal } = await service.ended;
  over.abort();
  hog.kill('SIGKILL');
  await Promise.all([gone, updates]);
  assert.equal(signal, 'SIGKILL');
  await using next = await commandLine.serve(settings);
  await assertUpdates(next, writers);
  return `${answeredBy(writers)} updates answered, none lost; ready ${rounded(next.readyAfter)} after the next start`;
}

async function stopFor(commandLine: CommandLine, settings: Settings, seconds: number): Promise<string> {
  await using service = await commandLine.serve(settings);
  const writers = await makeWriters(commandLine, settings);
  const over = new AbortController();
  const updates = updateUntil(service, writers, over.signal);
  await answerSome(writers);
  process.kill(service.pid, 'SIGSTOP');
  if (settings.DATABASE_URL === undefined) {
    const { code, stderr } = await commandLine.run(['serve'], settings);
    assert.equal(code, 1);
    assert.match(stderr, /is in use by/);
  }
  await sleep(seconds * 1_000);
  process.kill(service.pid, 'SIGCONT');
  const began = performance.now();
  await answerSome(writers);
  const took = performance.now() - began;
  assert.ok(took < RECOVERY_LIMIT, `It took ${rounded(took)} to come back.`);
  over.abort();
  const others = await updates;
  assert.ok(others.length <= 2 * writers.length, `${others.length} updates failed`);
  await assertUpdates(service, writers);
  return `everybody is answered again after ${rounded(took)}; ${answeredBy(writers)} updates answered, none lost, ${others.length} refused or broken off`;
}

async function workIn(commandLine: CommandLine, settings: Settings): Promise<string> {
  await using group = new MemoryGroup(ROOM);
  await using service = await group.start(() => commandLine.serve(settings));
  const writers = await makeWriters(commandLine, settings);
  const over = new AbortController();
  const updates = updateUntil(service, writers, over.signal);
  let searches = 0;
  const search = async () => {
    for (; !over.signal.aborted; searches++) {
      const response = await fetch(
        `${service.address}/api/cities/list?search=${'abcdefghij'[searches % 10]}a&limit=100`,
      );
      assert.equal(response.status, 200);
      await response.arrayBuffer();
    }
  };
  const searching = Promise.all([search(), search(), search()]);
  await sleep(LOAD_TIME);
  over.abort();
  assert.deepEqual(await updates, []);
  await searching;
  await assertUpdates(service, writers);
  return `${answeredBy(writers)} updates and ${searches} searches in ${LOAD_TIME / 1_000} s, all answered; at most ${Math.round(group.peak / MEGABYTE)} MB, files that are read included`;
}

async function useIpv6(commandLine: CommandLine, embedded: Settings): Promise<string> {
  await using server = await startPostgresServer({}, { address: '::1' });
  await using templates = await makePostgresTemplates(server.url);
  const DATABASE_URL = databaseUrl(server.url, `${templates.prefix}_demo`);
  const settings = { ...embedded, DATABASE_URL, HOST: '::1', METRICS_HOST: '::1', METRICS_PORT: '0' };
  await using service = await commandLine.serve(settings);
  assert.match(service.address, /^http:\/\/\[::1\]:\d+$/);
  const writers = await makeWriters(commandLine, settings);
  for (const writer of writers) assert.equal((await sendUpdate(service, writer)).status, 200);
  await assertUpdates(service, writers);
  const checked = await commandLine.run(['check'], settings);
  assert.equal(checked.code, 0, checked.stdout);
  return `${answeredBy(writers)} updates; orgdesk check finds nothing wrong`;
}
