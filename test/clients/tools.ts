import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const FOLDER = join('test', 'clients');
export const GENERATED = join(FOLDER, 'generated');
export const CONTRACT = '../../openapi.json';

const execute = promisify(execFile);

export function packageOf(name: string): { version: string; bin: string | Record<string, string> } {
  return JSON.parse(readFileSync(join(FOLDER, 'node_modules', name, 'package.json'), 'utf8'));
}

/** Returns the file of a package's command. */
function fileOf(name: string): string {
  const { bin } = packageOf(name);
  return join('node_modules', name, typeof bin === 'string' ? bin : (bin.tsc ?? Object.values(bin)[0] ?? ''));
}

/** Runs the command of a package. */
export async function run(node: string, name: string, words: readonly string[]): Promise<void> {
  await execute(node, [fileOf(name), ...words], { cwd: FOLDER, maxBuffer: 1e8 });
}

/** Starts the command of a package, and waits until it has printed a word. */
export async function start(node: string, name: string, words: readonly string[], said: string) {
  const child = spawn(node, [fileOf(name), ...words], { cwd: FOLDER, stdio: ['ignore', 'pipe', 'inherit'] });
  // It is read on, as the command goes on to print.
  await new Promise<void>((done) => child.stdout.on('data', (chunk) => String(chunk).includes(said) && done()));
  return {
    async [Symbol.asyncDispose]() {
      if (child.kill()) await once(child, 'exit');
    },
  };
}

/** Returns what a command has printed that failed, and nothing of one that has not. */
export function outputOf(running: Promise<void>): Promise<string> {
  return running.then(
    () => '',
    ({ stdout, message }: { stdout?: string; message: string }) => stdout || message,
  );
}

/** Installs packages of Debian, where a command fails without them. @throws Error with what is missing, if that is not possible */
export async function ensure(
  [program, ...words]: readonly [string, ...string[]],
  packages: readonly string[],
): Promise<void> {
  const isThere = await execute(program, words).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const installing = ['install', '--yes', '--no-install-recommends', ...packages];
  if (process.getuid?.() === 0) {
    await execute('apt-get', ['update']);
    await execute('apt-get', installing, { maxBuffer: 1e8 });
  }
  await execute(program, words).catch((error: Error) => {
    throw new Error(`${error.message.trim()}\nOn Debian, as root: apt-get update && apt-get ${installing.join(' ')}`);
  });
}
