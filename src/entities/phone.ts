import {
  type CountryCode,
  isSupportedCountry,
  ParseError,
  parsePhoneNumberWithError,
  validatePhoneNumberLength,
} from 'libphonenumber-js/min';
import { INVISIBLE } from './characters.ts';
import type { Reading } from './values.ts';

const INTERNATIONAL = '+ with the country code, then the digits, such as +919876543210';
/** What is expected instead, by the fault that the library finds. */
const EXPECTED: Readonly<Record<string, string>> = {
  INVALID_COUNTRY: 'a number whose country code exists',
  TOO_SHORT: 'a number with more digits: its country has none this short',
  TOO_LONG: 'a number with fewer digits: its country has none this long',
  INVALID_LENGTH: 'a number with as many digits as those of its country have',
};
const E164 = /^\+[1-9]\d{1,14}(;ext=\d+)?$/;
const COUNTRIES = new Intl.DisplayNames('en', { type: 'region' });

/** Of this process, by its setting. */
let defaultCountry: string | undefined;

/** Sets the country in whose national forms telephone numbers are read where a company has none. */
export function setDefaultCountry(country: string | undefined): void {
  defaultCountry = country;
}

/** Returns the country in whose national forms the telephone numbers of a company are read. @param own the company's; null: none */
export function homeCountry(own: string | null | undefined): string | null {
  return own ?? defaultCountry ?? null;
}

/**
 * Reads a telephone number in international form (`+` or `00`), or in a national form of a country. Spaces, hyphens, dots, slashes, brackets
 * and `(0)` may be within it, an extension (`ext. 7`, `;ext=7`) behind it.
 *
 * @param country code of two letters; null: only international forms are read
 * @returns the number in E.164, with an extension as `+12015550123;ext=7`; or what it must be instead
 */
export function readPhone(text: string, country: string | null): Reading<string> {
  const given = text.replace(INVISIBLE, '').trim().replace(/^tel:/i, '');
  const home = country !== null && isSupportedCountry(country) ? country : undefined;
  if (/^[(\s]*[+＋]/.test(given)) return read(given);
  const dialled = /^00[1-9]/.test(given) ? read(given.replace('00', '+')) : invalid(INTERNATIONAL);
  if ('value' in dialled || home === undefined) return dialled;
  // Where people dial otherwise, such as 011 in the US, the forms of the country tell it.
  const reading = read(given, home);
  return 'value' in reading ? reading : invalid(`a number of ${COUNTRIES.of(home)}, or ${INTERNATIONAL}`);
}

/** Reads a number, in a national form only if it exists: the country is a guess. */
function read(text: string, defaultCountry?: CountryCode): Reading<string> {
  const options = { extract: false, ...(defaultCountry && { defaultCountry }) };
  try {
    const number = parsePhoneNumberWithError(text, options);
    if (defaultCountry === undefined ? number.isPossible() : number.isValid()) {
      // The library takes a zero from each reading of a number that does not exist: what is E.164 already stays as it is.
      if (E164.test(text) && !number.isValid()) return { value: text };
      return { value: number.ext === undefined ? number.number : `${number.number};ext=${number.ext}` };
    }
    return invalid(EXPECTED[validatePhoneNumberLength(text, options) ?? ''] ?? INTERNATIONAL);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return invalid(EXPECTED[error.message] ?? INTERNATIONAL);
  }
}

function invalid(expected: string): Reading<string> {
  return { code: 'INVALID_FORMAT', expected };
}
