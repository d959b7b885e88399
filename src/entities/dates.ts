const CALENDAR_DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A calendar date as `YYYY-MM-DD`: a day, without a time zone. */
export type CalendarDate = string;

/** Whether the text is a date of the Gregorian calendar in the form `YYYY-MM-DD`: 2023-02-29 is none. */
export function isCalendarDate(text: string): text is CalendarDate {
  const match = CALENDAR_DATE.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Today's date in UTC. */
export function todayUtc(): CalendarDate {
  return new Date().toISOString().slice(0, 10);
}

/** The date as ISO 8601 date-time at midnight UTC with milliseconds, the form that the API answers (spec.: User). */
export function midnightUtc(date: CalendarDate): string {
  return `${date}T00:00:00.000Z`;
}
