import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { advisoryLock } from '../db/advisory-locks.ts';
import type { Database, Reader } from '../db/database.ts';
import { DiskLowError } from '../embedded/disk-reserve.ts';

/** Changes that one statement removes: some hundredths of a second. */
const BATCH = 1_000;
/** Milliseconds in which requests get on. */
const PAUSE_MS = 100;
const INTERVAL_MS = 3_600_000;

export interface RetentionOptions {
  /** For how many days changes are kept. */
  days: number;
  /** Is told how many changes a look has removed, where it is any. */
  onRemoved: (changes: number) => void;
  /** Is told, with each look, of the webhooks for which changes are kept longer. */
  onHeld: (webhooks: readonly string[]) => void;
  /** Is told of what goes wrong. */
  onError: (error: unknown) => void;
}

/**
 * Removes what is too old from the audit trail, at once and then hourly, until it is disposed of. Any number of processes may do so: one of
 * them does it at a time.
 */
export function keepRemovingOldChanges(db: Database, options: RetentionOptions): AsyncDisposable {
  const { days, onRemoved, onHeld, onError } = options;
  const stop = new AbortController();

  async function look(): Promise<void> {
    const removed = await removeOldChanges(db, days, { stop: stop.signal });
    if (removed > 0) onRemoved(removed);
    const held = await webhooksBehind(db, days);
    if (held.length > 0) onHeld(held);
  }

  const running = (async () => {
    while (!stop.signal.aborted) {
      await look().catch(onError);
      await sleep(INTERVAL_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

/**
 * Removes the changes of the feed that are older than so many days, in batches between which others get on. The last of them stays, and what
 * a webhook has not got yet. Ends where another process is about it, or the disk of an embedded database is low.
 *
 * @returns how many it were
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
  // A server does this by itself: the space is used again.
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

/** Returns the ids of the webhooks whose next change is older than so many days. */
export async function webhooksBehind(db: Reader, days: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select webhook_id as id from webhook_progress
     where (select changed_at from audit_changes where audit_changes.position > webhook_progress.position
             order by audit_changes.position limit 1) < now() - ${days}::integer * interval '1 day'
     order by webhook_progress.position`);
  return rows.map(({ id }) => id);
}
