import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.ts';
import type { Keeping } from '../support/postgres-keeper.ts';

/** A PostgreSQL server and its streaming replica, on loopback. Disposing of it, or any end of this process, stops both. */
export interface ReplicatedServer extends AsyncDisposable {
  /** Such as `15.14`. */
  readonly version: string;
  readonly url: string;
  readonly replicaPort: number;
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
}

const BIN = process.env.POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin';
const KEEPER = fileURLToPath(new URL('../support/postgres-keeper.ts', import.meta.url));
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  fsync: 'off',
  wal_level: 'replica',
  max_wal_senders: '5',
  wal_keep_size: '256MB',
};

export async function startReplicatedServer(): Promise<ReplicatedServer> {
  for (const program of ['initdb', 'postgres', 'pg_basebackup']) {
    if (!existsSync(join(BIN, program))) {
      throw new Error(`${join(BIN, program)} is missing: apt-get install -y postgresql-15, or set POSTGRES_BIN`);
    }
  }
  const root = mkdtempSync(join(tmpdir(), 'orgdesk-replica-'));
  const account = accountOf();
  if (account.uid !== undefined) chownSync(root, account.uid, account.gid);
  const run = (program: string, words: string[]) =>
    execFileSync(join(BIN, program), words, {
      ...account,
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
  const [port, replicaPort] = [await freePort(), await freePort()];
  const [data, replicaData] = [join(root, 'primary'), join(root, 'replica')];
  run('initdb', ['-D', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']);
  const primary = await start({ binary: join(BIN, 'postgres'), flags: flagsOf(data, port), account, folders: [root] });
  const backup = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-D', replicaData];
  run('pg_basebackup', [...backup, '--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync']);
  let replica: ChildProcess | undefined;

  async function startReplica(): Promise<void> {
    // Its data stays when it ends: what goes then is this folder.
    const folder = join(root, 'run');
    mkdirSync(folder, { recursive: true });
    replica = await start({
      binary: join(BIN, 'postgres'),
      flags: flagsOf(replicaData, replicaPort),
      account,
      folders: [folder],
    });
  }
  await startReplica();
  return {
    version: /(\d+\.\d+)/.exec(run('postgres', ['--version']))?.[1] ?? '',
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    replicaPort,
    startReplica,
    stopReplica: () => end(replica),
    async [Symbol.asyncDispose]() {
      await end(replica);
      await end(primary);
    },
  };
}

function flagsOf(data: string, port: number): string[] {
  return [
    '-D',
    data,
    '-p',
    String(port),
    ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

async function start(keeping: Keeping): Promise<ChildProcess> {
  const keeper = spawn(process.execPath, [...process.execArgv, KEEPER, JSON.stringify(keeping)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    keeper.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000);
      if (/ready to accept (?:read-only )?connections/.test(log)) resolve();
    });
    keeper.once('exit', () => reject(new Error(`The server did not start:\n${log}`)));
  });
  return keeper;
}

async function end(keeper: ChildProcess | undefined): Promise<void> {
  if (keeper === undefined || keeper.exitCode !== null) return;
  const exit = once(keeper, 'exit');
  keeper.stdin?.end();
  await exit;
}

/** PostgreSQL refuses to run as root: root lends it the account `nobody`. */
function accountOf(): Keeping['account'] {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
