import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gstinFault } from './gstin.ts';

/**
 * The check digit, computed from the right as the Luhn algorithm is usually described: every second digit is doubled, starting with the
 * last.
 */
function reference(fourteen: string): string {
  let total = 0;
  [...fourteen].toReversed().forEach((character, place) => {
    const value = Number.parseInt(character, 36) * (place % 2 === 0 ? 2 : 1);
    const [high = 0, low = 0] = value
      .toString(36)
      .padStart(2, '0')
      .split('')
      .map((digit) => Number.parseInt(digit, 36));
    total += high + low;
  });
  return ((36 - (total % 36)) % 36).toString(36).toUpperCase();
}

/** Fourteen characters each: taxpayers in several states, a deductor, a collector, an embassy, a non-resident, an online service. */
const BODIES = [
  '27AAPFU0939F1Z',
  '29AAGCB7383J1Z',
  '07AAACA1111A2Z',
  '01ABCDE0000Z9Z',
  '38ZZZZZ9999AAZ',
  '97AAACA1111A1Z',
  '33ABCDE1234F1D',
  '24ABCD12345E1D',
  '19ABCDE1234F1C',
  '0717USA00001UN',
  '0719IND00042ON',
  '2717AUS00001NR',
  '9917USA29001OS',
];

describe('GSTIN', () => {
  it('the GSTIN check accepts numbers with the right check digit, in upper and lower case', () => {
    assert.equal(reference('27AAPFU0939F1Z'), 'V');
    for (const body of BODIES) {
      const good = body + reference(body);
      assert.equal(gstinFault(good), undefined, good);
      assert.equal(gstinFault(good.toLowerCase()), undefined, good);
    }
  });

  it('the GSTIN check names the right check digit if the given one is wrong', () => {
    for (const body of BODIES) {
      const right = reference(body);
      for (const digit of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'.replace(right, '')) {
        assert.match(
          gstinFault(body + digit) ?? '',
          new RegExp(`^the check digit ${right} at the end .*, not ${digit},`),
        );
      }
    }
  });

  it('the GSTIN check refuses a number with one wrong character or two exchanged ones', () => {
    const good = '27AAPFU0939F1ZV';
    assert.ok(gstinFault('27AAPFU0938F1ZV'));
    assert.ok(gstinFault('27AAPFU0993F1ZV'));
    assert.ok(gstinFault('72AAPFU0939F1ZV'));
    assert.equal(gstinFault(good), undefined);
  });

  it('the GSTIN check refuses a state code that does not exist and names the valid ones', () => {
    for (const state of ['00', '39', '45', '96', '98']) {
      const body = `${state}AAPFU0939F1Z`;
      assert.match(gstinFault(body + reference(body)) ?? '', new RegExp(`01 to 38, 97 or 99, not ${state}$`));
    }
    for (let state = 1; state <= 38; state++) {
      const body = `${String(state).padStart(2, '0')}AAPFU0939F1Z`;
      assert.equal(gstinFault(body + reference(body)), undefined);
    }
  });

  it('the GSTIN check explains the format for a number that only resembles a GSTIN', () => {
    for (const text of [
      '27AAPFUO939F1ZV',
      '27AAPFU09391FZV',
      '27AAAAAAAAAAAAA',
      '2717USA00001XYZ',
      '27A000000000000',
    ]) {
      assert.match(gstinFault(text) ?? '', /^of an Indian GSTIN: 2 digits for the state/, text);
    }
  });

  it('the GSTIN check accepts registration numbers of other countries', () => {
    const others = ['100123456700003', '300000000000003', '123456789RT0001', 'DE123456789', 'GB999999973', 'GST-1'];
    for (const text of [
      ...others,
      '27AAPFU0939F1Z',
      '27AAPFU0939F1ZVX',
      '27-AAPFU0939F1Z',
      'A7AAPFU0939F1ZV',
      '123456789012345',
    ]) {
      assert.equal(gstinFault(text), undefined, text);
    }
  });
});
