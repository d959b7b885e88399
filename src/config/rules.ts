import { resolve } from 'node:path';
import { parseAddressRanges } from '../lib/address-ranges.ts';
import { readSecureUrl } from '../lib/secure-url.ts';

/** What a setting may hold. */
export interface Rule<Value> {
  /** For people, after "expected": `a port number from 0 to 65535`. */
  readonly expected: string;
  /** Text to value; undefined where the text is not what is expected. */
  parse(text: string): Value | undefined;
}

/** A whole number within bounds, in decimal digits alone. @param unit what it counts, such as `seconds` */
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

/** The number that a rule gives, in a smaller unit: so many times as much. */
export function scaled(factor: number, { expected, parse }: Rule<number>): Rule<number> {
  return {
    expected,
    parse(text) {
      const value = parse(text);
      return value === undefined ? undefined : value * factor;
    },
  };
}

/** One of some words, written in just that way. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Rule<Word> {
  return {
    expected: words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`,
    parse: (text) => words.find((word) => word === text),
  };
}

/** A text that fulfils a condition. */
export function textThat(expected: string, isRight: (text: string) => boolean): Rule<string> {
  return { expected, parse: (text) => (isRight(text) ? text : undefined) };
}

/** A list separated by commas, all of whose items fulfil a condition; an empty text is an empty list. */
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
export const hostName = textThat('a host name or address', () => true);
export const portNumber: Rule<number> = { ...wholeNumber(0, 65_535), expected: 'a port number from 0 to 65535' };
export const folder: Rule<string> = { expected: 'a folder', parse: (text) => resolve(text) };

export const requestsPerMinute: Rule<number> = {
  ...wholeNumber(0, 1e9),
  expected: 'requests a minute, a whole number up to 1000000000, or 0 for no limit',
};

export const trueOrFalse: Rule<boolean> = {
  expected: 'true or false',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
};

/** OpenTelemetry takes these words in any case. */
export const trueOrFalseInAnyCase: Rule<boolean> = {
  ...trueOrFalse,
  parse: (text) => trueOrFalse.parse(text.toLowerCase()),
};

export const postgresAddress = textThat(
  'a PostgreSQL address with one host, such as postgres://user:password@host:5432/database',
  (text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, hostname } = new URL(text);
    return /^postgres(ql)?:$/.test(protocol) && !/,|%2c/i.test(hostname);
  },
);

export const secret = textThat('at least 32 bytes', (text) => Buffer.byteLength(text) >= 32);

/** What the keys of identities in the database take (table `user_identities`). */
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
