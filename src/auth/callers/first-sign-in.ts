import { LRUCache } from 'lru-cache';
import sql, { type Sql } from 'sql-template-tag';
import type { Database, Writer } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import { mayBeStoredEmail } from '../../entities/characters.ts';
import type { TraceContext } from '../../lib/trace-context.ts';
import { refusalOf } from '../tokens/access-token.ts';
import type { IdentityProvider } from '../tokens/identity-provider.ts';
import type { Claims, SignInRefusal } from '../tokens/token-claims.ts';
import { claimNames } from '../tokens/token-form.ts';
import type { Connected, SignInConnections } from './connections.ts';
import { findCallers, linkIdentity, moveLink, personOf } from './identity-queries.ts';

/**
 * Tries to link the owner of a verified token who has no user yet.
 *
 * @param token the raw token
 * @returns why they were not linked
 */
export type FirstSignIn = (claims: Claims, token: string, request: SignInRequest) => Promise<SignInRefusal | undefined>;

interface SignInRequest {
  /** Of the request that carried the token. */
  trace?: TraceContext | undefined;
  /** `email`: work addresses count only after the addresses of all connections that may have issued the token. */
  way: 'email' | 'any';
}

/**
 * Links by the verified e-mail address: from the token, or if that lacks it, from the userinfo endpoint.
 *
 * @param platform its own provider; undefined if it signs its tokens itself
 */
export function firstSignIn(
  db: Writer,
  platform: IdentityProvider | undefined,
  connections: SignInConnections,
): FirstSignIn {
  return async (claims, token, { trace, way }) => {
    const { owner, sub } = claims;
    if ('userId' in owner) return undefined;
    // An address changes hands: its next holder would be the former person.
    if (mayBeStoredEmail(owner.subject)) return 'subject is an address';
    if (await moveLink(db, owner, sub)) return undefined;
    const connected = owner.connection && (await connections.find(owner.connection.id));
    const email = await verifiedAddress(claims, token, owner.connection ? connected : { provider: platform }, trace);
    return 'refusal' in email ? email.refusal : linkIdentity(db, owner, email.verified, way);
  };
}

/** Returns the verified address of a person: of the token, or if that lacks it, of the userinfo endpoint, which takes access tokens alone. */
async function verifiedAddress(
  { owner, verifiedEmail, email: sent, sub }: Claims,
  token: string,
  of: (Partial<Pick<Connected, 'settings'>> & { provider: IdentityProvider | undefined }) | undefined,
  trace?: TraceContext,
): Promise<{ verified: string } | { refusal: SignInRefusal }> {
  const subject = sub ?? ('subject' in owner ? owner.subject : '');
  const asked = verifiedEmail === undefined && of?.settings?.tokenUse !== 'id';
  const email = asked ? await of?.provider?.askEmail(subject, token, trace) : verifiedEmail;
  if (email) return { verified: email };
  return { refusal: email === null || sent !== undefined ? 'address not verified' : 'address absent' };
}

/** What a token would do at a connection. */
export interface TriedToken {
  accepted: boolean;
  /** Why it would be refused; null: it would not. */
  reason: string | null;
  rule: string;
  /** Who would be signed in. */
  userId: string | null;
}

/** Returns what a token would do at a connection, active or not; nobody is linked. @throws ApiError `UNAVAILABLE` */
export async function tryToken(db: Database, connected: Connected, token: string): Promise<TriedToken> {
  const refused = (reason: string, rule = '') => ({ accepted: false, reason, rule, userId: null });
  try {
    const claims = await connected.verify(token);
    const { owner } = claims;
    if ('userId' in owner || mayBeStoredEmail(owner.subject)) return refused('subject is an address');
    const email = await verifiedAddress(claims, token, connected);
    return await db.transaction(async (transaction) => {
      await transaction.query(
        sql`update sign_in_connections set active = true where id = ${connected.settings.id}::uuid and not active`,
      );
      const linked = await findCallers(transaction, [owner]);
      const unlinked = async () =>
        'refusal' in email ? email.refusal : linkIdentity(transaction, owner, email.verified, 'any');
      const refusal = linked[0] ? undefined : await unlinked();
      const [caller] = refusal === undefined ? await findCallers(transaction, [owner]) : [];
      if (caller?.works) throw new Tried({ accepted: true, reason: null, rule: '', userId: caller.userId });
      throw new Tried(refused(caller ? 'user inactive' : (refusal ?? 'address unknown')));
    });
  } catch (error) {
    if (error instanceof Tried) return error.outcome;
    if (!(error instanceof ApiError && error.code === 'INVALID_TOKEN')) throw error;
    const { reason, rule } = refusalOf(error);
    return refused(reason, rule);
  }
}

