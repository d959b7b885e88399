import { readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { isSupportedCountry } from 'libphonenumber-js/min';
import { isServerAddress, TLS_MODES } from '../db/postgres/server-address.ts';
import { isPlainSvg, PNG } from '../entities/brand.ts';
import { integer, type TextRule } from '../entities/values.ts';
import { parseAddressRanges } from '../lib/address-ranges.ts';
import { isDiscoverableIssuer, readSecureUrl } from '../lib/secure-url.ts';
import { mayNamePerson } from '../lib/subject-claims.ts';

/** Returns a rule for a whole number in a larger unit, which it converts to the smaller one. @param unit such as `seconds` */
export function inUnit(unit: string, { rule, parse }: TextRule<number>, factor = 1): TextRule<number> {
  const expected = `${rule}, in ${unit}`;
  return {
    rule: expected,
    parse(text) {
      const reading = parse(text);
      return 'value' in reading ? { value: reading.value * factor } : { code: reading.code, expected };
    },
  };
}

/** Returns a rule for a text from which a value can be read. @param read returns undefined for an invalid text */
function readAs<Value>(rule: string, read: (text: string) => Value | undefined): TextRule<Value> {
  return {
    rule,
    parse(text) {
      const value = read(text);
      return value === undefined ? { code: 'INVALID_FORMAT', expected: rule } : { value };
    },
  };
}

/** Returns a rule for a text that fulfils a condition. */
function textThat(rule: string, isRight: (text: string) => boolean): TextRule<string> {
  return readAs(rule, (text) => (isRight(text) ? text : undefined));
}

/** Rule for a comma-separated list that fulfils a condition; an empty text is an empty list. */
function listThat(expected: string, isRight: (items: readonly string[]) => boolean): TextRule<readonly string[]> {
  return readAs(`${expected}, separated by commas`, (text) => {
    const items = text === '' ? [] : text.split(',').map((item) => item.trim());
    return isRight(items) ? items : undefined;
  });
}

export const anyText = textThat('a text', () => true);
export const hostName = textThat('a host name or address', () => true);
export const basePath = textThat('a path such as /orgdesk, without a slash at its end', (text) =>
  /^(?:\/[\w.~-]+)*$/.test(text),
);
export const portNumber = integer(0, 65_535);
export const country = readAs('a country code of ISO 3166-1, such as IN', (text) => {
  const code = text.toUpperCase();
  return isSupportedCountry(code) ? code : undefined;
});
export const folder = readAs('a folder', resolve);
export const file = readAs('a file', resolve);
/** An image that the service serves itself, or the address of one. */
export type Logo = URL | { type: string; ending: string; content: Buffer };

const MAX_LOGO = 262_144;

export const logo: TextRule<Logo> = readAs(
  'a PNG file, an SVG file without scripts and addresses outside of it (each up to 256 kB), or an https address without a query',
  (given) => {
    if (/^https:/i.test(given)) {
      const url = readSecureUrl(given);
      return url && url.search === '' && /^[a-z\d.:-]+$/.test(url.host) ? url : undefined;
    }
    try {
      const content = readFileSync(given);
      const ending = extname(given).toLowerCase();
      if (content.length > MAX_LOGO) return undefined;
      if (ending === '.svg')
        return isPlainSvg(content.toString()) ? { type: 'image/svg+xml', ending, content } : undefined;
      const isPng = ending === '.png' && content.toString('latin1', 0, 8) === PNG;
      return isPng ? { type: 'image/png', ending, content } : undefined;
    } catch {
      return undefined;
    }
  },
);
export const requestsPerMinute = inUnit('requests a minute; 0 is no limit', integer(0, 1e9));

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
  (text) => text.length <= MAX_ISSUER_LENGTH && isDiscoverableIssuer(text),
);

export const secureAddress = readAs(
  'an address with https (http on this machine alone), such as https://id.example/keys',
  readSecureUrl,
);

export const claimName = textThat(
  'the name of a claim, of up to 100 characters, that names one person for ever',
  (text) => /^[\x21-\x7e]{1,100}$/.test(text) && mayNamePerson(text),
);

export const openIdScopes = textThat('scopes separated by spaces, openid among them', (text) =>
  text.split(' ').includes('openid'),
);

export const httpAddress = textThat('an address such as http://127.0.0.1:4318', (text) =>
  /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : ''),
);

export const mailServer = textThat(
  'an address such as smtps://user:password@host:465 or smtp://127.0.0.1:587',
  (text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== '',
);

export const addressRanges = listThat(
  'addresses or ranges such as 10.0.0.0/8',
  (items) => parseAddressRanges(items) !== undefined,
);

export const origins = listThat('origins such as https://app.example, or *', (items) =>
  items.every((item) => item === '*' || (URL.canParse(item) && new URL(item).origin === item)),
);
