/** Control characters (NUL among them) and lone surrogates. */
export const UNWRITABLE = /[\p{Cc}\p{Cs}]/u;

/** Replaces a character that could not be decoded. */
export const REPLACEMENT = '\ufffd';

/** Characters that are not drawn: U+200B, U+FEFF, direction marks, fillers such as U+3164. */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Any visible character; white space and the blank braille pattern U+2800 are not visible either. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

/** Whether the text has a visible character. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** Whether the text has more code points (the unit of JSON Schema) than the maximum; each takes one or two UTF-16 code units. */
export function isLonger(value: string, maximum: number): boolean {
  return value.length > maximum && (value.length > 2 * maximum || [...value].length > maximum);
}

/** Whether PostgreSQL can store the text: neither NUL nor a lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

const LONGEST = 254;

/** A letter of any script with its combining marks, or a digit. */
const LETTER = '[\\p{L}\\p{Nd}]\\p{M}*';
const ATOM = String.raw`(?:${LETTER}|[!#$%&'*+/=?^_\x60{|}~-])+`;
const LABEL = `(?:${LETTER})+(?:-+(?:${LETTER})+)*`;
const EMAIL = new RegExp(String.raw`^(?!')${ATOM}(?:\.${ATOM})*@${LABEL}(?:\.${LABEL})+$`, 'u');

/** Whether the text is a common e-mail address, of at most 254 characters. */
export function isEmail(text: string): boolean {
  return !isLonger(text, LONGEST) && EMAIL.test(text) && text.search(INVISIBLE) < 0;
}

/** The rule as a pattern for any engine: letters and digits beyond ASCII are not told from other characters. */
export const EMAIL_PATTERN = (() => {
  const [other, letter] = ['[^\\x00-\\x7f]', '[0-9A-Za-z]'];
  const symbols = '!#$%&*+/=?^_`{|}~-';
  const atom = `(?:[0-9A-Za-z'${symbols}]|${other})`;
  const label = `(?:${letter}|${other})+(?:-+(?:${letter}|${other})+)*`;
  return `^(?:[0-9A-Za-z${symbols}]|${other})${atom}*(?:\\.${atom}+)*@${label}(?:\\.${label})+$`;
})();

/** {@link mayBeStoredEmail} as a pattern for any engine. */
export const STORED_EMAIL_PATTERN = '^[^@\\s]+@[^@\\s]+$';

const STORED = /^[^@\s\p{Cc}\p{Cf}\p{Cs}]+@[^@\s\p{Cc}\p{Cf}\p{Cs}]+$/u;

/** Whether a stored address is acceptable: addresses older than the rule of {@link isEmail} are kept. */
export function mayBeStoredEmail(text: string): boolean {
  return !isLonger(text, LONGEST) && STORED.test(text);
}

/** The pattern of a UUID in the canonical form, in lower case. */
export const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const CANONICAL_UUID = new RegExp(`^${UUID}$`, 'i');

/** How a request or a file names a row by the id that another system has for it, wherever it takes an id. */
export const EXTERNAL_ID = 'externalId:';

/** Whether the text is a UUID in the canonical form (RFC 9562, section 4), in upper or lower case: with hyphens, without braces. */
export function isCanonicalUuid(text: string): boolean {
  return CANONICAL_UUID.test(text);
}

/** Returns an id in its stored form: a UUID in lower case, any other unchanged. */
export function inOneCase(id: string): string {
  return isCanonicalUuid(id) ? id.toLowerCase() : id;
}

/** Returns the address of an erased person: unique and undeliverable, as `invalid` is a reserved top-level domain (RFC 2606). */
export function erasedEmail(id: string): string {
  return `${id}@erased.invalid`;
}

/** Returns the placeholder e-mail address of a person whom a directory deleted, which frees their own address. */
export function deletedUserName(id: string): string {
  return `${id}@deleted.invalid`;
}

/** Returns the address of a guest who has none: nobody can sign in with it, as `invalid` is a reserved top-level domain (RFC 2606). */
export function guestEmail(id: string): string {
  return `${id.toLowerCase()}@guest.invalid`;
}
