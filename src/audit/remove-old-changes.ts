import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { advisoryLock, type Database, type Reader } from '../db/database.ts';
import { DiskLowError } from '../lib/errors.ts';
import { hourly } from '../lib/hourly.ts';

/** Changes deleted per statement, which takes some hundredths of a second. */
const BATCH = 1_000;
/** Pause between batches, in milliseconds, for other work. */
const PAUSE_MS = 100;

export interface RetentionOptions {
  /** Retention in days. */
  days: number;
  /** Called after a run that removed changes, with their number. */
  onRemoved: (changes: number) => void;
  /** Called after a run with the webhooks that hold back removal, if any. */
  onHeld: (webhooks: readonly string[]) => void;
  /** Called with the error of a failed run. */
  onError: (error: unknown) => void;
}

/** Removes old changes at once and then hourly, until disposed. Any number of processes may run it: they take turns by an advisory lock. */
export function keepRemovingOldChanges(db: Database, options: RetentionOptions): AsyncDisposable {
  const { days, onRemoved, onHeld, onError } = options;
  return hourly(async (stop) => {
    const removed = await removeOldChanges(db, days, { stop });
    if (removed > 0) onRemoved(removed);
    const held = await webhooksBehind(db, days);
    if (held.length > 0) onHeld(held);
  }, onError);
}

/**
 * Removes published changes older than a number of days, in batches with pauses. Keeps the last of them, and those that a webhook still has
 * to deliver. Stops early if another process holds the lock, or the disk of an embedded database is low.
 *
 * @returns the number of removed changes
 */
export async function removeOldChanges(
  db: Database,
  days: number,
  { batch = BATCH, stop }: { batch?: number; stop?: AbortSignal } = {},
): Promise<number> {
  let total = 0;
  for (;;) {
    const removed = await removeBatch(db, days, batch);
    total += removed;
    if (removed === 0 || stop?.aborted) break;
    await sleep(PAUSE_MS, undefined, stop ? { signal: stop } : {}).catch(() => undefined);
  }
  // A PostgreSQL server vacuums by itself, so that space is reused.
  if (total > 0 && db.kind === 'embedded' && db.diskState?.() !== 'low' && !stop?.aborted) {
    await db.session((session) => session.query(sql`vacuum audit_changes, audit_personal_values`));
  }
  return total;
}

async function removeBatch(db: Database, days: number, batch: number): Promise<number> {
  try {
    const [row] = await db.query<{ removed: number | null }>(sql`
      select case when pg_try_advisory_xact_lock(${advisoryLock('retention')})
                  then remove_old_audit_changes(${days}::integer, ${batch}::integer) end as removed`);
    return row?.removed ?? 0;
  } catch (error) {
    if (error instanceof DiskLowError) return 0;
    throw error;
  }
}

/** Returns the ids of the webhooks whose next change is older than a number of days. */
export async function webhooksBehind(db: Reader, days: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select webhook_id as id from webhook_progress
     where (select changed_at from audit_changes where audit_changes.position > webhook_progress.position
             order by audit_changes.position limit 1) < now() - ${days}::integer * interval '1 day'
     order by webhook_progress.position`);
  return rows.map(({ id }) => id);
}
