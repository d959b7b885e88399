import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Account, serverAccount } from '../support/postgres-server.ts';

/**
 * A folder in which programs work. Disposing of it, and any end of this process, ends all that was started in it and removes it.
 */
export interface WorkingFolder extends AsyncDisposable {
  readonly path: string;
  /** Makes a folder in it that belongs to the account of the servers. */
  makeFolder(name: string): string;
  /** Starts a program in the folder of this name; what it writes is added to `logs/NAME.log`. */
  start(name: string, program: string, words: readonly string[], options?: StartOptions): ChildProcess;
  /** The logs stay when all else goes; gives their folder. */
  keepLogs(): string;
}

export interface StartOptions {
  settings?: Readonly<Record<string, string>>;
  /** Whether it runs by the account of this process. */
  isOurs?: boolean;
}

const KEEPER = fileURLToPath(new URL('./folder-keeper.ts', import.meta.url));

export function makeWorkingFolder(): WorkingFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'orgdesk-failover-')));
  const account: Account = serverAccount();
  const own = (folder: string) => {
    if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
  };
  own(path);
  const logs = join(path, 'logs');
  mkdirSync(logs);
  // Detached: Ctrl-C ends this process, and its end all the others.
  const keeper = spawn(process.execPath, [...process.execArgv, KEEPER, path], {
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
  });

  const makeFolder = (name: string): string => {
    const folder = join(path, name);
    if (!existsSync(folder)) {
      mkdirSync(folder, { mode: 0o700 });
      own(folder);
    }
    return folder;
  };
  return {
    path,
    makeFolder,
    start(name, program, words, { settings = {}, isOurs = false } = {}) {
      const folder = makeFolder(name);
      const log = openSync(join(logs, `${name}.log`), 'a');
      const env = { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', PYTHONUNBUFFERED: '1', ...settings };
      const options = { ...(isOurs ? {} : account), cwd: folder, env, detached: true };
      const child = spawn(program, words, { ...options, stdio: ['ignore', log, log] });
      closeSync(log);
      return child;
    },
    keepLogs() {
      keeper.stdin.write('keep logs\n');
      return logs;
    },
    async [Symbol.asyncDispose]() {
      if (keeper.exitCode !== null) return;
      const exit = once(keeper, 'exit');
      keeper.stdin.end();
      await exit;
    },
  };
}
