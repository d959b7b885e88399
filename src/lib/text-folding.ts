/** Letters and signs that NFKD does not decompose, and what people type for them. Keys are lower case. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ə: 'e',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ',
  ...spelled("'", '\u2018\u2019\u201a\u201b\u02bb\u02bc\u2032`'),
  ...spelled('"', '\u201c\u201d\u201e\u201f'),
  ...spelled('-', '\u2010\u2012\u2013\u2014\u2212'),
};

function spelled(sign: string, others: string): Record<string, string> {
  return Object.fromEntries([...others].map((other) => [other, sign]));
}

/**
 * Combining marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters, variation selectors, and invisible characters.
 * Marks of other scripts stay, as they are part of the spelling: vowel signs of Devanagari or Thai, the voicing of kana.
 */
const REMOVED = new RegExp(
  '[\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a' +
    '\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u0897-\\u089f\\u08ca-\\u08e1\\u08e3-\\u08ff' +
    '\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20f0\\u2de0-\\u2dff\\ua66f-\\ua672\\ua674-\\ua67d\\ua69e\\ua69f\\ufb1e' +
    '\\ufe00-\\ufe0f\\ufe20-\\ufe2f\\u{10efa}-\\u{10eff}\\u{1e08f}\\u{e0100}-\\u{e01ef}' +
    '\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]+',
  'gu',
);
/** Spacing acute accents, which NFKD would turn into a space. */
const ACUTES = /[\u00b4\u1ffd]/g;
/** Unicode White_Space. `\s` also matches the byte order mark, which has been removed before. */
const WHITE_SPACE = /[\s\u0085]+/gu;
/** Printable ASCII except the grave accent. */
const PLAIN = /^[ -_a-~]*$/;
const NOT_PLAIN = /[^ -_a-~]/gu;

/** Lower-cases a single letter: `String.prototype.toLowerCase` on a whole word depends on neighbouring letters. */
function plainLetter(letter: string): string {
  const lower = letter.toLowerCase();
  return SPELLINGS[lower] ?? lower;
}

/**
 * Folds a text for search and sorting: removes case, accents and superfluous white space, so that
 * `bogota` equals `Bogotá` and `ISTANBUL` equals `İstanbul`. Idempotent.
 *
 * Equivalent to the SQL function `fold` (migrations/0046); a test compares the two.
 */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ').trim();
  // Removed before NFKD too: the removed characters could keep NFKD from reordering marks.
  return text
    .replace(REMOVED, '')
    .replace(ACUTES, "'")
    .normalize('NFKD')
    .replace(REMOVED, '')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replace(NOT_PLAIN, plainLetter)
    .replace(WHITE_SPACE, ' ')
    .trim();
}

/**
 * Compares two texts by code point, as PostgreSQL does under the collation `"C"`.
 * JavaScript's own `<` compares UTF-16 units, which puts U+FFxx after the emoji.
 */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** Returns the Levenshtein distance. */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [column, compared] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === compared ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Characters that may be wrong, missing or too many. */
const MAX_DISTANCE = 2;
/** Longest name that is compared: the work is the product of the lengths. */
const MAX_LENGTH = 60;

/** Returns the known name that a mistyped one is nearest to, without regard to case, `_` and `-`; undefined where none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const plain = (text: string) => text.replaceAll(/[_-]/g, '').toUpperCase();
  const [nearest] = known
    .map((each) => ({ each, distance: editDistance(plain(each), plain(name)) }))
    .filter(({ each, distance }) => distance <= MAX_DISTANCE && distance < each.length / 2)
    .sort((one, other) => one.distance - other.distance);
  return nearest?.each;
}
