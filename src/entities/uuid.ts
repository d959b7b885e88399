const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID in the canonical form (RFC 9562, section 4), in upper or lower case: with hyphens, without braces. */
export function isCanonicalUuid(text: string): boolean {
  return CANONICAL_UUID.test(text);
}

/** Returns an id in its stored form: a UUID in lower case, any other unchanged. */
export function inOneCase(id: string): string {
  return isCanonicalUuid(id) ? id.toLowerCase() : id;
}
