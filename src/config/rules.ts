import { resolve } from 'node:path';
import { isServerAddress, TLS_MODES } from '../db/postgres/server-address.ts';
import { parseAddressRanges } from '../lib/address-ranges.ts';
import { readSecureUrl } from '../lib/secure-url.ts';

/** Syntax of a setting. */
export interface Rule<Value> {
  /** Completes "expected …" in messages: `a port number from 0 to 65535`. */
  readonly expected: string;
  /** Parses a text; undefined if invalid. */
  parse(text: string): Value | undefined;
}

/** Rule for a decimal integer within bounds, both inclusive. @param unit such as `seconds` */
export function wholeNumber(from: number, to: number, unit?: string): Rule<number> {
  const bounds = from === 0 ? `up to ${to}` : `from ${from} to ${to}`;
  return {
    expected: `a whole number${unit === undefined ? '' : ` of ${unit}`} ${bounds}`,
    parse(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= from && value <= to ? value : undefined;
    },
  };
}

/** Multiplies the number of a rule, to convert it to a smaller unit. */
export function scaled(factor: number, { expected, parse }: Rule<number>): Rule<number> {
  return {
    expected,
    parse(text) {
      const value = parse(text);
      return value === undefined ? undefined : value * factor;
    },
  };
}

/** Rule for one of some words; case matters. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Rule<Word> {
  return {
    expected: words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`,
    parse: (text) => words.find((word) => word === text),
  };
}

/** Rule for a text that fulfils a condition. */
export function textThat(expected: string, isRight: (text: string) => boolean): Rule<string> {
  return { expected, parse: (text) => (isRight(text) ? text : undefined) };
}

/** Rule for a comma-separated list that fulfils a condition; an empty text is an empty list. */
function listThat(expected: string, isRight: (items: readonly string[]) => boolean): Rule<readonly string[]> {
  return {
    expected: `${expected}, separated by commas`,
    parse(text) {
      const items = text === '' ? [] : text.split(',').map((item) => item.trim());
      return isRight(items) ? items : undefined;
    },
  };
}

export const anyText = textThat('a text', () => true);

export const currencyCode = textThat('a currency code of three capital letters, such as EUR', (text) =>
  /^[A-Z]{3}$/.test(text),
);
export const hostName = textThat('a host name or address', () => true);
export const portNumber: Rule<number> = { ...wholeNumber(0, 65_535), expected: 'a port number from 0 to 65535' };
export const folder: Rule<string> = { expected: 'a folder', parse: (text) => resolve(text) };
export const file: Rule<string> = { expected: 'a file', parse: (text) => resolve(text) };

export const requestsPerMinute: Rule<number> = {
  ...wholeNumber(0, 1e9),
  expected: 'requests a minute, a whole number up to 1000000000, or 0 for no limit',
};

export const trueOrFalse: Rule<boolean> = {
  expected: 'true or false',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
};

/** OpenTelemetry ignores the case of these words. */
export const trueOrFalseInAnyCase: Rule<boolean> = {
  ...trueOrFalse,
  parse: (text) => trueOrFalse.parse(text.toLowerCase()),
};

export const postgresAddress = textThat(
  'a PostgreSQL address with one host, such as postgres://user:password@host:5432/database, with %, #, ?, / and @ of a password ' +
    `percent-encoded (% is %25), and an sslmode of ${TLS_MODES.join(', ')}`,
  isServerAddress,
);

export const secret = textThat('at least 32 bytes', (text) => Buffer.byteLength(text) >= 32);

/** Maximum length in characters of an issuer in the table `user_identities`. */
const MAX_ISSUER_LENGTH = 500;

export const tokenIssuer = textThat(
  `a text of up to ${MAX_ISSUER_LENGTH} characters`,
  (text) => text.length <= MAX_ISSUER_LENGTH,
);

export const discoverableIssuer = textThat(
  'the address of an issuer with https (http on this machine alone), without a query, such as https://id.example/realm',
  (text) => text.length <= MAX_ISSUER_LENGTH && readSecureUrl(text) !== undefined && !text.includes('?'),
);

export const secureAddress: Rule<URL> = {
  expected: 'an address with https (http on this machine alone), such as https://id.example/keys',
  parse: readSecureUrl,
};

export const claimName = textThat('the name of a claim, of up to 100 characters', (text) =>
  /^[\x21-\x7e]{1,100}$/.test(text),
);

export const openIdScopes = textThat('scopes separated by spaces, openid among them', (text) =>
  text.split(' ').includes('openid'),
);

export const httpAddress = textThat('an address such as http://127.0.0.1:4318', (text) =>
  /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : ''),
);

export const addressRanges = listThat(
  'addresses or ranges such as 10.0.0.0/8',
  (items) => parseAddressRanges(items) !== undefined,
);

export const origins = listThat('origins such as https://app.example, or *', (items) =>
  items.every((item) => item === '*' || (URL.canParse(item) && new URL(item).origin === item)),
);