/** Ends a transaction that only tries. */
class Tried extends Error {
  readonly outcome: TriedToken;

  constructor(outcome: TriedToken) {
    super('tried');
    this.outcome = outcome;
  }
}

/** Records when people sign in, and why they are refused. Nothing is awaited. */
export interface SignInNotes {
  /** Notes that a person signed in, at most once an hour. */
  signedIn(userId: string): void;
  /**
   * Notes a refusal of a person by their id, or of whoever has the e-mail address of the token in the company of its connection: the
   * same one at most once an hour.
   */
  refused(person: { userId: string } | Pick<Claims, 'email' | 'owner'>, reason: SignInRefusal): void;
  /** Notes why a connection refused a token: of a reason with the same claims the last time and how often. */
  refusedBy(connectionId: string, refusal: { reason: string; rule: string }, token: string): void;
}

/** Refusals that are kept of a connection, and characters of what is kept of each. */
export const MAX_REFUSALS = 20;
const MAX_NOTED = 200;

const HOUR = 60 * 60_000;
const MAX_REMEMBERED_PEOPLE = 100_000;

/** @param failed called with the error if recording fails */
export function noteSignIns(db: Writer, failed: (error: unknown) => void): SignInNotes {
  // Bounded by size, as a bound by number (`max`) would allocate memory for all people up front.
  const noted = new LRUCache<string, number>({ maxSize: MAX_REMEMBERED_PEOPLE, sizeCalculation: () => 1 });
  const write = async (statement: Sql) => {
    await db.query(statement).catch(failed);
  };
  return {
    signedIn(userId) {
      const now = Date.now();
      if (Math.abs(now - (noted.get(userId) ?? 0)) < HOUR) return;
      noted.set(userId, now);
      void write(sql`
        insert into sign_ins (user_id, last_sign_in_at) values (${userId}::uuid, now())
        on conflict (user_id) do update set last_sign_in_at = now()
         where sign_ins.last_sign_in_at is null or sign_ins.last_sign_in_at < now() - interval '1 hour'`);
    },
    refused(person, reason) {
      if (reason === 'address unknown' || ('email' in person && person.email === undefined)) return;
      const connection = 'owner' in person && 'connection' in person.owner ? person.owner.connection : undefined;
      const id = 'userId' in person ? sql`${person.userId}::uuid` : personOf(person.email ?? '', connection);
      void write(sql`
        insert into sign_ins (user_id, refused_at, refusal) select id, now(), ${reason}::text from users where id = ${id}
        on conflict (user_id) do update set refused_at = now(), refusal = excluded.refusal
         where sign_ins.refused_at is null or sign_ins.refused_at < now() - interval '1 hour'
            or sign_ins.refusal <> excluded.refusal`);
    },
    refusedBy(connectionId, { reason, rule }, token) {
      const claims = claimNames(token).join(' ');
      const noted = [reason, rule, claims].map((text) => text.replace(/\p{Cc}/gu, ' ').slice(0, MAX_NOTED));
      void write(sql`
        with old as (
          delete from sign_in_refusals
           where connection_id = ${connectionId}::uuid and (reason, rule, claims) in (
             select reason, rule, claims from sign_in_refusals where connection_id = ${connectionId}::uuid
              order by refused_at desc offset ${MAX_REFUSALS - 1}::integer))
        insert into sign_in_refusals (connection_id, reason, rule, claims)
        select id, ${noted[0]}::text, ${noted[1]}::text, ${noted[2]}::text from sign_in_connections where id = ${connectionId}::uuid
            on conflict (connection_id, reason, rule, claims)
            do update set count = sign_in_refusals.count + 1, refused_at = now()`);
    },
  };
}
