import type { ApiKey } from '../api/types.ts';

/** Returns whether a key is usable now: neither revoked nor expired. */
export function isUsable({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now = new Date()): boolean {
  return revokedAt === null && (expiresAt === null || new Date(expiresAt) > now);
}
