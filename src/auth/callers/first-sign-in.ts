import { LRUCache } from 'lru-cache';
import sql, { type Sql } from 'sql-template-tag';
import type { Writer } from '../../db/database.ts';
import { mayBeStoredEmail } from '../../entities/characters.ts';
import type { TraceContext } from '../../lib/trace-context.ts';
import type { IdentityProvider } from '../tokens/identity-provider.ts';
import type { Claims, SignInRefusal } from '../tokens/token-claims.ts';
import type { SignInConnections } from './connections.ts';
import { linkIdentity, moveLink, personOf } from './identity-queries.ts';

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
  return async ({ owner, verifiedEmail, email: sent, sub }, token, { trace, way }) => {
    if ('userId' in owner) return undefined;
    // An address changes hands: its next holder would be the former person.
    if (mayBeStoredEmail(owner.subject)) return 'subject is an address';
    if (await moveLink(db, owner, sub)) return undefined;
    const askEmail = async () => {
      const connected = owner.connection && (await connections.find(owner.connection.id));
      // An endpoint takes access tokens alone.
      if (connected?.settings.tokenUse === 'id') return undefined;
      const provider = owner.connection ? connected?.provider : platform;
      return provider?.askEmail(sub ?? owner.subject, token, trace);
    };
    const email = verifiedEmail === undefined ? await askEmail() : verifiedEmail;
    if (email) return linkIdentity(db, owner, email, way);
    return email === null || sent !== undefined ? 'address not verified' : 'address absent';
  };
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
}

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
      if ('email' in person && person.email === undefined) return;
      const connection = 'owner' in person && 'connection' in person.owner ? person.owner.connection : undefined;
      const id = 'userId' in person ? sql`${person.userId}::uuid` : personOf(person.email ?? '', connection);
      void write(sql`
        insert into sign_ins (user_id, refused_at, refusal) select id, now(), ${reason}::text from users where id = ${id}
        on conflict (user_id) do update set refused_at = now(), refusal = excluded.refusal
         where sign_ins.refused_at is null or sign_ins.refused_at < now() - interval '1 hour'
            or sign_ins.refusal <> excluded.refusal`);
    },
  };
}
