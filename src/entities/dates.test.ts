import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import { isCalendarDate, midnightUtc, todayUtc } from './dates.ts';

/** Ahead of UTC, behind it, and on it; each with its offset on 2026-01-01 in minutes, in JavaScript's sign. */
const ZONES = { 'Asia/Kolkata': -330, 'America/Los_Angeles': 480, UTC: 0 };
const startZone = process.env.TZ;

afterEach(() => {
  mock.restoreAll();
  if (startZone === undefined) delete process.env.TZ;
  else process.env.TZ = startZone;
});

function clockAt(moment: string): typeof Date {
  return class extends Date {
    constructor() {
      super(moment);
    }
  } as typeof Date;
}

for (const [zone, distance] of Object.entries(ZONES)) {
  describe(`dates in ${zone}`, () => {
    const enterZone = () => {
      process.env.TZ = zone;
      assert.equal(new Date(2026, 0, 1).getTimezoneOffset(), distance);
    };

    it('isCalendarDate accepts each day of the calendar, whatever the time zone', () => {
      enterZone();
      for (const day of ['1900-01-01', '2024-02-29', '2000-02-29', '2026-12-31', '0001-01-01', '9999-12-31']) {
        assert.equal(isCalendarDate(day), true, day);
      }
      // Dates on which clocks change, and dates that time zones have skipped.
      for (const day of ['2026-03-08', '2026-11-01', '1945-10-15']) assert.equal(isCalendarDate(day), true, day);
    });

    it('isCalendarDate refuses days that do not exist', () => {
      enterZone();
      for (const day of ['2023-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00']) {
        assert.equal(isCalendarDate(day), false, day);
      }
    });

    it('isCalendarDate refuses every format other than YYYY-MM-DD', () => {
      enterZone();
      const others = ['', '2026-1-1', '20260101', '2026/01/01', '01-01-2026', ' 2026-01-01', '2026-01-01\n'];
      for (const text of [...others, '2026-01-01T00:00:00.000Z', '+02026-01-01', '٢٠٢٦-٠١-٠١']) {
        assert.equal(isCalendarDate(text), false, JSON.stringify(text));
      }
    });

    it('todayUtc returns the date in UTC at both ends of the day', () => {
      enterZone();
      for (const [now, today] of [
        ['2026-02-28T23:59:59.999Z', '2026-02-28'],
        ['2026-03-01T00:00:00.000Z', '2026-03-01'],
        ['2026-03-01T20:00:00.000Z', '2026-03-01'],
      ] as const) {
        const clock = mock.method(globalThis, 'Date', clockAt(now));
        assert.equal(todayUtc(), today);
        clock.mock.restore();
      }
    });

    it('midnightUtc returns the midnight of a day in UTC', () => {
      enterZone();
      assert.equal(midnightUtc('1990-05-15'), '1990-05-15T00:00:00.000Z');
      assert.equal(new Date(midnightUtc('1990-05-15')).toISOString(), midnightUtc('1990-05-15'));
    });
  });
}
