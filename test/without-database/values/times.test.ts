import { describe, it } from 'node:test';
import * as kinds from '../../../src/entities/values.ts';
import { accepts, refuses } from '../../support/value-kinds.ts';

const DAY = 86_400_000;
const dateFromToday = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

describe('values that are times', () => {
  it('a date of birth is accepted from 1900-01-01 to today, as a date or as a midnight in UTC', () => {
    for (const day of ['1900-01-01', '2000-02-29', dateFromToday(0)]) accepts(kinds.birthDate, day);
    for (const zeros of ['', '.0', '.000', '.0000000', '.000000000000']) {
      accepts(kinds.birthDate, `1990-05-15T00:00:00${zeros}Z`, '1990-05-15');
      accepts(kinds.birthDate, `1990-05-15t00:00:00${zeros}z`, '1990-05-15');
    }
    accepts(kinds.birthDate, '1990-05-15T00:00:00+00:00', '1990-05-15');
    refuses(kinds.birthDate, ['1899-12-31', dateFromToday(1)], 'OUT_OF_RANGE');
    const none = ['2023-02-29', '1900-02-29', '1990-13-01', '1990-00-10', '1990-04-31T00:00:00.000Z'];
    refuses(kinds.birthDate, none, 'INVALID_VALUE');
    refuses(kinds.birthDate, ['', '15-05-1990', '1990-5-15', '19900515'], 'INVALID_FORMAT');
    refuses(
      kinds.birthDate,
      ['1990-05-15T00:00:00', '1990-05-15T05:30:00.000Z', '1990-05-15T00:00:00.001Z'],
      'INVALID_FORMAT',
    );
    refuses(
      kinds.birthDate,
      ['1990-05-15T00:00:00+05:30', '1990-05-15 00:00:00Z', '1990-05-15T00:00Z'],
      'INVALID_FORMAT',
    );
  });

  it('a timestamp is accepted with its time zone if its year in UTC has four digits', () => {
    const instants = {
      '2025-01-31T09:30:00.123Z': '2025-01-31T09:30:00.123Z',
      '2025-01-31t09:30:00z': '2025-01-31T09:30:00Z',
      '2025-01-31T15:00:00+05:30': '2025-01-31T09:30:00Z',
      '2025-01-31T00:00:00-23:59': '2025-01-31T23:59:00Z',
      '2025-01-01T00:00:00+23:59': '2024-12-31T00:01:00Z',
      '2025-01-31T09:30:00-00:00': '2025-01-31T09:30:00Z',
      '2025-01-31T09:30Z': '2025-01-31T09:30:00Z',
      '2025-01-31T09:30:00.1234567Z': '2025-01-31T09:30:00.123456Z',
      '2025-01-31T09:30:00.999999999999+00:00': '2025-01-31T09:30:00.999999Z',
      '2016-12-31T23:59:60Z': '2017-01-01T00:00:00Z',
      '2017-01-01T05:29:60.5+05:30': '2017-01-01T00:00:00.5Z',
      '2024-02-29T23:59:59.123456-11:00': '2024-03-01T10:59:59.123456Z',
      '1900-01-01T00:00:00Z': '1900-01-01T00:00:00Z',
      '1900-01-01T00:00:00-14:00': '1900-01-01T14:00:00Z',
      '9999-12-31T23:59:59.999999Z': '9999-12-31T23:59:59.999999Z',
    };
    for (const [text, instant] of Object.entries(instants)) accepts(kinds.timestamp, text, instant);
    refuses(kinds.timestamp, ['', '2025-01-31', '2025-01-31T09:30:00', '2025-01-31 09:30:00Z', '1769851800']);
    refuses(kinds.timestamp, ['2025-02-29T00:00:00Z', '2025-01-31T24:00:00Z', '2025-01-31T09:60:00Z', 'infinity']);
    refuses(kinds.timestamp, ['2025-01-31T09:30:60Z', '2025-01-31T09:30:61Z', '1899-12-31T00:00:00Z']);
    refuses(kinds.timestamp, ['2025-01-31T09:30:00+24:00', '2025-01-31T09:30:00+05:60', '2025-01-31T09:30:00+0530']);
    refuses(kinds.timestamp, ['0000-01-01T00:00:00Z', '2025-01-31T09:30:00.Z', '0000-01-01T00:00:00+01:00']);
    refuses(kinds.timestamp, ['9999-12-31T23:59:59-14:00', '1900-01-01T00:00:00+14:00', '9999-12-31T23:59:59-00:01']);
    refuses(kinds.timestamp, ['9999-12-31T23:59:60Z']);
  });
});
