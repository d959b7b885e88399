import type { IsWanted } from '../db/database.ts';
import { connectionError, MAX_WAITING, notWanted, queueFull, waitedTooLong } from '../db/database-errors.ts';

/** Milliseconds between deadline checks. Time is counted in checks, so nothing expires while the whole process is stalled. */
export const LOOK_INTERVAL_MS = 100;
/** Maximum wait in the queue, and maximum running time after that. */
export const WAIT_LIMIT_MS = 2_000;
export const WORK_LIMIT_MS = 10_000;

/** Calls back once per interval, until disposed of. */
export type CallRegularly = (look: () => void) => Disposable;

/**
 * Runs work one at a time, with fair queueing: the client served longest ago comes next, first in, first out for each client. Short work
 * of no client comes before all of them.
 */
export interface WorkQueue {
  /**
   * Runs work with deadlines for waiting and for running. Rejects if the queue is full; work that waited too long or is no longer wanted
   * never starts.
   */
  run<Result>(work: () => Promise<Result>, isWanted?: IsWanted): Promise<Result>;
  /** Runs work that may wait and run without limit. */
  runLong<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Rejects waiting and new work.
   * @returns whether the running work ended within so many milliseconds
   */
  close(milliseconds: number): Promise<boolean>;
}

interface Task {
  /** In queue time; infinite for long work. */
  deadline: number;
  readonly isLong: boolean;
  readonly isWanted: IsWanted | undefined;
  begin(): Promise<void>;
  reject(error: Error): void;
}

/**
 * Opens a queue for a resource that does one thing at a time.
 *
 * @param end aborts work that has passed its deadline; nothing else starts until it fulfils. Absent: running time is unlimited
 */
export function openWorkQueue(callRegularly: CallRegularly, end?: (error: Error) => Promise<void>): WorkQueue {
  let waiting: Task[] = [];
  let running: Task | undefined;
  let isHeld = false;
  let closed: Error | undefined;
  let onIdle = () => {};
  let now = 0;
  /** Number of the turn in which each client was last served, until nobody waits. */
  const turns = new Map<string | undefined, number>();
  let turn = 0;

  function lastTurn({ isLong, isWanted }: Task): number {
    if (isWanted?.share === undefined && !isLong) return -1;
    return turns.get(isWanted?.share) ?? 0;
  }

  function takeNext(): Task | undefined {
    let [chosen, least] = [0, Number.POSITIVE_INFINITY];
    for (const [at, task] of waiting.entries()) {
      const last = lastTurn(task);
      if (last < least) [chosen, least] = [at, last];
      if (last < 0) break;
    }
    const [task] = waiting.splice(chosen, 1);
    if (waiting.length === 0) turns.clear();
    if (task !== undefined && least >= 0) turns.set(task.isWanted?.share, ++turn);
    return task;
  }

  function advance(): void {
    while (running === undefined && !isHeld) {
      const task = takeNext();
      if (task === undefined) {
        onIdle();
        return;
      }
      if (task.isWanted?.() === false) task.reject(notWanted());
      else begin(task);
    }
  }

  function begin(task: Task): void {
    running = task;
    task.deadline = task.isLong || end === undefined ? Number.POSITIVE_INFINITY : now + WORK_LIMIT_MS;
    void task.begin().finally(() => {
      // Aborted work may settle much later.
      if (running !== task) return;
      running = undefined;
      advance();
    });
  }

  function add<Result>(work: () => Promise<Result>, isLong: boolean, isWanted?: IsWanted): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (closed !== undefined) return reject(closed);
      if (!isLong && waiting.length >= MAX_WAITING) return reject(queueFull());
      const deadline = isLong ? Number.POSITIVE_INFINITY : now + WAIT_LIMIT_MS;
      waiting.push({ deadline, isLong, isWanted, reject, begin: () => work().then(resolve, reject) });
      advance();
    });
  }

  function look(): void {
    now += LOOK_INTERVAL_MS;
    const late = waiting.filter(({ deadline }) => deadline <= now);
    if (late.length > 0) waiting = waiting.filter(({ deadline }) => deadline > now);
    for (const task of late) task.reject(waitedTooLong());
    if (running !== undefined && running.deadline <= now) void endRunning(running);
  }

  async function endRunning(task: Task): Promise<void> {
    const error = connectionError('DATABASE_TIMEOUT', `The database was at it for ${WORK_LIMIT_MS / 1000} s`);
    isHeld = true;
    running = undefined;
    task.reject(error);
    await end?.(error);
    isHeld = false;
    advance();
  }

  const looking = callRegularly(look);
  return {
    run: (work, isWanted) => add(work, false, isWanted),
    runLong: (work) => add(work, true),
    async close(milliseconds) {
      closed = connectionError('CONNECTION_CLOSED', 'The database was closed');
      for (const task of waiting.splice(0)) task.reject(closed);
      looking[Symbol.dispose]();
      if (running === undefined && !isHeld) return true;
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds, false);
        onIdle = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
    },
  };
}

/** Checks by the system clock. */
export const callByTheClock: CallRegularly = (look) => {
  const timer = setInterval(look, LOOK_INTERVAL_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
};
