import { INVISIBLE, isLonger } from './characters.ts';

const LONGEST = 254;

/** A letter, with its marks, or a digit, of any script. */
const LETTER = '[\\p{L}\\p{Nd}]\\p{M}*';
const ATOM = String.raw`(?:${LETTER}|[!#$%&'*+/=?^_\x60{|}~-])+`;
const LABEL = `(?:${LETTER})+(?:-+(?:${LETTER})+)*`;
const EMAIL = new RegExp(String.raw`^(?!')${ATOM}(?:\.${ATOM})*@${LABEL}(?:\.${LABEL})+$`, 'u');

/** Whether the text is an e-mail address as an address book would take it, of at most 254 characters. */
export function isEmail(text: string): boolean {
  return !isLonger(text, LONGEST) && EMAIL.test(text) && text.search(INVISIBLE) < 0;
}

const STORED = /^[^@\s\p{Cc}\p{Cf}\p{Cs}]+@[^@\s\p{Cc}\p{Cf}\p{Cs}]+$/u;

/** Whether somebody may have the text as their address: people who had one before {@link isEmail} was the rule keep it. */
export function mayBeStoredEmail(text: string): boolean {
  return !isLonger(text, LONGEST) && STORED.test(text);
}
