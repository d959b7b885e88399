import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface ChildServer extends AsyncDisposable {
  port: number;
  pid: number;
}

export interface ServerProcess {
  /** Its environment; of this process's it has `PATH` alone. */
  env?: Readonly<Record<string, string>>;
  /** The file of its standard error; absent: that of this process. */
  log?: string;
  /** As `taskset` takes them: the first alone, so that the load comes from the others, such as `0-3`. */
  processors?: string;
}

/** Starts a server in a process of its own and waits until it prints the port it listens on (`http://…:PORT`). */
export async function startServer(
  label: string,
  command: readonly string[],
  { env = {}, log, processors = '0' }: ServerProcess = {},
): Promise<ChildServer> {
  const child = spawn('taskset', ['-c', processors, process.execPath, ...command], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', log === undefined ? 'inherit' : openSync(log, 'a')],
  });
  const port = await printedPort(label, child, log);
  return {
    port,
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The port that a server prints when it listens. @param log where it writes what went wrong */
export async function printedPort(label: string, child: ChildProcess, log?: string): Promise<number> {
  if (child.stdout === null) throw new TypeError('The output of the server is not piped');
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /http:\/\/[\w.]+:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    child.stdout.resume();
    return Number(port);
  }
  throw new Error(`${label} ended before it listened${log === undefined ? '' : `:\n${readFileSync(log, 'utf8')}`}`);
}
