import * as english from '../../web/src/english/english.ts';
import * as lazy from '../../web/src/english/lazy.ts';
import * as german from '../../web/src/german/german.ts';

/** Says a text of the English console in the language that the console speaks. */
export type Say = (text: string) => string;

const GERMAN = new Map<string, string>();
/** Of a text that stands in several areas the first translation counts. */
const AREAS = [
  'texts',
  'pageTexts',
  'peopleTexts',
  'profileTexts',
  'companyTexts',
  'approvalTexts',
  'keyTexts',
  'webhookTexts',
  'historyTexts',
  'importTexts',
  'overviewTexts',
  'spendingTexts',
  'connectionTexts',
] as const;
const [texts, translations] = [{ ...english, ...lazy }, { ...german }];
for (const area of AREAS) pair(texts[area], translations[area]);

function isText(value: unknown): value is (...values: string[]) => unknown {
  return typeof value === 'function';
}

/** What takes values is known with ones in their places; undefined where it takes others. */
function withOnes(text: (...values: string[]) => unknown): unknown {
  try {
    return text('1', '1', '1', '1');
  } catch {
    return undefined;
  }
}

function pair(text: unknown, translation: unknown): void {
  if (typeof text === 'string' && typeof translation === 'string') {
    if (!GERMAN.has(text)) GERMAN.set(text, translation);
  } else if (isText(text) && isText(translation)) {
    pair(withOnes(text), withOnes(translation));
  } else if (text !== null && typeof text === 'object' && translation !== null && typeof translation === 'object') {
    const translated = translation as Readonly<Record<string, unknown>>;
    for (const [key, value] of Object.entries(text)) pair(value, translated[key]);
  }
}

/** @throws Error for a text that the German console does not have */
export function sayIn(locale: string): Say {
  if (!locale.startsWith('de')) return (text) => text;
  return (text) => {
    const translation = GERMAN.get(text);
    if (translation === undefined) throw new Error(`The German console has no words for: ${text}`);
    return translation;
  };
}
