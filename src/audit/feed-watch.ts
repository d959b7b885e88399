import sql from 'sql-template-tag';
import type { Writer } from '../db/database.ts';
import { publishSome } from './publish.ts';

/** Polling interval while somebody waits, in milliseconds. */
const INTERVAL_MS = 25;

interface Waiter {
  position: bigint;
  go: () => void;
  fail: (error: unknown) => void;
}

/** Waits for changes on behalf of all followers. */
export interface FeedWatch {
  /**
   * Resolves when the feed is past a position, on timeout, when the signal is aborted, or when the service stops. Rejects if the database
   * cannot be read.
   */
  beyond(position: string, milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Whether the service is stopping, so that nobody waits any longer. */
  isStopping(): boolean;
}

/**
 * Watches the feed: one polling query serves all waiters, and none runs while nobody waits.
 *
 * @param stop aborted when the service stops; kept apart because a combined signal per request would cost more than the rest of the wait
 */
export function watchFeed(db: Writer, stop: AbortSignal | undefined): FeedWatch {
  const waiters = new Set<Waiter>();
  let isLooking = false;
  const isStopping = () => stop?.aborted === true;
  stop?.addEventListener('abort', () => {
    for (const waiter of waiters) waiter.go();
  });

  async function look(): Promise<void> {
    try {
      await publishSome(db);
      const [feed] = await db.query<{ position: string }>(sql`select position::text as position from change_feed`);
      const position = BigInt(feed?.position ?? 0);
      for (const waiter of waiters) if (position > waiter.position) waiter.go();
    } catch (error) {
      for (const waiter of waiters) waiter.fail(error);
    }
    if (waiters.size > 0) setTimeout(look, INTERVAL_MS);
    else isLooking = false;
  }

  return {
    isStopping,
    beyond(position, milliseconds, signal) {
      return new Promise((resolve, reject) => {
        const end = (settle: () => void) => () => {
          waiters.delete(waiter);
          clearTimeout(timer);
          signal.removeEventListener('abort', waiter.go);
          settle();
        };
        const waiter: Waiter = {
          position: BigInt(position),
          go: end(resolve),
          fail: (error) => end(() => reject(error))(),
        };
        const timer = setTimeout(waiter.go, milliseconds);
        if (signal.aborted || isStopping()) return waiter.go();
        signal.addEventListener('abort', waiter.go);
        waiters.add(waiter);
        if (isLooking) return;
        isLooking = true;
        void look();
      });
    },
  };
}
