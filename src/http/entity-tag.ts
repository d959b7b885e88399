import { hash } from 'node:crypto';
import { ApiError } from '../lib/errors.ts';
import { tagOf } from './compress-answers.ts';

/** The strong entity tag of what is answered (RFC 9110, section 8.8.3): another one whenever anything in it differs, but for counts of other rows. */
export function entityTag(data: object): string {
  const told = '_count' in data ? { ...data, _count: undefined } : data;
  return `"${hash('sha256', JSON.stringify(told), 'base64url').slice(0, 22)}"`;
}

/**
 * Looks whether what is there is still what was read (RFC 9110, section 13.1.1).
 *
 * @param ifMatch the header `If-Match`; undefined: whatever is there will do
 * @param noun what it is, for people
 * @throws ApiError `PRECONDITION_FAILED` with the data as it is
 */
export function checkIfMatch(ifMatch: string | undefined, data: object, noun: string): void {
  if (ifMatch === undefined) return;
  const etag = entityTag(data);
  if (matches(ifMatch, etag)) return;
  throw new ApiError(
    'PRECONDITION_FAILED',
    `The ${noun} has changed since it was read: look at it as it is now, then repeat with its ETag.`,
    { headers: { etag }, data },
  );
}

/** The strong comparison: a weak tag never matches. That of a compressed answer stands for the answer. */
function matches(ifMatch: string, tag: string): boolean {
  const candidates = ifMatch.split(',').map((candidate) => candidate.trim());
  return ifMatch.trim() === '*' || candidates.some((candidate) => candidate === tag || tagOf(candidate) === tag);
}
