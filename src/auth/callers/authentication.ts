import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Reader, Writer } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import type { Limits } from '../../http/limits/limits.ts';
import { traceOf } from '../../http/request/request-context.ts';
import type { batchLoader } from '../../lib/batch-loader.ts';
import { refusalOf } from '../tokens/access-token.ts';
import {
  type Claims,
  invalidToken,
  REALM,
  RefusedClaimError,
  type SignInRefusal,
  type TokenOwner,
  userRefused,
} from '../tokens/token-claims.ts';
import {
  type Access,
  type CallerAccess,
  type FindCallers,
  type OperationScope,
  requireGoodStanding,
  requireRole,
  requireScope,
} from './access.ts';
import { findKeys, hashOfKey, isApiKey, type KeyCaller, type KeyFinder, noteUses, type WantedKey } from './api-keys.ts';
import type { TokenReader } from './connections.ts';
import { type FirstSignIn, noteSignIns } from './first-sign-in.ts';
import { findCallers } from './identity-queries.ts';
import { keyProver } from './key-prover.ts';
import type { Caller } from './roles.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Operation of the route and its access. The service does not start with a route that has none. */
    operation?: {
      readonly id: string;
      readonly access: Access;
      readonly scope?: OperationScope | undefined;
      readonly writes?: boolean;
      readonly provisions?: true;
      readonly takesCsv?: true;
      readonly secretField?: string;
      readonly input?: { readonly properties: object } | undefined;
      readonly parse?: unknown;
    };
    /** Checks the input of the operation, and returns its values. */
    parse?: ((raw: unknown, caller: Caller | KeyCaller | null) => unknown) | undefined;
  }
  interface FastifyRequest {
    caller: Caller | KeyCaller | null;
    /**
     * Authenticates a request again that has waited; rejects if it would be refused now. Null for public operations.
     *
     * @param transaction reads the caller there; absent: together with those of other requests
     */
    callerNow: ((transaction?: Reader) => Promise<Caller | KeyCaller>) | null;
    /** Whether the caller was looked up before the body had come, and has to be again. */
    bodyIsAwaited: boolean;
  }
}

/** RFC 6750, section 2.1; the scheme's name is case-insensitive (RFC 9110, section 11.1). */
const BEARER = /^Bearer(?: +(.*))?$/i;

/** People whose accounts are remembered, so that their requests are counted before they are looked up. */
const MAX_PEOPLE = 100_000;

const keyRefused = () =>
  invalidToken('The API key is unknown, revoked or expired, or its company is closed.', 'API key');

/** Dependencies of caller authentication. */
export interface CallerSources {
  db: Writer;
  verifyToken: TokenReader;
  /** Undefined if tokens contain user ids. */
  signIn?: FirstSignIn | undefined;
  limits: Pick<
    Limits,
    | 'countPublic'
    | 'countUser'
    | 'countScim'
    | 'countWrite'
    | 'countCompany'
    | 'countBadToken'
    | 'forgiveBadToken'
    | 'assertMayProve'
    | 'acquire'
  >;
  batchLoader: typeof batchLoader;
}

/**
 * Authenticates and authorises every request by the access of its operation, in one hook for all routes, so that none is left open by
 * oversight. Roles and whether the user works are read from the database each time, batched per turn of the event loop; once more if the body came
 * later, and by each writing transaction (authorised-writes.ts).
 */
