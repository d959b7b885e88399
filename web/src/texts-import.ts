import { english } from './english/import.ts';
import { german } from './language.ts';

/** In the language of the reader. */
export const importTexts = german?.importTexts ?? english;
