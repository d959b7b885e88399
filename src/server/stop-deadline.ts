import type { Logger } from 'pino';

/**
 * Milliseconds after the drain delay at which the process exits, whatever hangs, such as an unresponsive database.
 * Acknowledged writes are durable by then.
 */
export const DEADLINE_MS = 9_000;

/** Milliseconds that flushing the log may delay the exit: its reader may have stopped reading. */
const LAST_LINES_MS = 200;

/** Exits the process after `milliseconds` unless it has ended by then, and logs a warning. */
export function endProcessAfter(milliseconds: number, log: Logger): void {
  setTimeout(() => {
    log.warn({ milliseconds }, 'Not stopped by the deadline: what remains is cut off');
    log.flush(() => process.exit());
    setTimeout(() => process.exit(), LAST_LINES_MS);
  }, milliseconds).unref();
}

/** Waits until all lines of a log are written. */
export function flushed(log: Logger): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()));
}
