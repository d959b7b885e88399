import { createHmac, createSecretKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { TEST_SECRET } from './build-test-app.ts';

/** A token as the service itself signs it, but for these claims; undefined leaves one out. */
export function forgeToken(claims: Readonly<Record<string, unknown>>, secret = TEST_SECRET): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const all = { iss: 'orgdesk', aud: 'orgdesk', iat: now, exp: now + 600, ...claims };
  const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const key = createSecretKey(Buffer.from(secret));
  return new SignJWT(present).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key);
}

/** A token of these two parts, whatever they are, with a good signature. */
export function signByHand(header: string, payload: string, hash = 'sha256'): string {
  const input = `${header}.${payload}`;
  return `${input}.${createHmac(hash, TEST_SECRET).update(input).digest('base64url')}`;
}

/** A value as a part of a token. */
export function tokenPart(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
