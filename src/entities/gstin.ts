const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** 15 letters and digits, two digits first, and a letter among the five that follow. */
const INDIAN = /^\d\d(?=\d{0,4}[A-Z])[A-Z\d]{13}$/;

/** State; PAN or TAN of ten characters; number of the registration within the state; kind of registration; check digit. */
const OF_TAXPAYERS = /^\d\d[A-Z]{4}[A-Z\d]\d{4}[A-Z][A-Z\d]{3}$/;
/** State and year; country or body; serial number; UN body or embassy, non-resident, or online service from abroad; check digit. */
const OF_OTHERS = /^\d{4}[A-Z]{3}\d{5}(?:[UO]N|NR|OS)[A-Z\d]$/;

/**
 * Checks a tax registration number that has the form of an Indian GSTIN, in either case of letters.
 *
 * - Has the form: 15 letters and digits, the first two of them digits, with a letter among the next five. Numbers of other
 *   countries that have 15 characters (United Arab Emirates, Saudi Arabia: digits alone; Canada: nine digits first) do not.
 * - Format: the regular expressions that the GST Network gives to developers
 *   (https://developer.gst.gov.in/apiportal/taxpayer/returns), for taxpayers, deductors and holders of a UIN.
 * - State: 01 to 38 (the state codes of the census, https://services.gst.gov.in/services/searchtp), 97 other territory,
 *   99 centre jurisdiction.
 * - Check digit: the Luhn algorithm modulo 36, over the first 14 characters
 *   (https://en.wikipedia.org/wiki/Luhn_mod_N_algorithm).
 *
 * @returns what is expected instead, to complete "expected …"; undefined for a good number and for one of another form
 */
export function gstinFault(text: string): string | undefined {
  const number = text.toUpperCase();
  if (!INDIAN.test(number)) return undefined;
  if (!OF_TAXPAYERS.test(number) && !OF_OTHERS.test(number)) {
    return 'of an Indian GSTIN: 2 digits for the state, a PAN (5 letters, 4 digits, a letter), 3 letters or digits, such as 27AAPFU0939F1ZV';
  }
  const state = Number(number.slice(0, 2));
  if (!(state >= 1 && state <= 38) && state !== 97 && state !== 99) {
    return `a GSTIN that begins with the code of a state: 01 to 38, 97 or 99, not ${number.slice(0, 2)}`;
  }
  const right = checkDigit(number.slice(0, 14));
  if (number.endsWith(right)) return undefined;
  return `the check digit ${right} at the end of this GSTIN, not ${number.slice(-1)}, unless another character is mistyped`;
}

/** Returns a number without the signs that people put into it. */
export const withoutSigns = (number: string) => number.replace(/[\s./]/g, '');

/** Returns the check digit for the first 14 characters. */
function checkDigit(characters: string): string {
  let sum = 0;
  for (let at = 0; at < characters.length; at++) {
    const product = DIGITS.indexOf(characters.charAt(at)) * (at % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return DIGITS.charAt((36 - (sum % 36)) % 36);
}
