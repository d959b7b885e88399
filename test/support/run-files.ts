import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { type FollowedFile, followFile } from './follow-file.ts';
import { endsFile, type WorkerMessage, type WorkerTask } from './test-messages.ts';
import { type Counts, type FileCost, type Tally, type TestOutput, testOutput } from './test-output.ts';

/** Test files that need the same settings. */
export interface Group {
  /** Where the tests run, named at each failure. */
  name: string;
  files: readonly string[];
  /** Environment variables that the files find, once what the tests need is there. */
  settings?: Promise<Settings>;
}

type Settings = Readonly<Record<string, string>>;

/** Milliseconds within which a test has to begin or end, so that a hanging one is named; ample, as cores may be busy with other things. */
const TEST_DEADLINE = 300_000;
/** How many times longer a long file may take. */
const LONG_FACTOR = 2;
/** Milliseconds within which a process has to end that has no more files, and one that has to clean up. */
const END_DEADLINE = 60_000;
const CLEANING_DEADLINE = 10_000;

const WORKER = fileURLToPath(new URL('./test-worker.ts', import.meta.url));
const REPORTER = new URL('./send-reports.ts', import.meta.url).href;

/**
 * Runs test files in two processes for each processor, as half of the time they wait for a database or a service; each runs many files,
 * one after the other, the groups in their order.
 * A file in which a test hangs, or that ends its process, has failed, and the files behind it run in another process.
 *
 * @param options `write`: takes what is printed; `testDeadline`: milliseconds for a test, absent: ample; `processes`: how many at a time
 * @returns one tally a group
 */
export async function runFiles(
  groups: readonly Group[],
  signal: AbortSignal,
  {
    write = (text: string): unknown => process.stdout.write(text),
    testDeadline = TEST_DEADLINE,
    processes = 2 * availableParallelism(),
  } = {},
): Promise<Tally[]> {
  const output = testOutput(write);
  const queues = groups.map((group) => ({
    ...group,
    files: [...group.files],
    tally: { passed: 0, failed: 0, costs: new Map<string, FileCost>(), interrupted: [] as string[] },
  }));
  // A rejection is reported where its turn comes.
  for (const { settings } of queues) settings?.catch(() => undefined);
  async function workOff(): Promise<void> {
    while (!signal.aborted && queues.some(({ files }) => files.length > 0))
      await runProcess(() => takeFile(queues, output), { output, testDeadline, signal });
  }
  const files = queues.reduce((sum, queue) => sum + queue.files.length, 0);
  await Promise.all(Array.from({ length: Math.min(processes, files) }, workOff));
  output.endLine();
  return queues.map(({ tally }) => tally);
}

interface Queue {
  name: string;
  /** Those that no process has taken yet. */
  files: string[];
  settings?: Promise<Settings>;
  tally: Tally;
}

/** A file, and what it runs with. */
interface Taken {
  queue: Queue;
  file: string;
  settings: Settings;
}

/** Takes the next file of the first group that has one, as soon as what the group needs is there. */
async function takeFile(queues: readonly Queue[], output: TestOutput): Promise<Taken | undefined> {
  for (;;) {
    const queue = queues.find(({ files }) => files.length > 0);
    if (queue === undefined) return undefined;
    try {
      const settings = (await queue.settings) ?? {};
      const file = queue.files.shift();
      if (file !== undefined) return { queue, file, settings };
    } catch (error) {
      if (queue.files.length > 0) output.fail(queue.tally, `${queue.name}: the tests could not be run`, inspect(error));
      queue.files.length = 0;
    }
  }
}

/** Runs files in one process until there are none left, or the process is not fit for another one. */
async function runProcess(
  take: () => Promise<Taken | undefined>,
  { output, testDeadline, signal }: { output: TestOutput; testDeadline: number; signal: AbortSignal },
): Promise<void> {
  const child = fork(WORKER, {
    execArgv: [
      ...process.execArgv.filter((flag) => !flag.startsWith('--test-')),
      `--test-reporter=${REPORTER}`,
      '--test-reporter-destination=stdout',
    ],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let hasFailed = false;
  let current: Taken | undefined;
  let followed: FollowedFile | undefined;
  let counts: Counts = { passed: 0, failed: 0 };
  let interruption: string | undefined;
  const taken: Taken[] = [];
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
  const awaitProgress = ({ file }: Taken) => {
    const milliseconds = file.includes('.long.') ? LONG_FACTOR * testDeadline : testDeadline;
    setDeadline(milliseconds, `none of its tests began or ended for ${milliseconds / 1000} seconds`);
  };
  const countFile = () => {
    hasFailed ||= counts.failed > 0;
    if (current !== undefined) {
      const { tally, name } = current.queue;
      if (interruption === undefined) {
        tally.passed += counts.passed;
        tally.failed += counts.failed;
      } else {
        tally.interrupted.push(current.file);
        output.print(`${name}: ${current.file} does not count: ${interruption}`);
      }
    }
    [counts, interruption] = [{ passed: 0, failed: 0 }, undefined];
  };
  let [began, used] = [performance.now(), 0];
  const next = async (processor = 0) => {
    clearTimeout(deadline);
    countFile();
    current?.queue.tally.costs.set(current.file, {
      wall: (performance.now() - began) / 1000,
      processor: processor - used,
    });
    [current, followed] = [undefined, undefined];
    const another = isFit && !signal.aborted ? await take() : undefined;
    if (another !== undefined && child.connected && !signal.aborted) {
      [began, used] = [performance.now(), processor];
      const { queue, file, settings } = another;
      current = another;
      followed = followFile(queue.name, file, counts, output);
      taken.push(another);
      child.send({ file, settings } satisfies WorkerTask);
      return awaitProgress(another);
    }
    another?.queue.files.unshift(another.file);
    if (child.connected) child.disconnect();
    setDeadline(END_DEADLINE, 'one of its files left a handle open at the end');
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
    if (current === undefined) return;
    awaitProgress(current);
    followed?.take(message);
    if (endsFile(message) && message.name === current.file) void next(message.processor);
  });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', output.print);
  const stop = () => kill(child);
  signal.addEventListener('abort', stop);
  void next();

  const [code, endSignal] = await ended;
  clearTimeout(deadline);
  signal.removeEventListener('abort', stop);
  if (signal.aborted) return;
  const ownEnd = isFit ? `its process ended with code ${code}` : 'it waits for what cannot come any more';
  const reason = tooLate ?? (endSignal ? `its process was ended by ${endSignal}` : ownEnd);
  const last = taken.at(-1);
  if (followed !== undefined) {
    followed.cutShort(reason);
    countFile();
  } else if (last !== undefined && (tooLate !== undefined || (code !== 0 && !hasFailed))) {
    const files = taken.map(({ file }) => file);
    output.fail(last.queue.tally, `${last.queue.name}: the process of ${files.join(', ')}`, reason);
  }
}

/** Has a process clean up and end, and ends it if it does not. */
function kill(child: ChildProcess): void {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), CLEANING_DEADLINE).unref();
}
