import { createHash } from 'node:crypto';

/** A place in the change feed: behind one of its changes, or at its beginning. */
export interface FeedPlace {
  /** Of the feed: a UUID. */
  feedId: string;
  /** Of the change: a whole number in decimal; 0 at the beginning. */
  position: string;
  /** Of the change, see {@link markOf}; empty at the beginning. */
  mark: string;
}

/**
 * Tells a change from any other that could have its position: a database that lost its last commits, by a failover or going back to
 * a copy, gives their positions again.
 *
 * @param writtenAt to the microsecond
 */
export function markOf(changeId: string, writtenAt: string): string {
  return createHash('sha256').update(`${changeId} ${writtenAt}`).digest('hex').slice(0, 8);
}

/** A place as followers keep it. The first digit is that of the form. */
export function cursorOf({ feedId, position, mark }: FeedPlace): string {
  return Buffer.from(`2:${feedId}:${position}:${mark}`).toString('base64url');
}

/** 18 digits fit into a bigint. */
const PRESENT_FORM = /^2:([0-9a-f-]{36}):(0|[1-9]\d{0,17}):([0-9a-f]{8})?$/;
/** It named no feed. */
const FORMER_FORM = /^1:(0|[1-9]\d{0,17})$/;

/** The place that a cursor names, of a feed that has no id where the form is the former one; undefined where it is no cursor. */
export function parseCursor(cursor: string): FeedPlace | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor) return undefined;
  const text = bytes.toString('latin1');
  const former = FORMER_FORM.exec(text)?.[1];
  if (former !== undefined) return { feedId: '', position: former, mark: '' };
  const [, feedId, position, mark = ''] = PRESENT_FORM.exec(text) ?? [];
  return feedId === undefined || position === undefined ? undefined : { feedId, position, mark };
}
