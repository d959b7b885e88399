import { english } from './english/pages.ts';
import { isGerman } from './language.ts';

/** In the language of the reader. */
export const pageTexts = isGerman ? (await import('./german/pages.ts')).pageTexts : english;
