import { english } from './english/people.ts';
import { german } from './language.ts';

/** In the language of the reader. */
export const peopleTexts = german?.peopleTexts ?? english;
