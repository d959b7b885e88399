import { english } from './english/overview.ts';
import { isGerman } from './language.ts';

/** In the language of the reader. */
export const overviewTexts = isGerman ? (await import('./german/overview.ts')).overviewTexts : english;
