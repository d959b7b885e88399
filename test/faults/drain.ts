import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TEST_SECRET } from '../support/build-test-app.ts';
import { buildCommandLine, type Service } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { databaseUrl, makePostgresTemplates } from '../support/templates.ts';

const CLIENTS = 200;
/** Milliseconds that a client rests between two requests. */
const PAUSE = 250;
/** Seconds; HAProxy takes an instance out after 0.4, and later where processes wait for their turn. */
const DRAIN_DELAY = '2';
const LIMIT = 10_000;

/** Restarts two instances behind HAProxy in turn, under clients that keep their connections. */
export async function tryDraining(restarts: number): Promise<string[]> {
  await using server = await startPostgresServer();
  await using templates = await makePostgresTemplates(server.url);
  const url = databaseUrl(server.url, `${templates.prefix}_demo`);
  await using commandLine = buildCommandLine();
  const settings = { DATABASE_URL: url, DATA_DIR: join(commandLine.folder, 'data'), JWT_SECRET: TEST_SECRET };
  const token = (await commandLine.run(['token', 'employee@acme.example'], settings)).stdout.trim();
  const ports = [await freePort(), await freePort()] as const;
  const start = (instance: 0 | 1): Promise<Service> =>
    commandLine.serve({
      ...settings,
      PORT: String(ports[instance]),
      DRAIN_DELAY,
      DATABASE_TIMEOUT: '5000',
      LOG_LEVEL: 'warn',
    });
  const services = [await start(0), await start(1)];
  await using balancer = await startBalancer(ports);
  const clients = startClients(balancer.port, token);

  let slowest = 0;
  for (let round = 0; round < restarts; round++) {
    const instance = round % 2 === 0 ? 0 : 1;
    const began = performance.now();
    const ended = await services[instance]?.kill('SIGTERM');
    slowest = Math.max(slowest, performance.now() - began);
    assert.deepEqual([ended?.code, ended?.signal], [0, null], ended?.stderr);
    services[instance] = await start(instance);
    // HAProxy takes it back.
    await sleep(800);
  }
  const { requests, failures, connections } = await clients.end();
  for (const service of services) await service.kill('SIGTERM');
  const reasons = failures.length > 0 ? balancer.log().slice(0, 10) : [];
  for (const line of [...failures.slice(0, 5), ...reasons]) process.stderr.write(`drain: ${line}\n`);
  const held = failures.length === 0 && slowest < LIMIT;
  if (!held) process.exitCode = 1;
  const seen =
    `${requests} requests of ${CLIENTS} clients on ${connections} connections, ${failures.length} failed; ` +
    `the slowest stop took ${(slowest / 1000).toFixed(1)} s, ${DRAIN_DELAY} s of it the delay`;
  return [`| SIGTERM behind HAProxy, ${restarts} restarts of 2 instances in turn | ${held ? 1 : 0} of 1 | ${seen} |`];
}

/** Each sends one request after the other on its connection, until they are ended. */
function startClients(port: number, token: string) {
  const failures: string[] = [];
  const agents: Agent[] = [];
  const connections = new Set<unknown>();
  let [requests, isOver] = [0, false];

  function ask(agent: Agent, path: string, body?: string): Promise<string | undefined> {
    const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    return new Promise((resolve) => {
      const options = { agent, host: '127.0.0.1', port, path, headers, method: body ? 'POST' : 'GET', timeout: 20_000 };
      send(options, (response) => {
        response
          .resume()
          .once('end', () => resolve(response.statusCode === 200 ? undefined : `${path} ${response.statusCode}`));
        response.once('error', (error) => resolve(`${path} ${String(error)}`));
      })
        .once('socket', (socket) => connections.add(socket))
        .once('error', (error) => resolve(`${path} ${String(error)}`))
        .end(body);
    });
  }

  async function client(number: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    await sleep((number / CLIENTS) * PAUSE);
    for (let round = number; !isOver; round++) {
      const kind = round % 10;
      const failure =
        kind === 0
          ? await ask(agent, '/api/users/update-profile', JSON.stringify({ gender: `G ${number}` }))
          : await ask(agent, kind === 1 ? '/api/countries/list' : '/api/users/profile');
      requests += 1;
      if (failure !== undefined) failures.push(failure);
      await sleep(PAUSE);
    }
  }
  const running = Array.from({ length: CLIENTS }, (_, number) => client(number));
  return {
    async end() {
      isOver = true;
      await Promise.all(running);
      for (const agent of agents) agent.destroy();
      return { requests, failures, connections: connections.size };
    },
  };
}

interface Balancer extends AsyncDisposable {
  port: number;
  /** What it says of requests that failed. */
  log(): string[];
}

/** HAProxy on loopback. @throws where it is not installed */
async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  try {
    execFileSync('haproxy', ['-v'], { stdio: 'ignore' });
  } catch (cause) {
    throw new Error('haproxy is missing: apt-get install -y haproxy', { cause });
  }
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-haproxy-'));
  const port = await freePort();
  const lines = [
    'global',
    '  maxconn 1000',
    '  log stderr format raw local0 notice',
    'defaults',
    '  mode http',
    '  log global',
    '  option httplog',
    '  option log-separate-errors',
    '  timeout connect 2s',
    '  timeout client 30s',
    '  timeout server 30s',
    '  timeout check 2s',
    'frontend in',
    `  bind 127.0.0.1:${port}`,
    '  default_backend orgdesk',
    'backend orgdesk',
    '  option httpchk GET /readyz',
    '  option redispatch 1',
    '  default-server inter 200ms fall 2 rise 1',
    ...ports.map((each, index) => `  server instance${index} 127.0.0.1:${each} check`),
  ];
  writeFileSync(join(folder, 'haproxy.cfg'), `${lines.join('\n')}\n`);
  const child = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  await sleep(1_000);
  assert.equal(child.exitCode, null, 'HAProxy did not start');
  return {
    port,
    log: () => log.split('\n').filter((line) => line.includes(' HTTP/1.1"')),
    async [Symbol.asyncDispose]() {
      process.off('exit', kill);
      const exit = once(child, 'exit');
      kill();
      await exit;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
