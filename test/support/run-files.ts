import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { type FollowedFile, followFile } from './follow-file.ts';
import { endsFile, type WorkerMessage } from './test-messages.ts';
import { type Counts, type FileCost, type Tally, type TestOutput, testOutput } from './test-output.ts';

/** Test files that run in the same kind of process. */
export interface Group {
  /** Where the tests run, named at each failure. */
  name: string;
  files: readonly string[];
  /** Environment variables of the processes, once what the tests need is there. */
  settings?: Promise<Readonly<Record<string, string>>>;
}

/** In milliseconds; ample, because cores may be busy with other things. */
const FILE_DEADLINE = 1_800_000;
/** Milliseconds within which a process has to end that has no more files, and one that was told to clean up. */
const END_DEADLINE = 60_000;
const CLEANING_DEADLINE = 10_000;

const WORKER = fileURLToPath(new URL('./test-worker.ts', import.meta.url));
const REPORTER = new URL('./send-reports.ts', import.meta.url).href;

/**
 * Runs test files in two processes for each processor, as half of the time they wait for a database or a service; each runs many files
 * of one group, one after the other.
 * A file that takes too long or ends its process has failed, and the files behind it run in another process.
 *
 * @param options `write`: takes what is printed; `fileDeadline`: milliseconds for a file, absent: ample; `processes`: how many at a time
 * @returns one tally a group
 */
export async function runFiles(
  groups: readonly Group[],
  signal: AbortSignal,
  {
    write = (text: string): unknown => process.stdout.write(text),
    fileDeadline = FILE_DEADLINE,
    processes = 2 * availableParallelism(),
  } = {},
): Promise<Tally[]> {
  const output = testOutput(write);
  const queues = groups.map((group) => ({
    ...group,
    files: [...group.files],
    tally: { passed: 0, failed: 0, costs: new Map<string, FileCost>(), interrupted: [] as string[] },
  }));
  // It is told where its turn comes.
  for (const { settings } of queues) settings?.catch(() => undefined);
  async function workOff(): Promise<void> {
    for (;;) {
      const queue = queues.find(({ files }) => files.length > 0);
      if (queue === undefined || signal.aborted) return;
      try {
        await runProcess(queue, (await queue.settings) ?? {}, { output, fileDeadline, signal });
      } catch (error) {
        if (queue.files.length > 0)
          output.fail(queue.tally, `${queue.name}: the tests could not be run`, inspect(error));
        queue.files.length = 0;
      }
    }
  }
  await Promise.all(Array.from({ length: processes }, workOff));
  output.endLine();
  return queues.map(({ tally }) => tally);
}

interface Queue {
  name: string;
  /** Those that no process has taken yet. */
  files: string[];
  tally: Tally;
}

/** Runs files in one process until there are none left, or the process is not fit for another one. */
async function runProcess(
  { name, files, tally }: Queue,
  settings: Readonly<Record<string, string>>,
  { output, fileDeadline, signal }: { output: TestOutput; fileDeadline: number; signal: AbortSignal },
): Promise<void> {
  const child = fork(WORKER, {
    execArgv: [
      ...process.execArgv.filter((flag) => !flag.startsWith('--test-')),
      `--test-reporter=${REPORTER}`,
      '--test-reporter-destination=stdout',
    ],
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let hasFailed = false;
  let file: string | undefined;
  let followed: FollowedFile | undefined;
  let counts: Counts = { passed: 0, failed: 0 };
  let interruption: string | undefined;
  const taken: string[] = [];
  let isFit = true;
  let tooLate: string | undefined;
  let deadline: NodeJS.Timeout | undefined;

  const setDeadline = (milliseconds: number, reason: string) => {
    clearTimeout(deadline);
    deadline = setTimeout(() => {
      tooLate = reason;
      kill(child);
    }, milliseconds);
  };
  const countFile = () => {
    hasFailed ||= counts.failed > 0;
    if (interruption !== undefined && file !== undefined) {
      tally.interrupted.push(file);
      output.print(`${name}: ${file} does not count: ${interruption}`);
    } else {
      tally.passed += counts.passed;
      tally.failed += counts.failed;
    }
    [counts, interruption] = [{ passed: 0, failed: 0 }, undefined];
  };
  let [began, used] = [performance.now(), 0];
  const next = (processor = 0) => {
    countFile();
    if (file !== undefined)
      tally.costs.set(file, { wall: (performance.now() - began) / 1000, processor: processor - used });
    [began, used] = [performance.now(), processor];
    file = isFit && !signal.aborted ? files.shift() : undefined;
    followed = file === undefined ? undefined : followFile(name, file, counts, output);
    if (file === undefined) {
      if (child.connected) child.disconnect();
      setDeadline(END_DEADLINE, 'one of its files left a handle open at the end');
    } else {
      taken.push(file);
      child.send(file);
      setDeadline(fileDeadline, `it took longer than ${fileDeadline / 1000} seconds`);
    }
  };
  child.on('message', (message: WorkerMessage) => {
    if (message.type === 'drained') {
      isFit = false;
      return;
    }
    if (message.type === 'interrupted') {
      interruption ??= message.reason;
      return;
    }
    followed?.take(message);
    if (endsFile(message) && message.name === file) next(message.processor);
  });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', output.print);
  const stop = () => kill(child);
  signal.addEventListener('abort', stop);
  next();

  const [code, endSignal] = await ended;
  clearTimeout(deadline);
  signal.removeEventListener('abort', stop);
  if (signal.aborted) return;
  const byItself = isFit ? `its process ended with code ${code}` : 'it waits for what cannot come any more';
  const reason = tooLate ?? (endSignal ? `its process was ended by ${endSignal}` : byItself);
  if (followed !== undefined) {
    followed.cutShort(reason);
    countFile();
  } else if (tooLate !== undefined || (code !== 0 && !hasFailed)) {
    output.fail(tally, `${name}: the process of ${taken.join(', ')}`, reason);
  }
}

/** Tells a process to clean up and end, and ends it if it does not. */
function kill(child: ChildProcess): void {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), CLEANING_DEADLINE).unref();
}
