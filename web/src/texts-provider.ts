import { english } from './english/provider.ts';
import { isGerman } from './language.ts';

/** In the language of the reader. */
export const providerTexts = isGerman ? (await import('./german/provider.ts')).providerTexts : english;
