import { english } from './english/pages.ts';
import { german } from './language.ts';

/** In the language of the reader. */
export const pageTexts = german?.pageTexts ?? english;
