import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAmount } from './money.ts';

describe('amounts of money', () => {
  it('an amount is returned with two fraction digits, however many were given', () => {
    assert.equal(parseAmount('75000'), '75000.00');
    assert.equal(parseAmount('75000.5'), '75000.50');
    assert.equal(parseAmount('75000.05'), '75000.05');
    assert.equal(parseAmount('0'), '0.00');
    assert.equal(parseAmount('0.10'), '0.10');
  });

  it('an amount keeps every digit up to the largest that can be stored', () => {
    assert.equal(parseAmount('9999999999999.99'), '9999999999999.99');
    assert.equal(parseAmount('9007199254740.93'), '9007199254740.93');
    assert.equal(parseAmount('10000000000000'), undefined);
  });

  it('an amount with three fraction digits is refused, not rounded', () => {
    assert.equal(parseAmount('1.005'), undefined);
    assert.equal(parseAmount('1.000'), undefined);
  });

  const refused = [
    '',
    ' ',
    '-1',
    '-0',
    '+1',
    '1e3',
    '0x10',
    '1,000',
    '1_000',
    '1 000',
    ' 1',
    '1 ',
    '1\n',
    '.5',
    '1.',
    '01',
    '00',
    'NaN',
    'Infinity',
    '-Infinity',
    'inf',
    '١٢',
    '１２',
    '₹100',
    '1.2.3',
  ];
  for (const text of refused) {
    it(`the amount ${JSON.stringify(text)} is refused`, () => assert.equal(parseAmount(text), undefined));
  }
});
