import { INVISIBLE, isLonger } from './characters.ts';

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
