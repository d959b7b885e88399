import sql from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';

/** Returns the seconds between the last attempt of a webhook and the next one; NaN where none is due. */
export async function retryDelay(db: Database, id: string): Promise<number> {
  const [progress] = await db.query<{ delay: number }>(sql`
    select extract(epoch from next_try_at - (select max(at) from webhook_deliveries where webhook_id = ${id}))::double precision as delay
      from webhook_progress where webhook_id = ${id}`);
  return progress?.delay ?? Number.NaN;
}

/** Makes the next attempt of each webhook due, as if its time had passed. */
export async function passRetryDelay(db: Database): Promise<void> {
  await db.query(sql`update webhook_progress set next_try_at = now()`);
}
