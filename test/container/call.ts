import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Characters of what a command has said that are worth reading when it fails: the last ones. */
const LAST_WORDS = 4_000;
const MAX_MS = 20 * 60_000;

/** What a command has said. */
export interface CommandOutput {
  stdout: string;
  stderr: string;
}

/** Runs a command to its end. @throws Error with the end of what it has said where it fails, or takes too long */
export async function call(
  [command = '', ...words]: readonly string[],
  { env = {}, timeout = MAX_MS }: { env?: Readonly<Record<string, string>>; timeout?: number } = {},
): Promise<CommandOutput> {
  try {
    return await execute(command, words, { env: { ...process.env, ...env }, timeout, maxBuffer: 1e8 });
  } catch (error) {
    const { stdout = '', stderr = '', code } = error as Partial<CommandOutput> & { code?: unknown };
    const said = `${stdout}${stderr}`.slice(-LAST_WORDS);
    throw new Error(`${[command, ...words].join(' ').slice(0, LAST_WORDS)}: ${String(code)}\n${said}`, {
      cause: error,
    });
  }
}

/** Whether a command succeeds. */
export async function succeeds(words: readonly string[], timeout?: number): Promise<boolean> {
  return call(words, timeout === undefined ? {} : { timeout }).then(
    () => true,
    () => false,
  );
}
