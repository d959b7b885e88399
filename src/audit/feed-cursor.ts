import { createHash } from 'node:crypto';

/** A position in the change feed: behind one of its changes, or at its beginning. */
export interface FeedPosition {
  /** Of the feed: a UUID. */
  feedId: string;
  /** Of the change: a whole number in decimal; 0 at the beginning. */
  position: string;
  /** Of the change, see {@link fingerprintOf}; empty at the beginning. */
  fingerprint: string;
}

/**
 * Tells a change from any other that could have its position: a database that lost its last commits, by a failover or going back to
 * a copy, gives their positions again.
 *
 * @param writtenAt to the microsecond
 */
export function fingerprintOf(changeId: string, writtenAt: string): string {
  return createHash('sha256').update(`${changeId} ${writtenAt}`).digest('hex').slice(0, 8);
}

/** Returns a position as followers keep it. The first digit is the version of the format. */
export function cursorOf({ feedId, position, fingerprint }: FeedPosition): string {
  return Buffer.from(`2:${feedId}:${position}:${fingerprint}`).toString('base64url');
}

/** 18 digits fit into a bigint. */
const PRESENT_FORM = /^2:([0-9a-f-]{36}):(0|[1-9]\d{0,17}):([0-9a-f]{8})?$/;
/** It named no feed. */
const FORMER_FORM = /^1:(0|[1-9]\d{0,17})$/;

/** Returns the position that a cursor names, without a feed id where the format is the former one; undefined if it is no cursor. */
export function parseCursor(cursor: string): FeedPosition | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor) return undefined;
  const text = bytes.toString('latin1');
  const former = FORMER_FORM.exec(text)?.[1];
  if (former !== undefined) return { feedId: '', position: former, fingerprint: '' };
  const [, feedId, position, fingerprint = ''] = PRESENT_FORM.exec(text) ?? [];
  return feedId === undefined || position === undefined ? undefined : { feedId, position, fingerprint };
}
