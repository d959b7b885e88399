import assert from 'node:assert/strict';
import sql from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';
import { RETRY_SECONDS } from '../../src/features/webhooks/deliver-changes.ts';

/** Returns how often a webhook has failed in a row, and the seconds between its last attempt and the next one. */
export async function retryOf(db: Database, id: string): Promise<{ attempts: number; delay: number }> {
  const [progress] = await db.query<{ attempts: number; delay: number }>(sql`
    select attempts,
           extract(epoch from next_try_at - (select max(at) from webhook_deliveries where webhook_id = ${id}))::double precision as delay
      from webhook_progress where webhook_id = ${id}`);
  return progress ?? assert.fail('It has no progress.');
}

/** Expects the next attempt of a webhook when its step has passed; the machine may be slow to record the last one. */
export async function assertRetriedByStep(db: Database, id: string, what = id): Promise<void> {
  const { attempts, delay } = await retryOf(db, id);
  const step = RETRY_SECONDS[attempts - 1] ?? Number.NaN;
  assert.ok(delay > step - 1 && delay <= step * 1.1 + 60, `${what}: ${delay} s after attempt ${attempts}`);
}

/** Makes the next attempt of each webhook due, as if its time had passed. */
export async function passRetryDelay(db: Database): Promise<void> {
  await db.query(sql`update webhook_progress set next_try_at = now()`);
}
