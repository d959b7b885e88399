import { once } from 'node:events';
import { relative, resolve } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';

export interface Tally {
  passed: number;
  failed: number;
}

/** What the runner tells about a test; of a file as a whole, where the name is the file's own path. */
interface TestReport {
  name: string;
  nesting: number;
  file?: string;
  /** On Node 20 these are of the compiled source: good to tell tests apart, not to show. */
  line?: number;
  column?: number;
  skip?: string | boolean;
  todo?: string | boolean;
  details?: { type?: string; error?: TestError };
}

/** `exitCode` and `signal` are there where a file's process has failed. */
type TestError = Error & { failureType?: unknown; exitCode?: unknown; signal?: unknown };

/** In milliseconds; ample, because cores may be busy with other things. */
const FILE_TIMEOUT = 240_000;
/** The runner's own summary, which comes as remarks. */
const RUNNER_TOTALS = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;
/** PGlite's stack traces quote whole lines of its minified source. */
const MAX_LINE = 2_000;

/**
 * Runs test files, each in a process of its own, two at a time; prints a dot for a test that passes and everything
 * about one that does not. A test that is skipped, still to do or never ends has failed, and so has a file without tests.
 *
 * @param group where the tests run, named at each failure
 */
export async function runFiles(group: string, files: string[], signal: AbortSignal): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  /** How often each test has begun and not ended yet, and where it is. */
  const running = new Map<string, { place: string; times: number }>();
  /** The names of the suites around a test and its own, by file. */
  const paths = new Map<string | undefined, string[]>();
  let dots = 0;

  const endLine = () => {
    if (dots > 0) process.stdout.write('\n');
    dots = 0;
  };
  const print = (text: string) => {
    endLine();
    process.stdout.write(`${text.trimEnd().split('\n').map(shorten).join('\n')}\n`);
  };
  const pass = () => {
    tally.passed++;
    process.stdout.write('.');
    if (++dots === 100) endLine();
  };
  const fail = (where: string, reason: string) => {
    tally.failed++;
    print(`\n✖ ${group}: ${where}\n${reason}`);
  };
  const place = (test: TestReport): string => {
    const file = relative('.', test.file ?? '');
    const path = (paths.get(test.file) ?? []).slice(0, test.nesting + 1);
    return isFile(test) ? file : `${file}: ${path.join(' › ')}`;
  };
  const count = (test: TestReport, change: number) => {
    const key = `${test.file}:${test.line}:${test.column} ${test.name}`;
    const { times } = running.get(key) ?? { times: 0 };
    running.set(key, { place: `${relative('.', test.file ?? '')}: ${test.name}`, times: times + change });
  };

  const stream = run({ files, concurrency: 2, timeout: FILE_TIMEOUT, signal });
  stream.on('test:enqueue', (test: TestReport) => count(test, 1));
  stream.on('test:complete', (test: TestReport) => count(test, -1));
  stream.on('test:start', (test: TestReport) => {
    const names = paths.get(test.file) ?? [];
    names[test.nesting] = test.name;
    paths.set(test.file, names);
  });
  stream.on('test:pass', (test: TestReport) => {
    if (test.skip !== undefined) fail(place(test), 'was skipped');
    else if (test.todo !== undefined) fail(place(test), 'is still to do');
    else if (isFile(test)) fail(place(test), 'has no tests');
    else if (test.details?.type !== 'suite') pass();
  });
  stream.on('test:fail', (test: TestReport) => {
    const error = test.details?.error;
    if (error?.failureType !== 'subtestsFailed') fail(place(test), reasonOf(error));
  });
  stream.on('test:stdout', ({ message }: { message: string }) => print(message));
  stream.on('test:stderr', ({ message }: { message: string }) => print(message));
  stream.on('test:diagnostic', ({ message }: { message: string }) => {
    if (!RUNNER_TOTALS.test(message)) print(message);
  });
  await once(stream.resume(), 'end');

  for (const { place: where, times } of running.values()) {
    if (times > 0 && !signal.aborted) fail(where, 'never ended: its process did before');
  }
  endLine();
  return tally;
}

/** Whether the report is about a file and not about a test in it. */
function isFile(test: TestReport): boolean {
  return test.nesting === 0 && test.file !== undefined && resolve(test.name) === test.file;
}

function reasonOf(error: TestError | undefined): string {
  const { exitCode, signal, failureType } = error ?? {};
  if (failureType === 'testTimeoutFailure') {
    return `${error?.message}: a test waits for what does not come, or a handle was left open at the end`;
  }
  if (typeof exitCode === 'number') return `its process ended with code ${exitCode}`;
  if (typeof signal === 'string') return `its process was ended by ${signal}`;
  return inspect(error?.cause ?? error, { depth: 10 });
}

function shorten(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)} …` : line;
}
