import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ConsoleService {
  address: string;
  /** What it printed at its start. */
  welcome: string;
  /** Where its data are. */
  folder: string;
}

/**
 * The built program on the embedded default, in a folder of its own, on a free port unless the settings name one. The first start loads
 * the world: some seconds.
 */
export async function startService(settings: Record<string, string> = {}): Promise<ConsoleService & AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-console-'));
  // The tests of one person come faster than people do.
  const own = { PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error', RATE_LIMIT_USER: '100000', RATE_LIMIT_WRITES: '0' };
  const env = { PATH: process.env.PATH, ...own, ...settings };
  const child = spawn(process.execPath, ['dist/cli.js', 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const remove = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', remove);
  let welcome = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    welcome += text;
    if (welcome.includes('Ctrl+C')) break;
  }
  child.stdout.resume();
  const address = /ready at (\S+) /.exec(welcome)?.[1];
  if (address === undefined) throw new Error(`The service did not start: ${welcome}`);
  return {
    address,
    welcome,
    folder,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      process.off('exit', remove);
      remove();
    },
  };
}
