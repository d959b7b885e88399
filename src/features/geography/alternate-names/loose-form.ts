import { SIMPLIFIED } from './han-forms.ts';

/**
 * Apostrophes and half rings, quotation marks, middle dots, the Arabic letter that only lengthens a word, the dot below letters of
 * Devanagari, the Thai abbreviation sign.
 */
const DROPPED = /['"\u02be\u02bf\u05f3\u05f4·・ـ\u093c\u0e2f]+/g;
/** Word separators, including the Hebrew hyphen. */
const BETWEEN_WORDS = /[\s\-/,;:()[\]\u05be]+/g;
/** Letters that some keyboards lack: Persian and Urdu versus Arabic, Ukrainian versus Russian, the nasal signs of Devanagari. */
const SAME_LETTERS: Readonly<Record<string, string>> = {
  ی: 'ي',
  ى: 'ي',
  ے: 'ي',
  ک: 'ك',
  ة: 'ه',
  ہ: 'ه',
  ھ: 'ه',
  ە: 'ه',
  ґ: 'г',
  '\u0901': '\u0902',
};
const HIRAGANA_TO_KATAKANA = 0x60;
/** Letters with several spellings. */
const SEVERAL_WAYS = /[ىیےکةہھەґ\u0901ぁ-ゖ\u3400-\u9fff]/g;

/** Most folded names, which are their own form. */
const PLAIN_WORDS = /^[a-z]+(?: [a-z]+)*$/;

function oneWay(letter: string): string {
  if (letter >= 'ぁ' && letter <= 'ゖ') return String.fromCharCode(letter.charCodeAt(0) + HIRAGANA_TO_KATAKANA);
  return SAME_LETTERS[letter] ?? SIMPLIFIED.get(letter) ?? letter;
}

/** A dot in front of a word; any other, as in `D.C.`, is dropped. */
const DOT_BEFORE_WORD = /\.(?=[^ .][^ .])/g;

/**
 * Returns a folded name in the form compared with what people type: without punctuation, with single spaces. `st. louis`, `st louis` and
 * `st.louis` become the same, and so do `winston-salem` and `winston salem`, `xi'an` and `xian`. Letters with several spellings get one:
 * `紐約` and `纽约` become the same, and so do `とうきょう` and `トウキョウ`.
 */
export function looseForm(folded: string): string {
  if (PLAIN_WORDS.test(folded)) return folded;
  return folded
    .replace(/ ?& ?/g, ' and ')
    .replace(DROPPED, '')
    .replace(BETWEEN_WORDS, ' ')
    .replace(DOT_BEFORE_WORD, ' ')
    .replaceAll('.', '')
    .replace(SEVERAL_WAYS, oneWay)
    .replace(/ {2,}/g, ' ')
    .trim();
}
