import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { printedPort } from '../support/child-server.ts';

export interface WatchedService extends AsyncDisposable {
  port: number;
  /** Does some work. @returns milliseconds of the longest turn of the service's event loop meanwhile */
  longestTurn(work: () => Promise<void>): Promise<number>;
}

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const service = file('../../dist/cli.js');

/** Starts the built service as `npm start` does, with these settings and its log in a file, and waits until it listens. */
export async function startWatched(settings: Record<string, string>, logFile: string): Promise<WatchedService> {
  await using log = await open(logFile, 'w');
  const child = spawn(process.execPath, ['--import', 'tsx', '--import', file('watch.ts'), service, 'serve'], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', log.fd, 'ipc'],
  });
  const exited = once(child, 'exit');
  const port = await printedPort('The service', child, logFile);
  async function tell(message: 'begin' | 'end'): Promise<unknown> {
    child.send(message);
    const [answer] = await once(child, 'message');
    return answer;
  }
  return {
    port,
    async longestTurn(work) {
      await tell('begin');
      await work();
      return Number(await tell('end'));
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
