import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildBareApp } from '../support/bare-app.ts';
import { freePort } from '../support/free-port.ts';
import { listenOnLoopback } from '../support/loopback-server.ts';

/** A program of Debian, and how it is started with a configuration. */
interface Proxy {
  name: 'nginx' | 'haproxy';
  configure(documented: string, port: number, servicePort: number): string;
  parameters(configuration: string, folder: string): string[];
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    configure(documented, port, servicePort) {
      const block = documented
        .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
        .replace(/^ *ssl_certificate.*\n/gm, '')
        .replace('127.0.0.1:3000', `127.0.0.1:${servicePort}`);
      return `daemon off; pid nginx.pid; error_log stderr; events {}\nhttp { access_log off; gzip on; ${temporaryFolders('')}\n${block}}\n`;
    },
    parameters: (configuration, folder) => ['-e', 'stderr', '-p', folder, '-c', configuration],
  },
  {
    name: 'haproxy',
    configure(documented, port, servicePort) {
      const timeouts = 'timeout connect 5s\n  timeout client 60s\n  timeout server 60s';
      const frontend = `frontend all\n  bind 127.0.0.1:${port}\n  default_backend orgdesk`;
      return `defaults\n  mode http\n  ${timeouts}\n${frontend}\n${documented.replaceAll(/:300[01]/g, `:${servicePort}`)}`;
    },
    parameters: (configuration) => ['-db', '-f', configuration],
  },
];

const LIST = '/api/countries/list';
const PROFILE = '/api/users/profile';
/** Requests and bad tokens a minute. */
const LIMIT = 5;

/** Settings of nginx for the folders that an installed one has. */
export function temporaryFolders(path: string): string {
  return ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${path}${name};`)
    .join(' ');
}

/** Runs the blocks of docs/deployment.md in their proxies: callers are told apart, and none can choose an address. */
export async function checkProxies(folder: string): Promise<string[]> {
  for (const proxy of PROXIES) await checkProxy(proxy, folder);
  return PROXIES.map(({ name }) => name);
}

async function checkProxy(proxy: Proxy, folder: string): Promise<void> {
  const [documented = ''] = blocksOf(proxy.name);
  const limits = { RATE_LIMIT_PUBLIC: String(LIMIT), RATE_LIMIT_BAD_TOKENS: String(LIMIT) };
  const settings = { TRUST_PROXY: '127.0.0.1', ...limits };
  await using service = await buildBareApp({ settings, query: async () => [] });
  const received: IncomingHttpHeaders[] = [];
  await using listening = await listenOnLoopback(
    createServer((incoming, response) => {
      if (incoming.url !== '/readyz') received.push(incoming.headers);
      service.app.routing(incoming, response);
    }),
  );
  const port = await freePort();
  const configuration = join(folder, `${proxy.name}.conf`);
  writeFileSync(configuration, proxy.configure(documented, port, Number(new URL(listening.url).port)));
  await using _ = await start(proxy, configuration, folder, port, '/livez');
  const ask = caller(port);

  const first = await ask('127.0.0.2', '/livez');
  assert.equal(first.status, 200);
  assert.deepEqual(
    ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'].map((name) => received.at(-1)?.[name]),
    ['127.0.0.2', `127.0.0.1:${port}`, 'http'],
  );

  const lists = async (from: string, headers = {}) => statusesOf(2 * LIMIT, () => ask(from, LIST, headers));
  assert.deepEqual(await lists('127.0.0.2'), { 200: LIMIT, 429: LIMIT });
  assert.deepEqual(await lists('127.0.0.3'), { 200: LIMIT, 429: LIMIT }, 'callers are told apart');
  let claimed = 0;
  const claim = () => ({ 'x-forwarded-for': `203.0.113.${++claimed}` });
  assert.deepEqual(
    await statusesOf(2 * LIMIT, () => ask('127.0.0.4', LIST, claim())),
    { 200: LIMIT, 429: LIMIT },
    'nobody chooses an address',
  );
  assert.deepEqual(
    await statusesOf(2 * LIMIT, () => ask('127.0.0.5', PROFILE, { ...claim(), authorization: 'Bearer a.b.c' })),
    { 401: LIMIT, 429: LIMIT },
    'nor an address for bad tokens',
  );
  const long = await ask('127.0.0.6', PROFILE, { authorization: `Bearer ${'a'.repeat(8 * 1024 - 4)}.b.c` });
  assert.deepEqual([long.status, long.fromService], [401, true], 'a token of 8 KiB comes through');
}

/** Runs nginx with the block of docs/deployment.md that shows the service under a path. @returns that address */
export async function startUnderPath(folder: string, servicePort: number): Promise<AsyncDisposable & { url: string }> {
  const [proxy] = PROXIES;
  const [whole = '', underPath = ''] = blocksOf('nginx');
  const [path = ''] = /(?<=location )\S+(?=\/ )/.exec(underPath) ?? [];
  assert.ok(proxy && path !== '');
  const port = await freePort();
  const configuration = join(folder, 'under-a-path.conf');
  const documented = whole.replace(/^ {2}location .*?^ {2}\}\n/ms, () => underPath);
  writeFileSync(configuration, proxy.configure(documented, port, servicePort));
  return Object.assign(await start(proxy, configuration, folder, port, `${path}/livez`), {
    url: `http://127.0.0.1:${port}${path}`,
  });
}

