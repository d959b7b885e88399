import { readFileSync } from 'node:fs';
import { type Catalogue, translator } from '../../web/src/translate.ts';

/** Says a text of the English console in the language that the console speaks. */
export type Say = (text: string) => string;

const CATALOGUE = new URL('../../web/src/catalogues/de.json', import.meta.url);

/** The German texts by the English ones, with 1 for each value; of several translations that without a context counts. */
function readTexts(): Map<string, string> {
  const catalogue: Catalogue = JSON.parse(readFileSync(CATALOGUE, 'utf8'));
  const [english, german] = [translator('en', {}), translator('de', catalogue)];
  const texts = new Map<string, string>();
  for (const key of Object.keys(catalogue).sort()) {
    const [message = '', context] = key.split(' | ');
    const ones = Object.fromEntries([...message.matchAll(/\{(\w+)[,}]/g)].map(([, name = '']) => [name, 1]));
    const text = english(message, ones);
    if (!texts.has(text)) texts.set(text, german(message, { ...ones, ...(context === undefined ? {} : { context }) }));
  }
  return texts;
}

/** @throws Error for a text that the German console does not have */
export function sayIn(locale: string): Say {
  if (!locale.startsWith('de')) return (text) => text;
  const texts = readTexts();
  return (text) => {
    const translation = texts.get(text);
    if (translation === undefined) throw new Error(`The German console has no words for: ${text}`);
    return translation;
  };
}
