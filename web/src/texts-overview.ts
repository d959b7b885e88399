import { english } from './english/overview.ts';
import { german } from './language.ts';

/** In the language of the reader. */
export const overviewTexts = german?.overviewTexts ?? english;
