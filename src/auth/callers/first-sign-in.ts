import type { Writer } from '../../db/database.ts';
import type { TraceContext } from '../../lib/trace-context.ts';
import type { IdentityProvider } from '../tokens/identity-provider.ts';
import type { Claims } from '../tokens/token-claims.ts';
import { linkIdentity } from './identity-queries.ts';

/**
 * Tries to link the owner of a verified token who has no user yet.
 *
 * @param token the raw token
 * @param trace of the request that carried it
 */
export type FirstSignIn = (claims: Claims, token: string, trace?: TraceContext) => Promise<void>;

/** Links by the verified e-mail address: from the token, or if that lacks it, from the userinfo endpoint. */
export function firstSignIn(db: Writer, provider: IdentityProvider): FirstSignIn {
  return async ({ owner, verifiedEmail }, token, trace) => {
    if ('userId' in owner) return;
    const email = verifiedEmail === undefined ? await provider.askEmail(owner.subject, token, trace) : verifiedEmail;
    if (email) await linkIdentity(db, owner, email);
  };
}
