import { createHash } from 'node:crypto';
import type { Database, Reader } from '../db/database.ts';
import { UserError } from '../lib/errors.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import type { ChangeFilter } from './change-filter.ts';
import { publishAll } from './publish.ts';
import { findFeedPosition, listPublishedChanges } from './published-changes.ts';

/** Changes that are in memory at once: one has 7 kB at the most. */
const BATCH = 200;

/**
 * Writes the changes of the trail, oldest first and each a line of JSON as the feed answers it, and at the end a line that says how many there
 * are, with the SHA-256 of all lines before. What is committed meanwhile is not in it.
 *
 * @param times the first moment that counts, and the first that does not any more
 * @param write takes one line with its line feed, and fulfils when it can take the next
 * @throws UserError where changes are removed meanwhile
 */
export async function exportChanges(
  db: Database,
  times: Pick<ChangeFilter, 'from' | 'to'>,
  write: (line: string) => Promise<void>,
): Promise<void> {
  await publishAll(db);
  const hash = createHash('sha256');
  let changes = 0;
  // Statements and no transaction: on the embedded database others would wait for whoever reads the lines.
  await db.session(async (session) => {
    for await (const items of readChanges(session, times)) {
      for (const item of items) {
        const line = `${JSON.stringify(item)}\n`;
        hash.update(line);
        await write(line);
      }
      changes += items.length;
    }
  });
  await write(`${JSON.stringify({ end: { changes, sha256: hash.digest('hex') } })}\n`);
}

async function* readChanges(db: Reader, times: Pick<ChangeFilter, 'from' | 'to'>) {
  const end = await findFeedPosition(db, 'last');
  if (end === undefined) return;
  for (let after = '0'; ; ) {
    await yieldToEventLoop();
    const range = { ...times, after, upTo: end.position, limit: BATCH };
    const { items, last, isWhole } = await listPublishedChanges(db, 'all', range);
    if (!isWhole) {
      throw new UserError(
        'Changes that were still to be written have been removed meanwhile (AUDIT_RETENTION): begin anew.',
      );
    }
    yield items;
    if (last === undefined || items.length < BATCH) return;
    after = last.position;
  }
}
