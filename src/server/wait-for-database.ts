import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { explainError, isSettingsFault } from '../commands/explain-error.ts';
import type { Config } from '../config/config.ts';
import { isDatabaseUnavailable } from '../db/database-errors.ts';

/** Milliseconds between two attempts. */
const RETRY_DELAY = 1_000;

/** Work at the start that needs the database. */
export interface Starting<Result> {
  /** Why it is not done yet, in words; undefined: it is. */
  readonly awaits: string | undefined;
  /** Rejects where the work fails for another reason than that the database is away, and with the reason of a stop. */
  readonly done: Promise<Result>;
}

/**
 * Tries work that needs the database. Where a database server is away it is tried again until it succeeds, and the service can
 * serve meanwhile what needs none.
 *
 * @throws where the first attempt fails for another reason
 */
export async function startWithDatabase<Result>(
  work: () => Promise<Result>,
  config: Config,
  stop: AbortSignal,
  log: Logger,
): Promise<Starting<Result>> {
  const isAway = (error: unknown) =>
    config.databaseUrl !== undefined && isDatabaseUnavailable(error) && !isSettingsFault(error);

  async function tryAgain(): Promise<Result> {
    for (;;) {
      // Where the service ends otherwise, as its port is taken, this does not keep the process.
      await sleep(RETRY_DELAY, undefined, { signal: stop, ref: false }).catch(() => stop.throwIfAborted());
      try {
        const result = await work();
        log.info('The database is there');
        return result;
      } catch (error) {
        if (!isAway(error)) throw error;
      }
    }
  }

  try {
    return { awaits: undefined, done: Promise.resolve(await work()) };
  } catch (error) {
    if (!isAway(error)) throw error;
    const awaits = (explainError(error, config) as Error).message;
    log.warn({ reason: awaits }, 'The database is away: the public lists are served, and it is tried again');
    const done = tryAgain();
    // It is awaited once the service listens.
    done.catch(() => undefined);
    return { awaits, done };
  }
}
