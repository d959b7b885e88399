import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { freePort } from '../support/free-port.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { checkTour, tourOfTheReadme } from '../support/tour.ts';
import { call } from './call.ts';
import { Container } from './container.ts';
import { type Engine, findEngine } from './engine.ts';
import { npmSettings } from './npm-settings.ts';
import { megabytes, type Results, sizesOf, writeResults } from './results.ts';

/*
 * Builds the image and runs it, in Docker where that answers, otherwise by buildah and podman, as root (Debian: apt-get install buildah podman debootstrap
 * runc). Ends with 1 where something is not as it should be. Writes docs/results/container.md.
 */
const MAX_BYTES = 250_000_000;
const MAX_MILLISECONDS = 10_000;
/** But for the volume and what is the system's. */
const WRITABLE_FOLDERS =
  "find / '(' -path /data -o -path /dev -o -path /proc -o -path /sys ')' -prune -o -type d -writable -print 2> /dev/null; true";
const VOLUMES = ['orgdesk-test-first', 'orgdesk-test-any', 'orgdesk-test-server'] as const;
const [FIRST, ANY, SERVER] = VOLUMES;

const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const loopback = { HOST: '127.0.0.1', PORT: String(port) };
const folder = mkdtempSync(join(tmpdir(), 'orgdesk-image-'));
const containers: Container[] = [];
const results: Results = { engine: '', sizes: [], times: [] };
let engine: Engine | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}
try {
  engine = await findEngine(folder);
  results.engine = engine.version;
  await build(engine);
  await firstLife(engine);
  await secondLife(engine);
  await anyUser(engine);
  await onServer(engine);
  writeResults(results);
} finally {
  await cleanUp();
}

async function cleanUp(): Promise<void> {
  for (const { name } of containers) await engine?.run('rm', '--force', name).catch(say);
  await engine?.run('volume', 'rm', '--force', ...VOLUMES).catch(say);
  await engine?.cleanUp().catch(say);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function build(engine: Engine): Promise<void> {
  const npmrc = join(folder, 'npmrc');
  writeFileSync(npmrc, await npmSettings(), { mode: 0o600 });
  const began = performance.now();
  await engine.build(npmrc);
  took('the build', performance.now() - began);
  results.sizes = await sizesOf(engine);
  const [[, bytes = 0] = []] = results.sizes;
  assert.ok(bytes <= MAX_BYTES, `the image has ${megabytes(bytes)}`);
  say(`the image has ${megabytes(bytes)}`);
}

/** The first start: what is there, who may do what, and the tour of the README. */
async function firstLife(engine: Engine): Promise<void> {
  const container = await start(engine, 'first', { volume: FIRST, settings: loopback });
  took('healthy after the first start', await container.healthy());
  const greeting = await container.greeting();
  assert.match(greeting, new RegExp(`^orgdesk is ready at ${address} `, 'm'));
  assert.doesNotMatch(greeting, /npm run/);

  const who = await container.execute('sh', '-c', `id -u; id -g; grep CapEff /proc/self/status; ${WRITABLE_FOLDERS}`);
  assert.equal(who.stdout, '10001\n0\nCapEff:\t0000000000000000\n');
  await assert.rejects(container.execute('sh', '-c', 'echo > /usr/local/x'), /Read-only file system/);
  await assert.rejects(container.execute('npm', '--version'), /not found/);

  const tour = tourOfTheReadme(address);
  const shell = ['bash', '--norc', '-euo', 'pipefail', '-c', container.shellFunction + tour];
  const { stdout, stderr } = await call(shell);
  checkTour(tour, stdout);
  assert.equal(stderr, '');
  say('it becomes healthy, has no rights, and walks the tour of the README');

  await assert.rejects(
    Container.run(engine, { volume: FIRST, settings: { ...loopback, PORT: '0' } }),
    /^The data folder \/data is in use by "orgdesk serve" \(pid 1.*, since .*\)\. Stop that process first, /m,
  );
  say('a second container on its volume is refused');

  assert.equal((await container.stop('SIGKILL')).code, 128 + 9);
}

/** After a SIGKILL, on the same volume. */
async function secondLife(engine: Engine): Promise<void> {
  const container = await start(engine, 'second', { volume: FIRST, settings: loopback });
  took('healthy after a SIGKILL', await container.healthy());
  const { phone, addressLine2 } = await profile(container);
  assert.deepEqual([phone, addressLine2], ['+91 00000 54321', 'Flat 3B']);
  say('what was written before a SIGKILL is there');
  await stop(container);
}

async function anyUser(engine: Engine): Promise<void> {
  const container = await start(engine, 'any', { volume: ANY, settings: loopback, user: '12345:0' });
  await container.healthy();
  assert.equal((await container.execute('id', '-u')).stdout, '12345\n');
  await profile(container);
  await stop(container);
  say('it runs as any user');
}

/** As compose.yaml has it, with the demo. */
async function onServer(engine: Engine): Promise<void> {
  await using server = await startPostgresServer();
  const settings = { ...loopback, DATABASE_URL: server.url, JWT_SECRET: TEST_SECRET, DEMO_DATA: 'true' };
  const container = await start(engine, 'server', { volume: SERVER, settings });
  took('healthy after the first start on a PostgreSQL server', await container.healthy());
  assert.match(await container.greeting(), /\(PostgreSQL server\)/);
  await profile(container);
  await stop(container);
  say('it runs on a PostgreSQL server');
}

async function start(engine: Engine, name: string, started: Parameters<typeof Container.start>[2]): Promise<Container> {
  const container = await Container.start(engine, `orgdesk-test-${name}`, started);
  containers.push(container);
  return container;
}

async function stop(container: Container): Promise<void> {
  const { code, milliseconds } = await container.stop('SIGTERM');
  const { stderr } = await container.logs();
  assert.equal(code, 0, stderr);
  assert.ok(milliseconds <= MAX_MILLISECONDS, `it took ${milliseconds} ms to stop`);
  assert.match(stderr, /"Stopped"/);
  took(`${container.name.replace('orgdesk-test-', '')}: SIGTERM to the end`, milliseconds);
}

async function profile(container: Container): Promise<Record<string, unknown>> {
  const { stdout: token } = await container.execute('orgdesk', 'token', 'employee@acme.example');
  const response = await fetch(`${address}/api/users/profile`, {
    headers: { authorization: `Bearer ${token.trim()}` },
  });
  assert.equal(response.status, 200);
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}

function took(what: string, milliseconds: number): void {
  results.times.push([what, milliseconds]);
}

function say(text: unknown): void {
  process.stdout.write(`${String(text)}\n`);
}
