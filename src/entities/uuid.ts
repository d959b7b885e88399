const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID in the canonical form (RFC 9562, section 4), in either case of letters: no braces, hyphens in place. */
export function isCanonicalUuid(text: string): boolean {
  return CANONICAL_UUID.test(text);
}

/** Returns an id as it is kept: one in UUID form in lower case, any other as it is. */
export function inOneCase(id: string): string {
  return isCanonicalUuid(id) ? id.toLowerCase() : id;
}
