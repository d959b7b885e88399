import { english } from './english/import.ts';
import { isGerman } from './language.ts';

/** In the language of the reader. */
export const importTexts = isGerman ? (await import('./german/import.ts')).importTexts : english;
