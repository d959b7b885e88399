import type { IsWanted } from '../db/database.ts';
import { connectionError, MAX_WAITING, notWanted, queueFull, waitedTooLong } from '../db/database-errors.ts';
import { removeFrom } from '../lib/remove-from.ts';

/** Milliseconds between deadline checks. Time is counted in checks, so nothing expires while the whole process is stalled. */
export const LOOK_INTERVAL_MS = 100;
/** Maximum wait in the queue, and maximum running time after that. */
export const WAIT_LIMIT_MS = 2_000;
export const WORK_LIMIT_MS = 10_000;

/** Calls back once per interval, until disposed of. */
export type CallRegularly = (look: () => void) => Disposable;

/**
 * Runs work one at a time, with fair queueing: next comes the company that has used the least time, and of it the caller who has; first
 * in, first out for each caller. Short work of no company comes before all of them.
 */
export interface WorkQueue {
  /**
   * Runs work with deadlines for waiting and for running. Rejects if the queue is full; work that waited too long or is no longer wanted
   * never starts.
   */
  run<Result>(work: () => Promise<Result>, isWanted?: IsWanted): Promise<Result>;
  /** Runs work that may wait and run without limit. */
  runLong<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Returns whether nothing runs or waits. */
  isIdle(): boolean;
  /** Returns how many pieces of work have begun so far. */
  begun(): number;
  /**
   * Rejects waiting and new work.
   * @returns whether the running work ended within so many milliseconds
   */
  close(milliseconds: number): Promise<boolean>;
}

/** Short work has deadlines. */
type Length = 'short' | 'long';

interface Task {
  /** In queue time; infinite for long work. */
  deadline: number;
  readonly length: Length;
  readonly isWanted: IsWanted | undefined;
  begin(): Promise<void>;
  reject(error: Error): void;
}

/** Milliseconds that each piece of work costs besides the time that it uses. */
const PRICE = 1;

/** The time that each client has used, by its key. A client that comes anew, or again, starts where the one served last was. */
class Turns {
  readonly #used = new Map<string | undefined, number>();
  #clock = 0;

  enter(key: string | undefined): void {
    this.#used.set(key, Math.max(this.#used.get(key) ?? 0, this.#clock));
  }

  /** Returns the tasks of the client that has used the least time. */
  next(tasks: readonly Task[], keyOf: (task: Task) => string | undefined): Task[] {
    const usedBy = (task: Task) => this.#used.get(keyOf(task)) ?? 0;
    this.#clock = Math.min(...tasks.map(usedBy));
    const first = tasks.find((task) => usedBy(task) === this.#clock);
    return tasks.filter((task) => first !== undefined && keyOf(task) === keyOf(first));
  }

  charge(key: string | undefined, milliseconds: number): void {
    this.#used.set(key, (this.#used.get(key) ?? 0) + milliseconds);
  }
}

const companyOf = ({ isWanted }: Task) => isWanted?.share;
const callerOf = ({ isWanted }: Task) => isWanted?.member;

/**
 * Opens a queue for a resource that does one thing at a time.
 *
 * @param end aborts work that has passed its deadline; nothing else starts until it fulfils. Absent: running time is unlimited
 * @param time returns the time in milliseconds by which work is priced
 */
export function openWorkQueue(
  callRegularly: CallRegularly,
  end?: (error: Error) => Promise<void>,
  time: () => number = () => performance.now(),
): WorkQueue {
  let waiting: Task[] = [];
  let begun = 0;
  let running: Task | undefined;
  let isHeld = false;
  let closed: Error | undefined;
  let onIdle = () => {};
  let now = 0;
  /** Kept until nobody waits. */
  let companies = new Turns();
  const callers = new Map<string | undefined, Turns>();

  function enter(task: Task): void {
    const company = companyOf(task);
    const ofCompany = waiting.filter((each) => companyOf(each) === company);
    if (ofCompany.length === 0) companies.enter(company);
    const turns = callers.get(company) ?? new Turns();
    callers.set(company, turns);
    if (ofCompany.every((each) => callerOf(each) !== callerOf(task))) turns.enter(callerOf(task));
  }

  function isFirst({ length, isWanted }: Task): boolean {
    return isWanted?.share === undefined && length === 'short';
  }

  function takeNext(): Task | undefined {
    let task = waiting.find(isFirst);
    if (task === undefined && waiting.length > 0) {
      const ofCompany = companies.next(waiting, companyOf);
      task = callers.get(ofCompany[0]?.isWanted?.share)?.next(ofCompany, callerOf)[0];
    }
    if (task === undefined) return undefined;
    begun += 1;
    removeFrom(waiting, task);
    if (waiting.length === 0) {
      companies = new Turns();
      callers.clear();
    }
    return task;
  }

  function charge(task: Task, milliseconds: number): void {
    if (isFirst(task)) return;
    companies.charge(companyOf(task), PRICE + milliseconds);
    callers.get(companyOf(task))?.charge(callerOf(task), PRICE + milliseconds);
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
    const began = time();
    task.deadline = task.length !== 'short' || end === undefined ? Number.POSITIVE_INFINITY : now + WORK_LIMIT_MS;
    void task.begin().finally(() => {
      // Aborted work may settle much later.
      if (running !== task) return;
      running = undefined;
      charge(task, time() - began);
      advance();
    });
  }

  function add<Result>(work: () => Promise<Result>, length: Length, isWanted?: IsWanted): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (closed !== undefined) return reject(closed);
      if (length === 'short' && waiting.length >= MAX_WAITING) return reject(queueFull());
      const deadline = length === 'short' ? now + WAIT_LIMIT_MS : Number.POSITIVE_INFINITY;
      const task: Task = { deadline, length, isWanted, reject, begin: () => work().then(resolve, reject) };
      if (!isFirst(task)) enter(task);
      waiting.push(task);
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
    run: (work, isWanted) => add(work, 'short', isWanted),
    runLong: (work) => add(work, 'long'),
    isIdle: () => running === undefined && !isHeld && waiting.length === 0,
    begun: () => begun,
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
