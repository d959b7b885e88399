import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldOf } from '../../../src/entities/entity.ts';
import { user } from '../../../src/entities/user.ts';
import type { ValueKind } from '../../../src/entities/values.ts';
import * as kinds from '../../../src/entities/values.ts';
import { accepts, refuses } from '../../support/value-kinds.ts';

describe('values', () => {
  it('a text is trimmed and otherwise kept unchanged', () => {
    accepts(kinds.text(100), ' \u00a0Ana  María\t', 'Ana  María');
    accepts(kinds.text(100), '  1, Rua Açaí', '1, Rua Açaí');
    accepts(kinds.text(100), 'क्‍ष');
  });

  it('the length of a text counts code points after trimming', () => {
    accepts(kinds.text(100), 'x');
    accepts(kinds.text(100), `  ${'𝒳'.repeat(100)}  `, '𝒳'.repeat(100));
    refuses(kinds.text(100), ['x'.repeat(101), '𝒳'.repeat(101), `𝒳${'x'.repeat(100)}`, 'x'.repeat(1000)], 'TOO_LONG');
    refuses(kinds.text(100), ['', ' \t '], 'TOO_SHORT');
    accepts(kinds.text(255, 0), '   ', '');
  });

  it('a text with control characters, NUL or lone surrogates is refused', () => {
    const bad = ['a\u0000b', 'a\nb', 'a\u007fb', 'a\u0085b', 'a\ud800b', 'a\udc00b'];
    refuses(kinds.text(100), bad, 'INVALID_VALUE');
    refuses(kinds.text(100, 0), bad, 'INVALID_VALUE');
  });

  it('a text without a visible character or with U+FFFD is refused', () => {
    const unseen = [
      '\u200b',
      '\u3164',
      '\u2800',
      '\u00ad\u200e',
      '\ufeff',
      '\u115f \u{e0041}',
      '\u180e',
      '\u2800 \u2800',
    ];
    const notRead = ['\ufffd', 'J\ufffdrgen'];
    for (const kind of [kinds.text(100), kinds.text(100, 0)]) {
      refuses(
        kind,
        unseen.filter((text) => text.trim() !== ''),
        'INVALID_VALUE',
      );
      refuses(kind, notRead, 'INVALID_VALUE');
    }
    for (const text of ['Zoe\u200b', 'é', 'ñ', '李', '\u{1f600}', '.', '👩\u200d🚀']) accepts(kinds.text(100), text);
  });

  it('the text fields of a person have the documented lengths', () => {
    for (const [name, length] of Object.entries({ firstName: 100, lastName: 100, gender: 50, addressLine1: 255 })) {
      const { kind } = fieldOf(user, name);
      accepts(kind, '𝒳'.repeat(length));
      refuses(kind, ['x'.repeat(length + 1)], 'TOO_LONG');
      if (name !== 'lastName') refuses(kind, [''], 'TOO_SHORT');
    }
    accepts(user.fields.lastName.kind, '');
    accepts(user.fields.addressLine2.kind, '');
    accepts(user.fields.addressLine2.kind, 'x'.repeat(255));
    refuses(user.fields.addressLine2.kind, ['x'.repeat(256)], 'TOO_LONG');
  });

  it('a phone number has 7 to 15 digits, with separators among them', () => {
    for (const phone of ['1234567', '+919876543210', '+91 (22) 1234-5678', '(022) 12345678', '+1 (555) 123 (4567)']) {
      accepts(kinds.phone, phone);
    }
    accepts(kinds.phone, ' 123456789012345 ', '123456789012345');
    accepts(kinds.phone, '123.4567', '123 4567');
    const others = ['', '+', '123456', '1234567890123456', '12+34567', '++1234567', '1234567x'];
    refuses(kinds.phone, others, 'INVALID_FORMAT');
    refuses(kinds.phone, ['१२३४५६७', '123\u20144567', '123\n4567', '-1234567', `1234567${' '.repeat(1000)}8`]);
  });

  it('a copied phone number is kept without its invisible characters', () => {
    accepts(kinds.phone, '+91\u00a098450\u202f12345', '+91 98450 12345');
    accepts(kinds.phone, '555\u2010123\u20114567', '555-123-4567');
    accepts(kinds.phone, '555\u2012123\u20124567', '555-123-4567');
    accepts(kinds.phone, '\u202a+91\u200b 98450\u00ad12345 \u202c', '+91 9845012345');
    const pattern = new RegExp(String(kinds.phone.given?.pattern));
    assert.match('\u202a+91\u00a098450\u202f12345\u202c', pattern);
  });

  it('a postal code has 3 to 12 letters, digits, spaces or hyphens', () => {
    for (const code of ['560001', 'SW1A 1AA', '01-234', 'abc', '123456789012']) accepts(kinds.pincode, code);
    accepts(kinds.pincode, ' 560 001 ', '560 001');
    refuses(kinds.pincode, ['', ' 12 '], 'TOO_SHORT');
    refuses(kinds.pincode, ['1234567890123'], 'TOO_LONG');
    refuses(kinds.pincode, ['560_001', '560\u0000001', '560\n001', 'éé1234'], 'INVALID_FORMAT');
  });

  it('an id is a UUID in the canonical form, in upper or lower case', () => {
    accepts(kinds.uuid, '3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43');
    accepts(kinds.uuid, '3F2B8C1E-9D4A-4C6B-8E2F-1A7D5B9C0E43', '3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43');
    const others = ['', '3f2b8c1e9d4a4c6b8e2f1a7d5b9c0e43', '{3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43}'];
    refuses(kinds.uuid, [...others, '3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e4g'], 'INVALID_FORMAT');
  });

  it('an amount is a plain decimal number, and is not rounded', () => {
    accepts(kinds.money, '0', '0.00');
    accepts(kinds.money, '75000.5', '75000.50');
    accepts(kinds.money, '9999999999999.99');
    refuses(kinds.money, [
      '',
      '-1',
      '+1',
      '1.005',
      '1e3',
      'NaN',
      'Infinity',
      '1,000',
      '10000000000000',
      '٣',
      '.5',
      '01',
    ]);
  });

  it('a whole number consists of plain digits and lies within its bounds', () => {
    accepts(kinds.integer(0), '0', 0);
    accepts(kinds.integer(0), '2147483647', 2_147_483_647);
    refuses(kinds.integer(0), ['', '+1', '1.0', '1e3', '0x10', '1 000'], 'INVALID_TYPE');
    refuses(kinds.integer(0), ['-1', '2147483648', '9'.repeat(400)], 'OUT_OF_RANGE');
    accepts(kinds.integer(1), '1', 1);
    refuses(kinds.integer(1), ['0'], 'OUT_OF_RANGE');
  });

  it('a boolean is true, false, 1 or 0 in any case, and nothing else', () => {
    for (const word of ['true', 'True', 'TRUE', '1']) accepts(kinds.boolean, word, true);
    for (const word of ['false', 'False', 'FALSE', '0']) accepts(kinds.boolean, word, false);
    refuses(kinds.boolean, ['', 'yes', '2', '01', 't', 'trueish']);
  });

  it('a registration number has letters, digits and hyphens, and an Indian one has the right check digit', () => {
    accepts(kinds.gstin, '29YJLCO7173V1ZV');
    accepts(kinds.gstin, 'x'.repeat(30));
    refuses(kinds.gstin, ['', 'x'.repeat(31), '29 YJ', '29É', '29_'], 'INVALID_FORMAT');
    refuses(kinds.gstin, ['27AAPFU0939F1ZW'], 'INVALID_VALUE');
  });

  it('a choice is accepted only as it is written, and the refusal names the choices', () => {
    const role = kinds.choice(['MANAGER', 'EMPLOYEE']);
    accepts(role, 'MANAGER');
    assert.deepEqual(role.parse('manager'), { code: 'INVALID_VALUE', expected: 'one of MANAGER, EMPLOYEE' });
  });

  it('each kind of value accepts only its type in JSON, and a boolean also its texts', () => {
    const given = ['1', 1, true, null, ['1'], {}];
    const taken = (kind: ValueKind) => given.filter((value) => 'value' in kind.check(value));
    assert.deepEqual(taken(kinds.text(5)), ['1']);
    assert.deepEqual(taken(kinds.money), ['1']);
    assert.deepEqual(taken(kinds.integer(0)), [1]);
    assert.deepEqual(taken(kinds.boolean), ['1', true]);
    for (const value of [1.5, Number.NaN, 2 ** 53]) assert.ok('code' in kinds.integer(0).check(value));
    assert.deepEqual(kinds.text(5).check(1), { code: 'INVALID_TYPE', expected: 'a text' });
    assert.deepEqual(kinds.money.check(1), { code: 'INVALID_TYPE', expected: `a text with ${kinds.money.rule}` });
    assert.deepEqual(kinds.text(5).check(['1', '2']), { code: 'DUPLICATE', expected: 'given once, as one text' });
  });
});
