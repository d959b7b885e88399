import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { explainError, isSettingsFault } from '../commands/explain-error.ts';
import type { Config } from '../config/config.ts';
import { isDatabaseUnavailable } from '../db/database-errors.ts';

/** Milliseconds between two attempts. */
const RETRY_DELAY = 1_000;

/** Startup work that needs the database. */
export interface Starting {
  /** Why the work waits, for people; undefined: it is done. */
  readonly awaits: string | undefined;
  /** Rejects if the work fails for another reason than an unavailable database, and with the reason of `stop`. */
  readonly done: Promise<void>;
}

/**
 * Runs startup work that needs the database. While a database server is unavailable the work is retried in the
 * background, so that the service can serve what needs none.
 *
 * @param work gets whether it is the first attempt, before the service listens
 * @throws if the first attempt fails for another reason
 */
export async function startWithDatabase(
  work: (isFirst: boolean) => Promise<void>,
  config: Config,
  stop: AbortSignal,
  log: Logger,
): Promise<Starting> {
  const aborted = new Promise<never>((_, reject) => {
    stop.addEventListener('abort', () => reject(stop.reason), { once: true });
  });
  // A server that does not answer does not hold up the stop.
  const attempt = (isFirst: boolean) => Promise.race([work(isFirst), aborted]);
  const isAway = (error: unknown) =>
    config.databaseUrl !== undefined && isDatabaseUnavailable(error) && !isSettingsFault(error);

  async function tryAgain(): Promise<void> {
    for (;;) {
      // Unreferenced, so that the timer does not keep the process alive if the start fails elsewhere, as by a taken port.
      await sleep(RETRY_DELAY, undefined, { signal: stop, ref: false }).catch(() => stop.throwIfAborted());
      try {
        await attempt(false);
        log.info('The database is available');
        return;
      } catch (error) {
        if (!isAway(error)) throw error;
      }
    }
  }

  try {
    await attempt(true);
    return { awaits: undefined, done: Promise.resolve() };
  } catch (error) {
    if (!isAway(error)) throw error;
    const awaits = (explainError(error, config) as Error).message;
    log.warn({ reason: awaits }, 'The database is unavailable: serving the public lists, and retrying');
    const done = tryAgain();
    // Not an unhandled rejection: it is awaited once the service listens.
    done.catch(() => undefined);
    return { awaits, done };
  }
}
