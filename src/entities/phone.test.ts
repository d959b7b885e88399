import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPhone } from './phone.ts';

const READ = [
  ['+91 98765 43210', null, '+919876543210'],
  ['+919876543210', 'DE', '+919876543210'],
  ['98765 43210', 'IN', '+919876543210'],
  ['098765 43210', 'IN', '+919876543210'],
  ['91 98765 43210', 'IN', '+919876543210'],
  ['(022) 2345-6789', 'IN', '+912223456789'],
  ['0151/1234567', 'DE', '+491511234567'],
  ['(0)89 123456', 'DE', '+4989123456'],
  ['+49 (0)89/123456-0', null, '+49891234560'],
  ['0049 89 123456', null, '+4989123456'],
  ['0049 89 123456', 'DE', '+4989123456'],
  ['011 49 89 123456', 'US', '+4989123456'],
  ['+1.201.555.0123', null, '+12015550123'],
  ['(201) 555-0123', 'US', '+12015550123'],
  ['07911 123456', 'GB', '+447911123456'],
  ['02 36618300', 'IT', '+390236618300'],
  ['8 (495) 123-45-67', 'RU', '+74951234567'],
  ['tel:+49-89-123456', null, '+4989123456'],
  ['\u202a+49\u00a089\u200b123456\u202c', null, '+4989123456'],
  ['+1 201 555 0123 ext. 7', null, '+12015550123;ext=7'],
  ['tel:+1-201-555-0123;ext=7', null, '+12015550123;ext=7'],
  ['+12015550123;ext=7', 'IN', '+12015550123;ext=7'],
] as const;

const REFUSED = [
  ['98765 43210', null, '+ with the country code, then the digits, such as +919876543210'],
  ['000 0000 0000', 'IN', 'a number of India, or + with the country code, then the digits, such as +919876543210'],
  ['1234567', 'US', /^a number of United States, or \+/],
  ['98765 43210', 'ZZ', /^\+ with/],
  ['+999 123456789', null, 'a number whose country code exists'],
  ['+0 123456', null, 'a number whose country code exists'],
  ['+91 12345', null, /more digits/],
  ['+919876543210123456', null, /fewer digits/],
  ['+44 call me', null, /^\+ with/],
  ['hello', 'IN', /^a number of India/],
  ['', null, /^\+ with/],
  ['+', null, /^\+ with/],
] as const;

describe('readPhone', () => {
  for (const [text, country, value] of READ) {
    it(`readPhone reads ${JSON.stringify(text)} in ${country ?? 'no country'} as ${value}`, () => {
      assert.deepEqual(readPhone(text, country), { value });
      assert.deepEqual(readPhone(value, null), { value }, 'what was returned is read as itself');
    });
  }

  for (const [text, country, expected] of REFUSED) {
    it(`readPhone refuses ${JSON.stringify(text)} in ${country ?? 'no country'} and states what is expected`, () => {
      const reading = readPhone(text, country);
      assert.ok('expected' in reading, JSON.stringify(reading));
      if (typeof expected === 'string') assert.equal(reading.expected, expected);
      else assert.match(reading.expected, expected);
    });
  }
});