export function authenticateCallers(app: FastifyInstance, sources: CallerSources): void {
  const { db, verifyToken, signIn, limits, batchLoader } = sources;
  const loaders = new Map<FindCallers<Caller>, (owner: TokenOwner) => Promise<Caller | undefined>>();
  const keyLoaders = new Map<KeyFinder<KeyCaller>, (wanted: WantedKey) => Promise<KeyCaller | undefined>>();

  // Unbounded batches: followers of the feed with the same key wake together, and share one look-up.
  const loadKey = batchLoader((hashes: readonly string[]) => findKeys(db, hashes), Number.POSITIVE_INFINITY);
  const proven = keyProver(loadKey, limits);
  const noteUse = noteUses(db, (error) => app.log.warn({ err: error }, 'The last use of an API key was not noted'));
  // Bounded by size, as a bound by number (`max`) would allocate memory for all of them up front.
  const people = new LRUCache<string, string>({ maxSize: MAX_PEOPLE, sizeCalculation: () => 1 });
  const notes = noteSignIns(db, (error) => app.log.warn({ err: error }, 'A sign-in was not noted'));

  app.decorateRequest('caller', null);
  app.decorateRequest('callerNow', null);
  app.decorateRequest('bodyIsAwaited', false);
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.operation === undefined)
      throw new Error(`${method} ${url} states no operation, and so nobody may call it`);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const [access, known] = [accessOf(request), knownAccess(request)];
    const admit = () => {
      try {
        if (access.name === 'public' && access.isCounted) limits.countPublic(request, reply);
        done();
      } catch (error) {
        done(error as Error);
      }
    };
    if (known === undefined) return admit();
    authenticate(request, reply, known).then(
      () => done(),
      // What anyone may read does not depend on a good token.
      (error) => (access.name === 'public' && !asksForCompany(request) && isRefused(error) ? admit() : done(error)),
    );
  });

  app.addHook('preValidation', (request, _reply, done) => {
    if (!request.bodyIsAwaited || request.callerNow === null) return done();
    request.callerNow().then((caller) => {
      request.caller = caller;
      done();
    }, done);
  });

  /** Returns the loader of a finder: requests with the same finder share its statements. */
  function loaderOf(find: FindCallers<Caller>) {
    const loader = loaders.get(find) ?? batchLoader((owners) => find(db, owners));
    loaders.set(find, loader);
    return loader;
  }

  async function authenticate(request: FastifyRequest, reply: FastifyReply, access: CallerAccess): Promise<void> {
    reply.header('cache-control', 'no-store');
    const token = bearerToken(request);
    if (isApiKey(token)) {
      const authorise = (key: KeyCaller) => {
        const { operation } = request.routeOptions.config;
        requireScope(operation?.scope, key);
        requireGoodStanding(operation ?? {}, key);
        return key;
      };
      const key = await keyWith(token, request, reply, access);
      request.caller = key;
      countCompany(request);
      authorise(key);
      request.callerNow = async (transaction) => authorise(await goodKey(token, transaction));
      return;
    }
    const authorise = (caller: Caller) => {
      requireRole(access, caller);
      return caller;
    };
    const { caller, owner } = await callerWith(token, request, reply, access);
    // Also of a request that is refused next, for its line in the log.
    request.caller = caller;
    countCompany(request);
    authorise(caller);
    request.callerNow = async (transaction) => {
      await verifiedAgain(token, owner);
      const load = transaction
        ? async () => (await findCallers(transaction, [owner]))[0]
        : () => loaderOf(access.find)(owner);
      const caller = await load();
      if (!caller?.works) throw userRefused(caller ? 'user inactive' : 'user unknown');
      return authorise(caller);
    };
  }

  /** Verifies a token by the connection by which it was verified before. */
  async function verifiedAgain(token: string, owner: TokenOwner): Promise<void> {
    for await (const claims of verifyToken(token)) if (isDeepStrictEqual(claims.owner, owner)) return;
    throw userRefused('user unknown');
  }

  function countCompany(request: FastifyRequest): void {
    const company = companyOf(request);
    if (company !== undefined) limits.countCompany(request, company);
  }

  function keyLoaderOf(keys: KeyFinder<KeyCaller>) {
    const loader = keyLoaders.get(keys) ?? batchLoader((wanted) => keys.find(db, wanted));
    keyLoaders.set(keys, loader);
    return loader;
  }

  async function goodKey(token: string, transaction?: Reader): Promise<KeyCaller> {
    const hash = hashOfKey(token);
    const key = await (transaction ? findKeys(transaction, [hash]).then(([found]) => found) : loadKey(hash));
    if (key === undefined) throw keyRefused();
    return key;
  }

  async function keyWith(
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
    { keys }: CallerAccess,
  ): Promise<KeyCaller> {
    const hash = hashOfKey(token);
    if (!(await proven.prove(hash, request))) throw keyRefused();
    limits.acquire(reply);
    const isScim = request.routeOptions.config.operation?.scope === 'scim';
    (isScim ? limits.countScim : limits.countUser)(request, reply, `key ${hash}`);
    const requested = keys?.lookupKeyOf(request.query);
    request.bodyIsAwaited = awaitsBody(request);
    const key = await (keys && requested !== undefined ? keyLoaderOf(keys)({ hash, requested }) : loadKey(hash));
    if (key === undefined) {
      proven.forget(hash);
      limits.countBadToken(request);
      throw keyRefused();
    }
    noteUse(key.keyId);
    return key;
  }

  async function callerWith(
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
    { find }: CallerAccess,
  ): Promise<{ caller: Caller; owner: TokenOwner }> {
    const trace = traceOf(request.raw);
    const load = loaderOf(find);
    const named = new Set<string>();
    let hasSlot = false;
    let isCounted = false;
    const countBadToken = () => {
      if (!isCounted) limits.countBadToken(request, named);
      isCounted = true;
    };
    const unproven = (connectionId: string) => {
      limits.assertMayProve(request, connectionId);
      named.add(connectionId);
    };
    const noteRefusal = (error: unknown, connectionId?: string) => {
      if (!(error instanceof ApiError) || error.code !== 'INVALID_TOKEN') return;
      if (connectionId !== undefined) notes.refusedBy(connectionId, refusalOf(error), token);
      // The claims of a genuine token for somebody else.
      if (error.cause instanceof RefusedClaimError && error.cause.claims) notes.refused(error.cause.claims, 'audience');
    };
    const admit = (caller: Caller, owner: TokenOwner) => {
      notes.signedIn(caller.userId);
      return { caller, owner };
    };
    const refused = (claims: Claims, reason: SignInRefusal, userId?: string): SignInRefusal => {
      const { owner } = claims;
      notes.refused(userId === undefined ? claims : { userId }, reason);
      if ('connection' in owner && owner.connection) notes.refusedBy(owner.connection.id, { reason, rule: '' }, token);
      return reason;
    };
    try {
      const unlinked: Claims[] = [];
      const refusals: (() => SignInRefusal)[] = [];
      for await (const claims of verifyToken(token, {
        trace,
        unknownKey: countBadToken,
        unproven,
        refused: noteRefusal,
      })) {
        if (!hasSlot) limits.acquire(reply);
        hasSlot = true;
        request.bodyIsAwaited = awaitsBody(request);
        const caller = await countedCaller(claims.owner, request, reply, load);
        if (caller?.works) return admit(caller, claims.owner);
        if (caller) refusals.push(() => refused(claims, 'user inactive', caller.userId));
        else unlinked.push(claims);
      }
      // Before anybody is asked: a provider of somebody's choice may be slow, and name any number of people.
      if (unlinked.some(({ owner }) => 'connection' in owner && owner.connection)) countBadToken();
      for (const way of unlinked.length > 1 ? (['email', 'any'] as const) : (['any'] as const)) {
        for (const claims of unlinked) {
          const { owner } = claims;
          if (!signIn || 'userId' in owner) continue;
          const refusal = await signIn(claims, token, { trace, way });
          // Another request may have linked them meanwhile, if there is such a person.
          const caller = refusal === 'address unknown' ? undefined : await countedCaller(owner, request, reply, load);
          if (caller?.works) {
            if (isCounted) limits.forgiveBadToken(request, named);
            return admit(caller, owner);
          }
          if (caller) refusals.push(() => refused(claims, 'user inactive', caller.userId));
          else if (refusal !== undefined) refusals.push(() => refused(claims, refusal));
        }
      }
      const [reason = 'user unknown'] = refusals.map((note) => note());
      throw userRefused(reason);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'INVALID_TOKEN') countBadToken();
      throw error;
    }
  }

  /** Loads the caller of a token, and counts the request by the person: before, where earlier tokens of the owner were theirs. */
  async function countedCaller(
    owner: TokenOwner,
    request: FastifyRequest,
    reply: FastifyReply,
    load: (owner: TokenOwner) => Promise<Caller | undefined>,
  ): Promise<Caller | undefined> {
    const count = (userId: string) => {
      limits.countUser(request, reply, userId);
      if (request.routeOptions.config.operation?.writes) limits.countWrite(request, reply, userId);
    };
    const name = 'userId' in owner ? undefined : JSON.stringify([owner.issuer, owner.connection?.id, owner.subject]);
    const known = 'userId' in owner ? owner.userId : people.get(name ?? '');
    if (known !== undefined) count(known);
    const caller = await load(owner);
    if (caller && known === undefined) count(caller.userId);
    if (caller && name !== undefined) people.set(name, caller.userId);
    return caller;
  }
}

