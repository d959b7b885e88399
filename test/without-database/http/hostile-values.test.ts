import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { readGeographySource } from '../../../src/import/geography-source.ts';
import type { ErrorBody } from '../../support/answers.ts';
import { buildBareApp } from '../../support/bare-app.ts';
import { byGet, byPost, GEOGRAPHY_PATHS, type Parameters } from '../../support/geography-lists.ts';
import { publishedSchemaCheck } from '../../support/matches-schema.ts';

const REQUESTS = 2_000;
const NAMES = ['search', 'stateId', 'countryId', 'isPaginationNeeded', 'page', 'limit'] as const;

const TEXTS = [
  ...[
    '',
    ' ',
    'a',
    'new',
    'BOGOTÁ',
    'İ',
    'ß',
    '東京',
    '🦉',
    '\u0301',
    '%',
    '_',
    '\\',
    '%%%',
    "'",
    '"',
    "' or 1=1 --",
    '`',
  ],
  ...[
    '\0',
    '\ud800',
    '\udc00\ud800',
    '\uFEFF',
    '\u202e',
    '\u2028',
    '\n',
    '\r\n',
    '\t',
    '#{7*7}',
    '{{7*7}}',
    '<script>',
  ],
  ...[
    '../../../etc/passwd',
    '%00',
    '%zz',
    '%c0%af',
    '[',
    '(',
    '(a+)+$',
    '.*',
    '?',
    '#',
    '&',
    '=',
    ';',
    '+',
    '__proto__',
  ],
  ...[
    'constructor',
    'toString',
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '[object Object]',
    'true',
    'false',
    'TRUE',
    'yes',
  ],
  ...[
    '0',
    '1',
    '-1',
    '10',
    '101',
    '1000',
    '1001',
    '4009',
    '1.5',
    '1e3',
    '0x10',
    '007',
    '-0',
    '2147483648',
    '4294971305',
  ],
  ...[
    '9007199254740991',
    '9007199254740993',
    '-9223372036854775809',
    '9'.repeat(310),
    'x'.repeat(256),
    'x'.repeat(10_240),
  ],
];
const VALUES: readonly unknown[] = [
  ...[true, false, null, 0, 1, -1, 2, 10, 101, 1000, 1001, 4009, 1.5, -0.1, 1e21, 1e308, 2 ** 31, 2 ** 53, -(2 ** 63)],
  ...[[], [[]], ['a', 'a'], [1, 1], [null], {}, { $gt: '' }, { length: 1e9 }, { toString: 'x' }, { toJSON: null }],
];

/** A small, fast generator of the same numbers for the same seed (mulberry32), each below `bound`. */
function randomNumbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

const below = randomNumbers(20_260_101);
const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;

function randomText(): string {
  const ceiling = oneOf([0x80, 0x250, 0x3000, 0x10000]);
  return String.fromCharCode(...Array.from({ length: below(20) }, () => below(ceiling)));
}

function randomParameters(): Parameters {
  const names = NAMES.filter(() => below(4) === 0);
  const kinds = [() => oneOf(TEXTS), () => oneOf(VALUES), randomText, () => [oneOf(TEXTS), oneOf(TEXTS)]];
  const parameters = Object.fromEntries(names.map((name) => [name, oneOf(kinds)()]));
  // Most answers are one page: full lists are long.
  return { isPaginationNeeded: oneOf([true, 'true']), ...parameters };
}

const bare = await buildBareApp({ places: readGeographySource() });
after(() => bare[Symbol.asyncDispose]());

it(`none of ${REQUESTS} requests with random and hostile values is a fault of the service`, async () => {
  const check = publishedSchemaCheck(bare.app);
  const times = new Map<number, number>();
  for (let number = 0; number < REQUESTS; number++) {
    const [path, by, parameters] = [oneOf(GEOGRAPHY_PATHS), oneOf([byGet, byPost]), randomParameters()];
    const request = by(path, parameters);
    const response = await bare.app.inject(request);
    const { statusCode, headers } = response;
    times.set(statusCode, (times.get(statusCode) ?? 0) + 1);
    const what = `${number}: ${JSON.stringify(request).slice(0, 1000)}\n${response.body.slice(0, 300)}`;
    assert.ok(statusCode === 200 || statusCode === 400, what);
    if (response.rawPayload.length < 100_000) check({ method: request.method, path }, response);
    if (statusCode === 400) {
      const { errors = [], requestId } = response.json<ErrorBody>();
      assert.ok(errors.length > 0 && errors.every(({ field }) => Object.hasOwn(parameters, field)), what);
      assert.equal(headers['x-request-id'], requestId);
    }
  }
  for (const status of [200, 400])
    assert.ok((times.get(status) ?? 0) > REQUESTS / 5, `${status}: ${times.get(status)}`);
});
