import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const PLAIN = /^[\w.:/+=-]{1,128}$/;

/** Returns the caller's `X-Request-Id` if it is plain (see the pattern), otherwise a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && PLAIN.test(given) ? given : newRequestId();
}

/** Returns a random UUID in hexadecimal, without hyphens. */
export function newRequestId(): string {
  return randomUUID().replaceAll('-', '');
}
