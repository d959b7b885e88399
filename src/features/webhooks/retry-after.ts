import type { IncomingHttpHeaders } from 'node:http';

/** The three forms of a date of HTTP (RFC 9110, section 5.6.7); the last one does not say that it is in GMT. */
const HTTP_DATE =
  /^(?:\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT|\w{6,9}, \d\d-\w{3}-\d\d [\d:]{8} GMT|\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})$/;

/** Returns the seconds that `Retry-After` asks to wait from now on; undefined where it asks for none. */
export function secondsToWait(headers: IncomingHttpHeaders, now: Date): number | undefined {
  const given = headers['retry-after']?.trim() ?? '';
  const seconds = /^\d+$/.test(given) ? Number(given) : (dateOf(given) - now.getTime()) / 1000;
  return seconds > 0 ? seconds : undefined;
}

function dateOf(given: string): number {
  if (!HTTP_DATE.test(given)) return Number.NaN;
  return Date.parse(given.endsWith(' GMT') ? given : `${given} GMT`);
}
