import type { ApiKey } from '../api/types.ts';

/** Whether a key opens anything now: it is neither revoked nor at its end. */
export function isUsable({ revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now = new Date()): boolean {
  return revokedAt === null && (expiresAt === null || new Date(expiresAt) > now);
}
