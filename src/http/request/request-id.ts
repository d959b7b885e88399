import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const PLAIN = /^[\w.:/+=-]{1,128}$/;

/** Hexadecimal digits of an id, and the ids drawn at once: drawing them one by one would cost far more. */
const DIGITS = 32;
const IDS = 256;
let drawn = '';
let used = 0;

/** Returns the caller's `X-Request-Id` if it is plain (see the pattern), otherwise a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && PLAIN.test(given) ? given : newRequestId();
}

/** Returns 128 random bits in hexadecimal. */
export function newRequestId(): string {
  if (used === drawn.length) {
    drawn = randomBytes((IDS * DIGITS) / 2).toString('hex');
    used = 0;
  }
  used += DIGITS;
  return drawn.slice(used - DIGITS, used);
}
