import { syncBuiltinESMExports } from 'node:module';
import type { TestContext } from 'node:test';
import { waitUntil } from './wait-until.ts';

/** The time of this process, which passes when it is told to. Disposing of it gives the process its own time again. */
export interface ManualClock extends Disposable {
  /** Milliseconds that have passed. */
  readonly now: number;
  /** Lets so many milliseconds pass, in which timers come due, and then all that can be done without more time. */
  pass(milliseconds: number): Promise<void>;
  /** Lets time pass until something has happened, so many milliseconds at a time, ten unless given. */
  passUntil(what: string, happened: () => boolean, step?: number): Promise<void>;
}

const STEP_MS = 10;

/**
 * Stops dates, `performance.now` and all timers but `setImmediate`, those that modules have imported from `node:timers/promises` too.
 *
 * @param mock of the test, at whose end time goes on again
 */
export function manualClock({ mock }: Pick<TestContext, 'mock'>, start = Date.now()): ManualClock {
  let now = 0;
  const { now: before } = performance;
  // Whole milliseconds: what is added to them and taken away again leaves no rest.
  const base = Math.ceil(performance.now());
  const { clearTimeout: clearReal } = globalThis;
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: start });
  const { clearTimeout: clearMocked } = globalThis;
  // Timers that were set before, such as those of idle connections of `fetch`, can still be cleared.
  globalThis.clearTimeout = (timer) => {
    clearReal(timer);
    clearMocked(timer);
  };
  syncBuiltinESMExports();
  performance.now = () => base + now;
  const pass = async (milliseconds: number) => {
    now += milliseconds;
    mock.timers.tick(milliseconds);
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  };
  return {
    pass,
    async passUntil(what, happened, step = STEP_MS) {
      await waitUntil(what, async () => {
        if (happened()) return true;
        await pass(step);
        return happened();
      });
    },
    get now() {
      return now;
    },
    [Symbol.dispose]() {
      performance.now = before;
      mock.timers.reset();
      syncBuiltinESMExports();
    },
  };
}
