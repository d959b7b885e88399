/*
 * A process in which test files run one after the other, each as a suite: its hooks run with it, at its beginning and end.
 * Its parent sends a file with its settings, and gets the results of the tests from the reporter (send-reports.ts).
 */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WorkerMessage, WorkerTask } from './test-messages.ts';

type Register = (...given: unknown[]) => unknown;

const environment = { ...process.env };
/** What the file that is being imported has registered so far: it is part of the file's suite, which comes afterwards. */
let registered: (() => void)[] | undefined;

// What is in its place now is what an import gives, as long as this comes before the first one.
const nodeTest: typeof import('node:test') = createRequire(import.meta.url)('node:test');
const { describe, mock } = nodeTest;
for (const name of ['test', 'it', 'describe', 'suite', 'before', 'after', 'beforeEach', 'afterEach'] as const) {
  const register = nodeTest[name] as Register & Record<string, Register>;
  const deferred = Object.assign(deferring(register), register);
  for (const variant of ['skip', 'todo', 'only'] as const) {
    if (register[variant]) Object.assign(deferred, { [variant]: deferring(register[variant]) });
  }
  Object.assign(nodeTest, { [name]: deferred });
}

/** How often each file has run here: on another database it is imported anew. */
const runs = new Map<string, number>();

process.on('message', async ({ file, settings }: WorkerTask) => {
  restoreProcess();
  Object.assign(process.env, settings);
  // While a file runs, a test that waits for what cannot come any more ends the process, which is reported.
  process.channel?.unref();
  const calls: (() => void)[] = [];
  registered = calls;
  const url = pathToFileURL(resolve(file));
  const run = runs.get(file) ?? 0;
  runs.set(file, run + 1);
  if (run > 0) url.search = String(run);
  const failure = await import(url.href).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  registered = undefined;
  describe(file, () => {
    if (failure) throw failure.error;
    for (const call of calls) call();
  });
});

/** Nothing is left to wait for. */
const drained: WorkerMessage = { type: 'drained' };
process.on('beforeExit', () => process.connected && process.send?.(drained));

// The runner ends a process that takes too long by this signal.
process.once('SIGTERM', () => {
  process.stderr.write(`Still open: ${process.getActiveResourcesInfo().join(', ')}\n`);
  process.exit(1);
});

function deferring(register: Register): Register {
  return (...given) => (registered ? registered.push(() => register(...given)) : register(...given));
}

/** Makes the next file find what the first one has found, and not what the last one has left. */
function restoreProcess(): void {
  mock.reset();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
}
