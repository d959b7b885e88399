/** The languages in which states and cities have names; the first is that of a `=`. */
export const LANGUAGES: readonly string[] = ['en', 'ar', 'de', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'pt', 'ru', 'zh'];
/** Separates the names of a place in each of the languages. A name as in English is a `=`. */
const SEPARATOR = ';';

const primary = (language: string): string => language.split('-')[0] ?? '';

/** Returns a place's name in a language such as `de-AT`; undefined where it is not known. */
export function nameIn(language: string, names: string): string | undefined {
  const [english, ...others] = names.split(SEPARATOR);
  const place = LANGUAGES.indexOf(primary(language));
  const name = place === 0 ? english : others[place - 1];
  return (name === '=' ? english : name) || undefined;
}

/** Returns each name of a place once. */
export function namesInAll(names: string): string[] {
  return names.split(SEPARATOR).filter((name) => name !== '' && name !== '=');
}

/** Returns a function that returns what a country is called, by its code of two letters, in the language of the call before at no cost. */
export function countryNames(): (language: string, iso2: string) => string | undefined {
  let names: Intl.DisplayNames | undefined;
  let last = '';
  return (language, iso2) => {
    if (names === undefined || language !== last) {
      [names, last] = [new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }), language];
    }
    return isKnown(language) ? names.of(iso2) : undefined;
  };
}

const isKnown = (language: string) => Intl.DisplayNames.supportedLocalesOf(language).length > 0;

/** Most languages of a header that are looked at. */
const MAX_RANGES = 20;

/** Returns the best language of `Accept-Language` (RFC 9110, section 12.5.4) in which places have names; English where there is none. */
export function languageOf(acceptLanguage = '', isOfCountries = false): string {
  const ranges = acceptLanguage.split(',', MAX_RANGES).map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? '1';
    return { tag, weight: Number(weight) };
  });
  const wanted = ranges.filter(({ tag, weight }) => weight > 0 && /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(tag));
  wanted.sort((one, other) => other.weight - one.weight);
  const languages = wanted.flatMap(({ tag }) => {
    try {
      return Intl.getCanonicalLocales(tag);
    } catch {
      return [];
    }
  });
  const hasNames = (language: string) => (isOfCountries ? isKnown(language) : LANGUAGES.includes(primary(language)));
  return languages.find(hasNames) ?? 'en';
}
