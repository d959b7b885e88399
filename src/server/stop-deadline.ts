import type { Logger } from 'pino';

/**
 * Milliseconds after the drain delay by which a stop is over, whatever hangs: a database that does not answer, above all. What was
 * acknowledged is safe then. Each process leaves the one that waits for it the time to do its part.
 */
export const DEADLINE_MS = {
  /** Of a process that serves. */
  serving: 9_000,
  /** When workers that have not stopped are killed. */
  killing: 9_500,
  /** Of the process that has started the workers. */
  supervising: 10_500,
};

/** How long a log that nobody reads may keep a process from its end. */
const LAST_LINES_MS = 200;

/** Ends the process after so many milliseconds unless it has ended by then, and says so in the log. */
export function endProcessAfter(milliseconds: number, log: Logger): void {
  setTimeout(() => {
    log.warn({ milliseconds }, 'Not stopped by the deadline: what is left is cut off');
    log.flush(() => process.exit());
    setTimeout(() => process.exit(), LAST_LINES_MS);
  }, milliseconds).unref();
}

/** Waits until all lines of a log are written. */
export function flushed(log: Logger): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()));
}
