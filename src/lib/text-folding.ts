/** Letters that NFKD leaves whole, and what a person types for them. Keys are lower case. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ',
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‟': '"',
};

/** Unicode White_Space, and the byte order mark that `String.prototype.trim` takes for white space too. */
const WHITE_SPACE = /[\s\u0085]+/gu;
const COMBINING_MARKS = /\p{M}+/gu;
const PRINTABLE_ASCII = /^[ -~]*$/;
const BEYOND_ASCII = /[^ -~]/gu;

/** Lower case is taken letter by letter: `String.prototype.toLowerCase` on a whole word looks at a letter's neighbours. */
function plainLetter(letter: string): string {
  const lower = letter.toLowerCase();
  return SPELLINGS[lower] ?? lower;
}

/**
 * Folds a text for search and order: without case, accents and superfluous white space, so that
 * `bogota` equals `Bogotá` and `ISTANBUL` equals `İstanbul`. Idempotent.
 *
 * The SQL function `fold` (migrations/0001) is its twin; a test holds the two equal.
 */
export function fold(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ').trim();
  return text
    .normalize('NFKD')
    .replace(COMBINING_MARKS, '')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replace(BEYOND_ASCII, plainLetter)
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
