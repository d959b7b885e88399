import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { Reader } from '../../db/database.ts';

/** Milliseconds within which the database has to answer. */
const TIME_LIMIT = 2_000;
/** Minimum interval between two queries, in milliseconds. */
const INTERVAL = 1_000;

/**
 * Returns a check of whether the database answers. It sends at most one query a second, and none while one is pending; other callers get
 * the last result.
 */
export function databaseCheck(db: Reader): () => Promise<boolean> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let hanging = false;
  let answer = Promise.resolve(false);

  async function ask(): Promise<boolean> {
    hanging = true;
    try {
      await db.query(sql`select 1 as one`);
      return true;
    } catch {
      return false;
    } finally {
      hanging = false;
    }
  }

  return () => {
    const now = performance.now();
    if (!hanging && now - askedAt >= INTERVAL) {
      askedAt = now;
      answer = inTime(ask());
    }
    return answer;
  };
}

/** False if the check exceeds the time limit. */
async function inTime(check: Promise<boolean>): Promise<boolean> {
  const stop = new AbortController();
  const late = sleep(TIME_LIMIT, false, { signal: stop.signal }).catch(() => false);
  try {
    return await Promise.race([check, late]);
  } finally {
    stop.abort();
  }
}
