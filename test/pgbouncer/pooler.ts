import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';

/** PgBouncer on loopback, in transaction mode, before one database. Disposing of it ends it and removes its files. */
export interface Pooler extends AsyncDisposable {
  /** Such as `1.18.0`. */
  readonly version: string;
  /** The address of the database through it. */
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const PROGRAM = '/usr/sbin/pgbouncer';

/** The version of the installed PgBouncer. @throws where there is none */
function installedVersion(): string {
  try {
    return /PgBouncer (\S+)/.exec(execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' }))?.[1] ?? 'unknown';
  } catch (cause) {
    throw new Error(`${PROGRAM} is missing: apt-get install -y pgbouncer`, { cause });
  }
}

/** @param poolSize connections to the server, at most */
export async function startPooler(databaseUrl: string, poolSize: number): Promise<Pooler> {
  const version = installedVersion();
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-pgbouncer-'));
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl);
  const port = await freePort();
  writeFileSync(join(folder, 'userlist.txt'), `"${username}" "${password}"\n`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    [
      '[databases]',
      `${pathname.slice(1)} = host=${hostname} port=${serverPort} dbname=${pathname.slice(1)}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'pool_mode = transaction',
      'auth_type = scram-sha-256',
      `auth_file = ${join(folder, 'userlist.txt')}`,
      `default_pool_size = ${poolSize}`,
      'max_client_conn = 200',
      'log_connections = 0',
      'log_disconnections = 0',
      'log_stats = 0',
      '',
    ].join('\n'),
  );
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? nobody() : undefined;
  for (const name of ['', 'userlist.txt', 'pgbouncer.ini']) {
    if (account) chownSync(join(folder, name), account.uid, account.gid);
  }
  let running: ChildProcess | undefined;

  async function stop(): Promise<void> {
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const exit = once(running, 'exit');
    running.kill('SIGKILL');
    await exit;
  }
  async function start(): Promise<void> {
    const child = spawn(PROGRAM, [join(folder, 'pgbouncer.ini')], { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
    running = child;
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-5_000);
    });
    for (let round = 0; round < 100 && !log.includes('process up'); round++) {
      if (child.exitCode !== null) break;
      await sleep(50);
    }
    if (!log.includes('process up')) throw new Error(`PgBouncer did not start:\n${log}`);
  }
  process.once('exit', () => running?.kill('SIGKILL'));
  await start();
  const url = new URL(databaseUrl);
  url.port = String(port);
  return {
    version,
    url: url.href,
    stop,
    start,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function nobody(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
