/// <reference types="vite/types/importMeta.d.ts" />
import { parse, type Token } from '@messageformat/parser';
import { kept } from './storage.ts';

/** Translations by English message; of a message in a context by `message | context`. */
export type Catalogue = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string | number>>;
type Translate = (message: string, values?: Values & { context?: string }) => string;

/** The catalogue of each language but English: a further language is a further file. */
const CATALOGUES = import.meta.env
  ? import.meta.glob<Catalogue>('./catalogues/*.json', { import: 'default' })
  : // The tests run the sources as they are, in English.
    {};

/** The languages of the reader's browser, without tags that are none, such as `C`. */
const browserLanguages = (
  (globalThis as { navigator?: { languages: readonly string[] } }).navigator?.languages ?? []
).filter(isLanguage);

/** Under which the browser keeps the language that was chosen. */
export const LANGUAGE_KEY = 'orgdesk.language';
const chosen = kept('localStorage', LANGUAGE_KEY)?.language;
/** The languages of the reader: one that was chosen in the console, then those of the browser. */
export const readerLanguages: readonly string[] =
  typeof chosen === 'string' && isLanguage(chosen)
    ? [localeOf(chosen, browserLanguages), ...browserLanguages]
    : browserLanguages;

function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/** Returns the first of the preferred languages that is English or has a catalogue; otherwise English. */
export function chooseLanguage(tags: readonly string[], available: readonly string[]): string {
  const languages = tags.map((tag) => tag.toLowerCase().split('-', 1)[0] ?? '');
  return languages.find((language) => language === 'en' || available.includes(language)) ?? 'en';
}

/**
 * Returns the language that is spoken with the region of the reader: the texts, digits, dates and plurals of a page are of one language.
 *
 * @param tags the reader's languages
 */
export function localeOf(language: string, tags: readonly string[]): string {
  const own = tags.find((tag) => tag.toLowerCase().split('-', 1)[0] === language);
  const region = tags[0] && new Intl.Locale(tags[0]).maximize().region;
  return own ?? (region ? `${language}-${region}` : language);
}

/**
 * Returns the translations of a catalogue: functions that take an English message in ICU's MessageFormat, with the
 * values of its arguments. `context` distinguishes equal messages with different translations.
 */
export function translator(language: string, catalogue: Catalogue): Translate {
  const [english, rules] = ['en', language].map((tag) => new Intl.PluralRules(tag));
  return (message, { context, ...values } = {}) => {
    const translation = catalogue[context === undefined ? message : `${message} | ${context}`];
    return format(translation ?? message, values, translation === undefined ? english : rules);
  };
}

const parsed = new Map<string, Token[]>();

function format(message: string, values: Values, rules: Intl.PluralRules | undefined): string {
  if (!message.includes('{')) return message;
  const tokens = parsed.get(message) ?? parse(message);
  parsed.set(message, tokens);
  return textOf(tokens);

  /** @param count what `#` stands for */
  function textOf(part: readonly Token[], count?: number): string {
    return part.map((token) => textOfToken(token, count)).join('');
  }

  function textOfToken(token: Token, count: number | undefined): string {
    if (token.type === 'content') return token.value;
    if (token.type === 'octothorpe') return count === undefined ? '#' : numbers.format(count);
    const value = values[token.arg] ?? '';
    if (!('cases' in token)) return String(value);
    const find = (key: string | undefined) => token.cases.find((one) => one.key === key);
    const isPlural = token.type === 'plural';
    const found = find(isPlural ? `=${value}` : String(value)) ?? find(isPlural ? rules?.select(Number(value)) : '');
    return textOf((found ?? find('other'))?.tokens ?? [], isPlural ? Number(value) : count);
  }
}

const loaders = new Map(
  Object.entries(CATALOGUES).map(([file, load]) => [file.replace(/^.*\/|\.json$/g, ''), load] as const),
);
/** The languages that the console speaks. */
export const LANGUAGES: readonly string[] = ['en', ...loaders.keys()];
/** The language of the console. */
export const language = chooseLanguage(readerLanguages, LANGUAGES);
export const locale = localeOf(language, readerLanguages);
/** Whether its lines begin at the right: arrows to the right lead backwards. */
export const isRightToLeft = ['ar', 'fa', 'he', 'ur'].includes(language);
const numbers = new Intl.NumberFormat(locale);
let catalogue: Catalogue = {};
let translate = translator('en', catalogue);

/** Makes the console speak a language from now on. */
export function speak(tag: string, translations: Catalogue): void {
  catalogue = translations;
  translate = translator(tag, translations);
}

speak(language, (await loaders.get(language)?.()) ?? {});

/** Returns an English message in the reader's language. */
export const t: Translate = (message, values) => translate(message, values);

/** As {@link t}, for a message that a name makes. */
export const translated = (message: string): string => translate(message);

/** Returns the console's words for an error code; undefined in English, which the service speaks itself. */
export function errorText(code: string): string | undefined {
  return catalogue[`${code} | error`];
}
