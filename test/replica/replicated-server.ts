import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { keepServer, makeFolder, serverAccount } from '../support/postgres-server.ts';

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
  const account = serverAccount();
  const root = makeFolder(tmpdir(), account);
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
  const primary = await keepServer({
    binary: join(BIN, 'postgres'),
    flags: flagsOf(data, port),
    account,
    folders: [root],
  });
  const backup = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-D', replicaData];
  run('pg_basebackup', [...backup, '--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync']);
  let replica: AsyncDisposable | undefined;

  async function startReplica(): Promise<void> {
    // Its data stays when it ends: what goes then is this folder.
    const folder = join(root, 'run');
    mkdirSync(folder, { recursive: true });
    replica = await keepServer({
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
    stopReplica: async () => replica?.[Symbol.asyncDispose](),
    async [Symbol.asyncDispose]() {
      await replica?.[Symbol.asyncDispose]();
      await primary[Symbol.asyncDispose]();
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
