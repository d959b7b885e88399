import { english } from './english/profile.ts';
import { german } from './language.ts';

/** In the language of the reader. */
export const profileTexts = german?.profileTexts ?? english;
