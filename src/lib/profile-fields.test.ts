import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ProfileFieldName, profileFieldRules } from './profile-fields.ts';

function accepts(field: ProfileFieldName, text: string, value = text): void {
  assert.deepEqual(profileFieldRules[field](text), { value }, `${field} ${JSON.stringify(text)}`);
}

function refuses(field: ProfileFieldName, text: string, code: string): void {
  const result = profileFieldRules[field](text);
  assert.ok('code' in result, `${field} takes ${JSON.stringify(text)}`);
  assert.equal(result.code, code, `${field} ${JSON.stringify(text)}`);
  assert.notEqual(result.expected, '');
}

const DAY = 86_400_000;
const dateFromToday = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

describe('profile fields', () => {
  it('trims a text and keeps it as sent otherwise', () => {
    accepts('firstName', ' \u00a0Ana  María\t', 'Ana  María');
    accepts('gender', 'Other ', 'Other');
    accepts('addressLine1', '  1, Rua Açaí', '1, Rua Açaí');
  });

  it('counts lengths in code points, after trimming', () => {
    accepts('firstName', 'x');
    accepts('firstName', `  ${'𝒳'.repeat(100)}  `, '𝒳'.repeat(100));
    refuses('firstName', 'x'.repeat(101), 'TOO_LONG');
    refuses('lastName', '𝒳'.repeat(101), 'TOO_LONG');
    accepts('gender', 'x'.repeat(50));
    refuses('gender', 'x'.repeat(51), 'TOO_LONG');
    for (const field of ['addressLine1', 'addressLine2'] as const) {
      accepts(field, 'x'.repeat(255));
      refuses(field, 'x'.repeat(256), 'TOO_LONG');
    }
  });

  it('refuses an empty or blank text, but for the second address line', () => {
    for (const field of ['firstName', 'lastName', 'gender', 'addressLine1'] as const) {
      refuses(field, '', 'TOO_SHORT');
      refuses(field, ' \t ', 'TOO_SHORT');
    }
    accepts('addressLine2', '');
    accepts('addressLine2', '   ', '');
  });

  it('refuses control characters, NUL and lone surrogates within a text', () => {
    for (const field of ['firstName', 'lastName', 'gender', 'addressLine1', 'addressLine2'] as const) {
      for (const bad of ['a\u0000b', 'a\nb', 'a\u007fb', 'a\u0085b', 'a\ud800b', 'a\udc00b']) {
        refuses(field, bad, 'INVALID_VALUE');
      }
    }
    accepts('lastName', 'क्‍ष');
  });

  it('takes phone numbers of 7 to 15 digits, with separators among them', () => {
    for (const phone of ['1234567', '+919876543210', '+91 (22) 1234-5678', '(022) 12345678', '+1 (555) 123 (4567)']) {
      accepts('phone', phone);
    }
    accepts('phone', ' 123456789012345 ', '123456789012345');
    for (const phone of ['', '+', '123456', '1234567890123456', '12+34567', '++1234567', '123.4567', '1234567x'].concat(
      ['१२३४५६७', '123\u00a04567', '123\n4567', '-1234567', `1234567${' '.repeat(1000)}8`],
    )) {
      refuses('phone', phone, 'INVALID_FORMAT');
    }
  });

  it('takes postal codes of 3 to 12 letters, digits, spaces or hyphens', () => {
    for (const code of ['560001', 'SW1A 1AA', '01-234', 'abc', '123456789012']) accepts('pincode', code);
    accepts('pincode', ' 560 001 ', '560 001');
    refuses('pincode', '', 'TOO_SHORT');
    refuses('pincode', ' 12 ', 'TOO_SHORT');
    refuses('pincode', '1234567890123', 'TOO_LONG');
    for (const code of ['560_001', '560\u0000001', '560\n001', 'éé1234']) refuses('pincode', code, 'INVALID_FORMAT');
  });

  it('takes dates of birth from 1900-01-01 to today, also as the API answers them', () => {
    accepts('dateOfBirth', '1900-01-01');
    accepts('dateOfBirth', '2000-02-29');
    accepts('dateOfBirth', dateFromToday(0));
    accepts('dateOfBirth', '1990-05-15T00:00:00.000Z', '1990-05-15');
    refuses('dateOfBirth', '1899-12-31', 'OUT_OF_RANGE');
    refuses('dateOfBirth', dateFromToday(1), 'OUT_OF_RANGE');
    for (const date of ['2023-02-29', '1900-02-29', '1990-13-01', '1990-00-10', '1990-04-31T00:00:00.000Z']) {
      refuses('dateOfBirth', date, 'INVALID_VALUE');
    }
    for (const date of [
      '',
      '15-05-1990',
      '1990-5-15',
      '19900515',
      '1990-05-15T00:00:00Z',
      '1990-05-15T05:30:00.000Z',
    ]) {
      refuses('dateOfBirth', date, 'INVALID_FORMAT');
    }
  });
});
