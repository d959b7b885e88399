import { english } from './english/history.ts';
import { isGerman } from './language.ts';

/** In the language of the reader. */
export const historyTexts = isGerman ? (await import('./german/history.ts')).historyTexts : english;
