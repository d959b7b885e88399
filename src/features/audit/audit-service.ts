import { administeredCompanies, type Caller, isSuperAdmin } from '../../auth/roles.ts';
import type { Executor } from '../../db/database.ts';
import { DiskLowError } from '../../db/disk-reserve.ts';
import { apiErrors } from '../../lib/errors.ts';
import { listPublishedChanges, publishChanges, type Visibility } from './audit-queries.ts';
import type { ChangeView } from './audit-schemas.ts';

/** What a caller sees of the audit trail: a Super Admin all, a Corporate Admin their companies, everyone themselves. */
export function visibilityFor(caller: Caller): Visibility {
  if (isSuperAdmin(caller)) return 'all';
  return { userId: caller.userId, companyIds: administeredCompanies(caller) };
}

/**
 * The changes after a cursor that the caller may see, in the order that all followers get, and the cursor after them.
 *
 * @param after absent: from the beginning
 * @throws ApiError `INVALID_INPUT` for a text that is no cursor
 */
export async function followChanges(
  db: Executor,
  caller: Caller,
  { after = cursorOf('0'), limit }: { after: string | undefined; limit: number },
): Promise<{ items: ChangeView[]; next: string }> {
  const position = positionOf(after);
  await publishChanges(db).catch((error: unknown) => {
    // What is not published yet comes when there is space again.
    if (!(error instanceof DiskLowError)) throw error;
  });
  const changes = await listPublishedChanges(db, visibilityFor(caller), { after: position, limit });
  const last = changes.at(-1);
  return {
    items: changes.map(({ position: _, ...change }) => change),
    next: last === undefined ? after : cursorOf(last.position),
  };
}

/** The first digit is that of the form, in case there is ever another. */
function cursorOf(position: string): string {
  return Buffer.from(`1:${position}`).toString('base64url');
}

function positionOf(cursor: string): string {
  // 18 digits fit into a bigint.
  const position = /^1:(0|[1-9]\d{0,17})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  if (position === undefined || cursorOf(position) !== cursor) {
    const message = 'after must be the next of an earlier answer, as it was.';
    throw apiErrors.invalidInput([{ field: 'after', code: 'INVALID_FORMAT', message }]);
  }
  return position;
}
