import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAmount } from '../../../src/entities/money.ts';

const ENGLISH = { group: ',', decimal: '.' };
const GERMAN = { group: '.', decimal: ',' };
const FRENCH = { group: '\u202f', decimal: ',' };

test("readAmount reads an amount in the notation of the user's language", () => {
  for (const [typed, amount] of [
    ['75000', '75000'],
    ['₹ 75,000', '75000'],
    ['7,50,00,000.5', '75000000.5'],
    ['1250.', '1250'],
    ['60k', '60000'],
    ['Rs 60,000', '60000'],
    ['€75,000', '75000'],
    ['75,000 ¥', '75000'],
    ['Rs. 60,000/-', '60000'],
    ['60000/-', '60000'],
    ['INR 60000.50', '60000.50'],
    ['6 lakh', '600000'],
    ['0.5 lac', '50000'],
    ['1.25 Cr', '12500000'],
    ['1.2345678 crore', '12345678'],
    ['0.000015 lakh', '1.5'],
  ] as const) {
    assert.equal(readAmount(typed, ENGLISH), amount, typed);
  }
  assert.equal(readAmount('75.000,50', GERMAN), '75000.50');
  assert.equal(readAmount('60 Tsd.', GERMAN), '60000');
  assert.equal(readAmount('75 000,50', FRENCH), '75000.50');
});

test('readAmount returns undefined for an ambiguous amount', () => {
  for (const typed of [
    '',
    '1,50',
    '1.234',
    '1.2.3',
    '75,0000',
    ',500',
    '-1',
    '1e3',
    '٣',
    'x',
    'k',
    '6 lakhk',
    '1.234567891 lakh',
    'Rs',
    '/-',
  ]) {
    assert.equal(readAmount(typed, ENGLISH), undefined, typed);
  }
  assert.equal(readAmount('75000.50', GERMAN), undefined);
});
