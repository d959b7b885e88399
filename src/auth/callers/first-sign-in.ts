import type { Writer } from '../../db/database.ts';
import type { TraceContext } from '../../lib/trace-context.ts';
import type { IdentityProvider } from '../tokens/identity-provider.ts';
import type { Claims } from '../tokens/token-claims.ts';
import { linkIdentity } from './identity-queries.ts';

/**
 * Tries to link the owner of a verified token, who is linked to no user yet.
 *
 * @param token the same token as it came
 * @param trace that of the request that it came with
 */
export type FirstSignIn = (claims: Claims, token: string, trace?: TraceContext) => Promise<void>;

/** Links by the e-mail address that the provider has verified: by the token, or where that does not say it, by the userinfo endpoint. */
export function firstSignIn(db: Writer, provider: IdentityProvider): FirstSignIn {
  return async ({ owner, verifiedEmail }, token, trace) => {
    if ('userId' in owner) return;
    const email = verifiedEmail === undefined ? await provider.askEmail(owner.subject, token, trace) : verifiedEmail;
    if (email) await linkIdentity(db, owner, email);
  };
}
