import sql, { empty } from 'sql-template-tag';
import { advisoryLock, type Writer } from '../db/database.ts';
import { DiskLowError } from '../lib/errors.ts';

/** Maximum changes that one statement publishes: a response waits for it. */
const PUBLISH_BATCH = 1000;

/** Publishes all committed changes; waits while another process publishes. */
export async function publishAll(db: Writer): Promise<void> {
  while ((await publish(db, { waitsForOthers: true })) === PUBLISH_BATCH);
}

/** Publishes up to 1,000 committed changes; does nothing while another process publishes. */
export async function publishSome(db: Writer): Promise<void> {
  await publish(db, { waitsForOthers: false });
}

/** @returns the number of changes that were published */
async function publish(db: Writer, options: { waitsForOthers: boolean }): Promise<number> {
  try {
    return await publishChanges(db, { ...options, atMost: PUBLISH_BATCH });
  } catch (error) {
    // The rest is published when there is space again.
    if (error instanceof DiskLowError) return 0;
    throw error;
  }
}

/**
 * Assigns feed positions to committed changes. While another process does so, it waits or publishes none.
 *
 * @returns the number of changes that were published
 */
export async function publishChanges(
  db: Writer,
  { atMost, waitsForOthers }: { atMost: number; waitsForOthers: boolean },
): Promise<number> {
  const turn = waitsForOthers ? sql`from pg_advisory_xact_lock(${advisoryLock('feed')})` : empty;
  const [row] = await db.query<{ published: number | null }>(
    sql`select publish_audit_changes(${atMost}::integer) as published ${turn}`,
  );
  return row?.published ?? 0;
}
