import { createHash } from 'node:crypto';

/** Position in the change feed: after one of its changes, or at its start. */
export interface FeedPosition {
  /** UUID of the feed. */
  feedId: string;
  /** Position of the change, a decimal integer; 0 at the start. */
  position: string;
  /** Fingerprint of the change, see {@link fingerprintOf}; empty at the start. */
  fingerprint: string;
}

/**
 * Returns a fingerprint that tells a change from another at the same position: a database that loses commits, by failover or restore,
 * reuses positions.
 *
 * @param writtenAt to the microsecond
 */
export function fingerprintOf(changeId: string, writtenAt: string): string {
  return createHash('sha256').update(`${changeId} ${writtenAt}`).digest('hex').slice(0, 8);
}

/** Returns the opaque cursor of a position. Its first digit is the format version. */
export function cursorOf({ feedId, position, fingerprint }: FeedPosition): string {
  return Buffer.from(`2:${feedId}:${position}:${fingerprint}`).toString('base64url');
}

/** 18 digits fit into a bigint. */
const PRESENT_FORM = /^2:([0-9a-f-]{36}):(0|[1-9]\d{0,17}):([0-9a-f]{8})?$/;
/** Format 1 had no feed id. */
const FORMER_FORM = /^1:(0|[1-9]\d{0,17})$/;

/** Returns the position of a cursor, with an empty feed id for format 1; undefined if it is no cursor. */
export function parseCursor(cursor: string): FeedPosition | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor) return undefined;
  const text = bytes.toString('latin1');
  const former = FORMER_FORM.exec(text)?.[1];
  if (former !== undefined) return { feedId: '', position: former, fingerprint: '' };
  const [, feedId, position, fingerprint = ''] = PRESENT_FORM.exec(text) ?? [];
  return feedId === undefined || position === undefined ? undefined : { feedId, position, fingerprint };
}
