import sql, { empty } from 'sql-template-tag';
import { advisoryLock } from '../db/advisory-locks.ts';
import type { Writer } from '../db/database.ts';
import { DiskLowError } from '../embedded/disk-reserve.ts';

/** Changes of one statement: as many as an answer can wait for. */
const PUBLISHED_AT_ONCE = 1000;

/** Gives all changes that are committed their positions, however many there are; waits where another process is about it. */
export async function publishAll(db: Writer): Promise<void> {
  while ((await publish(db, { waitsForOthers: true })) === PUBLISHED_AT_ONCE);
}

/** Gives committed changes their positions, as many as an answer can wait for; where another process is about it, that one goes on alone. */
export async function publishSome(db: Writer): Promise<void> {
  await publish(db, { waitsForOthers: false });
}

/** @returns how many it were */
async function publish(db: Writer, options: { waitsForOthers: boolean }): Promise<number> {
  try {
    return await publishChanges(db, { ...options, atMost: PUBLISHED_AT_ONCE });
  } catch (error) {
    // What is not published yet comes when there is space again.
    if (error instanceof DiskLowError) return 0;
    throw error;
  }
}

/**
 * Gives committed changes their positions in the feed. Where somebody else is about it, it waits or gives none.
 *
 * @returns how many have got one
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
