import { english } from './english/history.ts';
import { german } from './language.ts';

/** In the language of the reader. */
export const historyTexts = german?.historyTexts ?? english;
