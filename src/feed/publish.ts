import { DiskLowError } from '../data-folder/disk-reserve.ts';
import type { Writer } from '../db/database.ts';
import { nextTurn } from '../lib/turns.ts';
import { publishChanges } from './changes.ts';

/** Changes of one turn of the event loop: the embedded database works in this thread, and a change may have 7 kB. */
const PUBLISHED_A_TURN = 50;

/** Changes that an answer can wait for. */
const PUBLISHED_AT_ONCE = 1000;

/** Gives all changes that are committed their positions, however many there are; waits where another process is about it. */
export function publishAll(db: Writer): Promise<void> {
  return publish(db, { atMost: Number.POSITIVE_INFINITY, waitsForOthers: true });
}

/** Gives committed changes their positions, as many as an answer can wait for; where another process is about it, that one goes on alone. */
export function publishSome(db: Writer): Promise<void> {
  return publish(db, { atMost: PUBLISHED_AT_ONCE, waitsForOthers: false });
}

/** Some a turn of the event loop; it does not matter who does it. */
async function publish(
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
