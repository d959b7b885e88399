/** Control characters (NUL among them) and halves of surrogate pairs, which are no text. */
export const UNWRITABLE = /[\p{Cc}\p{Cs}]/u;

/** Stands for a character that could not be read. */
export const REPLACEMENT = '\ufffd';

/** Characters that nothing is drawn for: U+200B, U+FEFF, signs of direction, fillers such as U+3164. */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Any other: white space and the blank braille pattern U+2800 cannot be seen either. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]/u;

/** Whether the text has a character that can be seen. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** Whether the text has more code points (as JSON Schema counts) than the maximum: each takes one or two units. */
export function isLonger(value: string, maximum: number): boolean {
  return value.length > maximum && (value.length > 2 * maximum || [...value].length > maximum);
}

/** Whether PostgreSQL takes the text: it takes neither NUL nor half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
