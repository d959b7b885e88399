import { createHash } from 'node:crypto';
import type { Database, Reader } from '../db/database.ts';
import { UserError } from '../lib/errors.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import type { ChangeFilter } from './change-filter.ts';
import { publishAll } from './publish.ts';
import { findFeedPosition, listPublishedChanges } from './published-changes.ts';

/** Changes in memory at once; one has at most 7 kB. */
const BATCH = 200;

/**
 * Writes the published changes as JSON lines in feed order, and a last line with their count and the SHA-256 of all lines before. Changes
 * committed meanwhile are left out.
 *
 * @param times period: `from` inclusive, `to` exclusive
 * @param write takes one line with its line feed, and resolves when it can take the next
 * @throws UserError if changes are removed meanwhile
 */
export async function exportChanges(
  db: Database,
  times: Pick<ChangeFilter, 'from' | 'to'>,
  write: (line: string) => Promise<void>,
): Promise<void> {
  await publishAll(db);
  const hash = createHash('sha256');
  let changes = 0;
  // No transaction: on the embedded database it would block others for as long as the output is read.
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
