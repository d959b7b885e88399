import { hash } from 'node:crypto';
import { ApiError } from '../../entities/api-error.ts';

/** Fields that change without a change of the object: counts of related rows, and sign-ins. Fields of one's own change `updatedAt` too. */
const OTHERS = ['_count', 'people', 'signIn', 'creditUsed', 'fields'] as const;
const WITHOUT_OTHERS = Object.fromEntries(OTHERS.map((name) => [name, undefined]));

/** Returns the strong entity tag (RFC 9110, section 8.8.3) of an object: a hash of its content except the counts of related rows and sign-ins. */
export function entityTag(data: object): string {
  const content = OTHERS.some((name) => name in data) ? { ...data, ...WITHOUT_OTHERS } : data;
  return `"${hashOf(content).slice(0, 22)}"`;
}

const hashOf = (data: object) => hash('sha256', JSON.stringify(data), 'base64url');

/** Returns the tag of a whole answer: definitions change fields of one's own without a change of the object, which updates compare alone. */
export function tagOfAnswer(tag: string, { fields }: { fields?: unknown }): string {
  const isEmpty =
    typeof fields !== 'object' || fields === null || Array.isArray(fields) || Object.keys(fields).length === 0;
  return isEmpty ? tag : `${tag.slice(0, -1)}.${hashOf(fields).slice(0, 11)}"`;
}

/**
 * Checks the precondition of a write: optimistic concurrency by `If-Match` (RFC 9110, section 13.1.1).
 *
 * @param ifMatch the header `If-Match`; undefined allows any version
 * @param noun names the object in the message
 * @throws ApiError `PRECONDITION_FAILED` with the current data
 */
export function checkIfMatch(ifMatch: string | undefined, data: object, noun: string): void {
  if (ifMatch === undefined) return;
  const etag = entityTag(data);
  if (listsTag(ifMatch, etag, OF_OBJECT)) return;
  throw new ApiError(
    'PRECONDITION_FAILED',
    `The ${noun} has changed since it was read: look at it as it is now, then repeat with its ETag.`,
    { headers: { etag }, data },
  );
}

/** Matches the opaque parts of a list of entity tags. */
const OPAQUE_TAGS = /"([^"]*)"/g;
/** The suffix that servers and proxies append to the tag of a compressed response: `-gzip` (as here), `--gzip`, `;gzip`. */
const CODING_SUFFIX = /^(?:--?|;)(?:br|deflate|gzip|zstd)$/;
/** The same, behind what {@link tagOfAnswer} adds. */
const OF_OBJECT = /^(?:\.[\w-]{11})?(?:(?:--?|;)(?:br|deflate|gzip|zstd))?$/;

/**
 * Returns whether `If-Match` or `If-None-Match` is `*` or lists the tag, weak or strong, of any content coding. Tags are
 * hashes of the content, so one that a proxy weakened still identifies the same content.
 */
export function listsTag(header: string, tag: string, suffix = CODING_SUFFIX): boolean {
  if (header === tag || header.trim() === '*') return true;
  const opaque = tag.slice(tag.indexOf('"') + 1, -1);
  for (const [, listed = ''] of header.matchAll(OPAQUE_TAGS)) {
    // A hash may end with a hyphen itself.
    if (listed === opaque) return true;
    if (listed.startsWith(opaque) && suffix.test(listed.slice(opaque.length))) return true;
  }
  return false;
}
