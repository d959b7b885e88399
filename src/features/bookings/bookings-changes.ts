import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Reader } from '../../db/database.ts';
import { ApiError, apiErrors, problemOf } from '../../entities/api-error.ts';
import { bookingColumns } from './bookings-queries.ts';
import type { BookingChangesInput, BookingView } from './bookings-schemas.ts';

/** A place among the changes of a company's bookings: after that booking of that transaction. */
interface Cursor {
  /** Of the company, and of the course of transactions in which the cursor is right. */
  mark: string;
  position: string;
  id: string;
}

const DEFAULT_LIMIT = 100;

/**
 * Restores, moves to another server and promotions of a replica begin another course of transactions. None of those below the horizon is
 * running: what is there below it stays as it is, until a later transaction changes it.
 */
const COURSE = sql`
  select concat_ws(' ', id, (select system_identifier from pg_control_system()),
                   left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)) as course,
         pg_snapshot_xmin(pg_current_snapshot()) as horizon
    from change_feed`;

/**
 * Returns the bookings of a company that were written after a cursor, as they are now, and the next cursor.
 *
 * @throws ApiError `INVALID_INPUT` for what is no cursor, `CURSOR_GONE` for one of another company or from before a restore
 */
export async function bookingsAfter(
  db: Reader,
  { companyId, after, limit = DEFAULT_LIMIT }: BookingChangesInput,
): Promise<{ items: BookingView[]; next: string }> {
  const cursor = after === 'now' ? undefined : parseCursor(after);
  const isBehind = cursor && sql`and (position, id collate "C") > (${cursor.position}::text::xid8, ${cursor.id})`;
  const [found] = await db.query<{
    course: string;
    horizon: string;
    isReached: boolean;
    items: BookingView[];
    last: Omit<Cursor, 'mark'> | null;
  }>(sql`
    with present as materialized (${COURSE}),
    page as materialized (
      select id as key, position as at from bookings
       where company_id = ${companyId} and position < (select horizon from present) ${isBehind ?? sql`and false`}
       order by position, id collate "C" limit ${limit}::integer)
    select course, horizon::text as horizon, ${cursor?.position ?? '0'}::text::xid8 <= horizon as "isReached",
           (select coalesce(json_agg(item order by page.at, page.key collate "C"), '[]')
              from page, lateral (select ${bookingColumns} from bookings where bookings.id = page.key limit 1) item) as items,
           (select json_build_object('position', at::text, 'id', key)
              from page order by at desc, key collate "C" desc limit 1) as last
      from present`);
  if (found === undefined) throw new TypeError('The database has no change feed');
  const { course, horizon, isReached, items, last } = found;
  const mark = createHash('sha256').update(`${course} ${companyId}`).digest('base64url').slice(0, 16);
  if (cursor !== undefined && (cursor.mark !== mark || !isReached)) throw cursorGone();
  const isAll = items.length < limit || last === null;
  return { items, next: formatCursor({ mark, ...(isAll ? { position: horizon, id: '' } : last) }) };
}

function formatCursor({ mark, position, id }: Cursor): string {
  return Buffer.from(JSON.stringify([mark, position, id])).toString('base64url');
}

function parseCursor(cursor: string): Cursor {
  try {
    const [mark, position, id, ...others] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const isRight = typeof mark === 'string' && typeof id === 'string' && others.length === 0;
    if (isRight && typeof position === 'string' && /^\d{1,18}$/.test(position)) return { mark, position, id };
  } catch {
    // Not JSON.
  }
  const expected = 'must be now, or the next of an earlier answer, as it was';
  throw apiErrors.invalidInput([problemOf('after', 'INVALID_FORMAT', expected)]);
}

function cursorGone(): ApiError {
  return new ApiError(
    'CURSOR_GONE',
    'The cursor is of another company, or from before the database was restored or moved. Begin anew: send after=now and keep ' +
      'next, then read bookings/list, then follow from that next.',
  );
}
