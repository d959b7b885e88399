import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as readers from './value-readers.ts';

function accepts(reader: readers.CellReader, text: string, value: readers.CellValue = text): void {
  assert.deepEqual(reader.read(text), { value }, JSON.stringify(text));
}

function refuses(reader: readers.CellReader, texts: readonly string[]): void {
  for (const text of texts) {
    const result = reader.read(text);
    assert.ok('expected' in result && result.expected !== '', `took ${JSON.stringify(text)}`);
  }
}

describe('values of the import format', () => {
  it('ids: takes UUIDs in canonical form alone', () => {
    accepts(readers.uuid, '3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43');
    accepts(readers.uuid, '3F2B8C1E-9D4A-4C6B-8E2F-1A7D5B9C0E43');
    refuses(readers.uuid, [
      '',
      '3f2b8c1e9d4a4c6b8e2f1a7d5b9c0e43',
      '{3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43}',
      '3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e4g',
      '3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43\n',
    ]);
  });

  it('amounts: takes plain decimals and rounds nothing', () => {
    accepts(readers.amount, '0', '0.00');
    accepts(readers.amount, '75000.5', '75000.50');
    accepts(readers.amount, '9999999999999.99');
    refuses(readers.amount, [
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

  it('whole numbers: takes plain digits within the bounds', () => {
    accepts(readers.integer(0), '0', 0);
    accepts(readers.integer(0), '2147483647', 2_147_483_647);
    refuses(readers.integer(0), ['', '-1', '+1', '2147483648', '1.0', '1e3', '0x10', '1 000', '9'.repeat(400)]);
    accepts(readers.integer(1), '1', 1);
    refuses(readers.integer(1), ['0']);
  });

  it('booleans: takes true and false and nothing else', () => {
    accepts(readers.boolean, 'true', true);
    accepts(readers.boolean, 'false', false);
    refuses(readers.boolean, ['', 'TRUE', 'yes', '1', '0', 't']);
  });

  it('date-times: takes an instant with its time zone', () => {
    for (const text of [
      '2025-01-31T09:30:00.123Z',
      '2025-01-31T15:00:00+05:30',
      '2024-02-29T23:59:59.123456-11:00',
      '2025-01-31T09:30Z',
    ]) {
      accepts(readers.dateTime, text);
    }
    refuses(readers.dateTime, ['', '2025-01-31', '2025-01-31T09:30:00', '2025-01-31 09:30:00Z', '1769851800']);
    refuses(readers.dateTime, ['2025-02-29T00:00:00Z', '2025-01-31T24:00:00Z', '2025-01-31T09:60:00Z']);
    refuses(readers.dateTime, [
      '2025-01-31T09:30:60Z',
      '2025-01-31T09:30:00+15:00',
      '1899-12-31T00:00:00Z',
      'infinity',
    ]);
    refuses(readers.dateTime, ['0000-01-01T00:00:00Z', '2025-01-31T09:30:00.Z', '2025-01-31T09:30:00.1234567Z']);
  });

  it('texts: takes one line of so many characters', () => {
    accepts(readers.text(3), '𝒳𝒳𝒳');
    refuses(readers.text(3), ['', 'abcd', 'a\nb', 'a\u0000']);
  });

  it('e-mail addresses: takes one @ with something on both sides', () => {
    accepts(readers.email, "o'neill+x@Example.com");
    accepts(readers.email, `${'x'.repeat(252)}@y`);
    refuses(readers.email, ['', 'a', '@b', 'a@', 'a@b@c', 'a b@c', 'a\u00a0b@c', 'a\u200bb@c', `${'x'.repeat(253)}@y`]);
  });

  it('registration numbers: takes letters, digits and hyphens', () => {
    accepts(readers.gstin, '29YJLCO7173V1ZV');
    accepts(readers.gstin, 'x'.repeat(30));
    refuses(readers.gstin, ['', 'x'.repeat(31), '29 YJ', '29É', '29_']);
  });

  it('choices: takes the words as they are written and names them', () => {
    const role = readers.oneOf(['MANAGER', 'EMPLOYEE']);
    accepts(role, 'MANAGER');
    assert.deepEqual(role.read('manager'), { expected: 'one of MANAGER, EMPLOYEE' });
  });
});
