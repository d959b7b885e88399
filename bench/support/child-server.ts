import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface ChildServer extends AsyncDisposable {
  port: number;
  pid: number;
}

/**
 * Starts a server in a process of its own and waits until it prints the port it listens on (`http://…:PORT`).
 *
 * @param processors as `taskset` takes them: the first alone, so that the load comes from the others, such as `0-3`
 */
export async function startServer(
  label: string,
  command: readonly string[],
  env: Record<string, string> = {},
  processors = '0',
): Promise<ChildServer> {
  const child = spawn('taskset', ['-c', processors, process.execPath, ...command], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await printedPort(label, child);
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

async function printedPort(label: string, child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new TypeError('The output of the server is not piped');
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /http:\/\/[\w.]+:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    child.stdout.resume();
    return Number(port);
  }
  throw new Error(`${label} ended before it listened`);
}
