import type { IncomingHttpHeaders } from 'node:http';

/** The three formats of an HTTP date (RFC 9110, section 5.6.7); the last one omits that it is GMT. */
const HTTP_DATE =
  /^(?:\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT|\w{6,9}, \d\d-\w{3}-\d\d [\d:]{8} GMT|\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})$/;

/** Returns the seconds to wait from now by `Retry-After`; undefined where it is absent, invalid or past. */
export function secondsToWait(headers: IncomingHttpHeaders, now: Date): number | undefined {
  const given = headers['retry-after']?.trim() ?? '';
  const seconds = /^\d+$/.test(given) ? Number(given) : (dateOf(given) - now.getTime()) / 1000;
  return seconds > 0 ? seconds : undefined;
}

function dateOf(given: string): number {
  if (!HTTP_DATE.test(given)) return Number.NaN;
  return Date.parse(given.endsWith(' GMT') ? given : `${given} GMT`);
}
