import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const PLAIN = /^[\w.:/+=-]{1,128}$/;

/** Hexadecimal digits of an id, and how many ids are drawn at once: one by one they would cost far more. */
const DIGITS = 32;
const IDS = 256;
let drawn = '';
let used = 0;

/** The caller's own `X-Request-Id` where it is plain, otherwise a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && PLAIN.test(given) ? given : newRequestId();
}

/** 128 random bits, in hexadecimal. */
export function newRequestId(): string {
  if (used === drawn.length) {
    drawn = randomBytes((IDS * DIGITS) / 2).toString('hex');
    used = 0;
  }
  used += DIGITS;
  return drawn.slice(used - DIGITS, used);
}
