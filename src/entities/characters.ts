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
