import { DiskLowError } from '../data-folder/disk-reserve.ts';
import type { Writer } from '../db/database.ts';
import { nextTurn } from '../lib/turns.ts';
import { publishChanges } from './changes.ts';

/** Changes of one turn of the event loop: the embedded database works in this thread, and a change may have 7 kB. */
const PUBLISHED_A_TURN = 50;

/**
 * Gives changes that are committed their positions, some a turn of the event loop; it does not matter who does it.
 *
 * @param waitsForOthers whether to wait where another process is about it; otherwise that one goes on alone
 */
export async function publish(
  db: Writer,
  { atMost, waitsForOthers }: { atMost: number; waitsForOthers: boolean },
): Promise<void> {
  try {
    for (let count = 0; count < atMost; count += PUBLISHED_A_TURN) {
      await nextTurn();
      const published = await publishChanges(db, { atMost: PUBLISHED_A_TURN, waitsForOthers });
      if (published < PUBLISHED_A_TURN) return;
    }
  } catch (error) {
    // What is not published yet comes when there is space again.
    if (!(error instanceof DiskLowError)) throw error;
  }
}