/** Sends a request from an address of this machine. */
function caller(port: number) {
  return async (from: string, path: string, headers: Record<string, string> = {}) => {
    const sent = request({ host: '127.0.0.1', port, path, localAddress: from, headers, agent: false });
    const [response] = (await once(sent.end(), 'response')) as [import('node:http').IncomingMessage];
    response.resume();
    return { status: response.statusCode ?? 0, fromService: response.headers['x-request-id'] !== undefined };
  };
}

async function statusesOf(times: number, ask: () => Promise<{ status: number }>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let time = 0; time < times; time++) {
    const { status } = await ask();
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

function blocksOf(language: string): string[] {
  const page = readFileSync('docs/deployment.md', 'utf8');
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);
}

/** Starts a proxy, and waits until it answers. */
async function start(
  proxy: Proxy,
  configuration: string,
  folder: string,
  port: number,
  livez: string,
): Promise<AsyncDisposable> {
  const { program, libraries } = findProgram(proxy.name, folder);
  const child: ChildProcess = spawn(program, proxy.parameters(configuration, folder), {
    env: { ...process.env, LD_LIBRARY_PATH: libraries },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr?.on('data', (text) => {
    log += String(text);
  });
  const ask = caller(port);
  for (let isUp = false; !isUp; ) {
    assert.equal(child.exitCode, null, log);
    isUp = await ask('127.0.0.1', livez).then(
      // 502: nginx runs, and the service does not yet.
      ({ status }) => status === 200 || status === 502,
      () => false,
    );
    if (!isUp) await sleep(50);
  }
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** The installed program, or Debian's, which is unpacked into the folder with the libraries that are missing here. */
export function findProgram(name: Proxy['name'], folder: string): { program: string; libraries: string } {
  if (spawnSync(name, ['-v']).status === 0) return { program: name, libraries: '' };
  const archives = join(folder, `${name}-packages`);
  const root = join(folder, name);
  if (!existsSync(root)) {
    mkdirSync(join(archives, 'partial'), { recursive: true });
    const options = ['-o', `Dir::Cache::archives=${archives}`, '-o', 'Debug::NoLocking=1', '--no-install-recommends'];
    execFileSync('apt-get', ['install', '--download-only', '--yes', ...options, name], { stdio: 'pipe' });
    for (const archive of readdirSync(archives).filter((file) => file.endsWith('.deb')))
      execFileSync('dpkg', ['-x', join(archives, archive), root]);
  }
  // Where none is missing the packages have none.
  const found = existsSync(join(root, 'usr/lib')) ? readdirSync(join(root, 'usr/lib')) : [];
  const libraries = found.filter((directory) => directory.endsWith('-linux-gnu'));
  return {
    program: join(root, 'usr/sbin', name),
    libraries: libraries.map((directory) => join(root, 'usr/lib', directory)).join(':'),
  };
}