/** Returns whether part of the body has not come yet. A body that came with the headers is in the buffer after a turn of promises. */
function awaitsBody({ raw: { complete, headers, readableLength } }: FastifyRequest): boolean {
  if (complete) return false;
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > readableLength;
}

/** Returns the id of the calling user or key; empty if not authenticated. */
export function callerId({ caller }: FastifyRequest): { userId?: string; keyId?: string } {
  if (!caller) return {};
  return 'keyId' in caller ? { keyId: caller.keyId } : { userId: caller.userId };
}

/** Returns the fair-queueing key on the embedded database: the company of the caller, or else the caller. */
export function shareOf({ caller }: FastifyRequest): string | undefined {
  return caller ? (companyOf({ caller }) ?? ('keyId' in caller ? caller.keyId : caller.userId)) : undefined;
}

/** Returns the company that a request is counted for: of its API key, or the first in which its person has a role. */
function companyOf({ caller }: Pick<FastifyRequest, 'caller'>): string | undefined {
  if (!caller) return undefined;
  return ('keyId' in caller ? caller.companyId : caller.companyRoles[0]?.companyId) ?? undefined;
}

function accessOf({ routeOptions }: FastifyRequest): Access {
  const { operation } = routeOptions.config;
  if (operation === undefined) throw new TypeError('A route without an operation');
  return operation.access;
}

/** Returns the access of a request with a caller: also of a public one that says who calls, where that matters. */
function knownAccess(request: FastifyRequest): CallerAccess | undefined {
  const access = accessOf(request);
  if (access.name !== 'public') return access;
  return BEARER.test(request.headers.authorization ?? '') || asksForCompany(request) ? access.known : undefined;
}

function asksForCompany({ query }: FastifyRequest): boolean {
  return (query as { companyId?: unknown }).companyId !== undefined;
}

const isRefused = (error: unknown) => error instanceof ApiError && error.status === 401;

function bearerToken(request: FastifyRequest): string {
  const credentials = BEARER.exec(request.headers.authorization ?? '');
  if (!credentials) {
    const { authorization = '', 'x-api-key': misplaced } = request.headers;
    const isElsewhere = misplaced !== undefined || /^(?:basic|digest|token|apikey|odk_)/i.test(authorization);
    const message = isElsewhere
      ? 'An API key goes into the header Authorization, behind the word Bearer: Authorization: Bearer odk_….'
      : 'This needs an access token: send Authorization: Bearer <token>.';
    throw new ApiError('AUTHENTICATION_REQUIRED', message, { headers: { 'www-authenticate': REALM } });
  }
  return credentials[1] ?? '';
}
