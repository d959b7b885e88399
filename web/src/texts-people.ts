import { english } from './english/people.ts';
import { isGerman } from './language.ts';

/** In the language of the reader. */
export const peopleTexts = isGerman ? (await import('./german/people.ts')).peopleTexts : english;
