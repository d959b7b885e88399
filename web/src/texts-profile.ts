import { english } from './english/profile.ts';
import { isGerman } from './language.ts';

/** In the language of the reader. */
export const profileTexts = isGerman ? (await import('./german/profile.ts')).profileTexts : english;
