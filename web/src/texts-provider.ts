import { english } from './english/provider.ts';
import { german } from './language.ts';

/** In the language of the reader. */
export const providerTexts = german?.providerTexts ?? english;
