import * as english from './english/lazy.ts';
import { isGerman } from './texts.ts';

/** Texts that no page needs at the start: they are loaded with the other pages. */
export const { connectionTexts, importTexts, overviewTexts, spendingTexts }: typeof english = isGerman
  ? await import('./german/german.ts')
  : english;
