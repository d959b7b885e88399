import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** Environment variables. */
export type Settings = Readonly<Record<string, string>>;

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** From the start of the process to its end. */
  milliseconds: number;
}

/** A command that runs. Disposing of it kills it. */
export interface Running extends AsyncDisposable {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Waits until standard output matches; rejects where the process ends before. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** What it has written to standard error so far. */
  log(): string;
  kill(signal: NodeJS.Signals): Promise<Ended>;
}

/** A service that answers. */
export interface Service extends Running {
  /** Such as `http://127.0.0.1:40001`. */
  readonly address: string;
  /** Milliseconds from the start of the process until it said that it is ready. */
  readonly readyAfter: number;
}

/** The program as it is installed, in a folder of its own. Disposing of it kills what still runs and removes the folder. */
export interface CommandLine extends AsyncDisposable {
  /** For the tests' own files as well. */
  readonly folder: string;
  start(words: readonly string[], settings: Settings, options?: { folder?: string }): Running;
  /** Runs a command to its end. */
  run(words: readonly string[], settings: Settings, options?: { folder?: string }): Promise<Ended>;
  /** Starts the service, on a free port unless the settings name one, and waits until it is ready. */
  serve(settings: Settings): Promise<Service>;
}

/** Node compiles WebAssembly quickly rather than well, where this process does too: what is started here lives for seconds. */
const QUICK_START = process.execArgv.filter((flag) => flag === '--liftoff-only');

/** In `npm test` others keep the machine busy, and with it the database. */
const BESIDE_TESTS: Settings = { DATABASE_TIMEOUT: '60000' };

const compileArguments = (folder: string) => ['--import', 'tsx', 'assets/program.ts', folder];

/** Builds the program into a folder, as `npm run build` does. */
export function compileProgram(folder: string): void {
  execFileSync(process.execPath, compileArguments(folder));
}

/** Does the same while this process does other things. */
export async function compileInBackground(folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, compileArguments(folder));
}

/** The program next to what it needs to run; compiled, unless `TEST_PROGRAM` names a folder in which {@link compileProgram} has. */
export function buildCommandLine(): CommandLine {
  const folder = mkdtempSync(join(tmpdir(), 'orgdesk-cli-'));
  const started: Running[] = [];
  const remove = () => {
    for (const running of started) void running.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', remove);
  // Without an end in order nothing would be cleaned up.
  const exit = () => process.exit(1);
  process.once('SIGTERM', exit);
  const { TEST_PROGRAM: compiled } = process.env;
  if (compiled === undefined) compileProgram(join(folder, 'dist'));
  else cpSync(compiled, join(folder, 'dist'), { recursive: true });
  for (const name of ['node_modules', 'migrations', 'demo', 'resources', 'openapi.json', 'docs', 'package.json']) {
    symlinkSync(resolve(name), join(folder, name));
  }
  const start: CommandLine['start'] = (words, settings, options = {}) => {
    const running = startProgram([join(folder, 'dist/cli.js'), ...words], settings, options.folder ?? folder);
    started.push(running);
    return running;
  };
  return {
    folder,
    start,
    run: (words, settings, options) => start(words, settings, options).ended,
    async serve(settings) {
      const began = performance.now();
      const running = start(['serve'], settings);
      const [, address = ''] = await running.said(/ready at (\S+) .*Ctrl\+C/s);
      return { ...running, address, readyAfter: performance.now() - began };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((running) => running.kill('SIGKILL')));
      process.off('exit', remove);
      process.off('SIGTERM', exit);
      remove();
    },
  };
}

function startProgram(words: readonly string[], settings: Settings, cwd: string): Running {
  const began = performance.now();
  // Nothing of the tests' own environment: no NODE_OPTIONS, no settings.
  const env = { PATH: process.env.PATH, PORT: '0', ...(process.env.TEST_PROGRAM && BESIDE_TESTS), ...settings };
  const child = spawn(process.execPath, [...QUICK_START, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });

  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    return { code, signal, stdout, stderr, milliseconds: performance.now() - began };
  });
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return {
    pid: child.pid ?? 0,
    ended,
    log: () => stderr,
    async said(pattern) {
      for (;;) {
        const match = pattern.exec(stdout);
        if (match) return match;
        const end = await Promise.race([once(child.stdout, 'data').then(() => undefined), ended]);
        if (end) throw new Error(`It ended (${end.code ?? end.signal}) before it said ${pattern}:\n${stdout}${stderr}`);
      }
    },
    kill,
    [Symbol.asyncDispose]: async () => void (await kill('SIGKILL')),
  };
}
