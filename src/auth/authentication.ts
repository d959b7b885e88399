import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Limits } from '../http/limits.ts';
import { traceOf } from '../http/request-trace.ts';
import { ApiError } from '../lib/errors.ts';
import { ACCESS_TABLE, missingRole } from './access-table.ts';
import { invalidToken, REALM, type TokenVerifier } from './access-token.ts';
import type { FirstSignIn } from './first-sign-in.ts';
import type { Caller } from './roles.ts';
import type { TokenOwner } from './token-claims.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** RFC 6750, section 2.1; the scheme's name is case-insensitive (RFC 9110, section 11.1). */
const BEARER = /^Bearer(?: +(.*))?$/i;

/** How callers are known. */
export interface CallerSources<FoundCaller extends Caller> {
  verifyToken: TokenVerifier;
  findCaller: (owner: TokenOwner) => Promise<FoundCaller | undefined>;
  /** Undefined where tokens name users themselves. */
  signIn?: FirstSignIn | undefined;
  limits: Pick<Limits, 'countUser' | 'countBadToken' | 'enter'>;
}

/**
 * Puts authentication on a scope: each of its requests needs a bearer token of an active user who holds the role that the
 * access table asks for. Roles and `active` are read from the database each time; `findCaller` may read more
 * of the caller in the same statement.
 *
 * @returns a function that gives the caller of a request in this scope
 */
export function authenticate<FoundCaller extends Caller>(
  scope: FastifyInstance,
  { verifyToken, findCaller, signIn, limits }: CallerSources<FoundCaller>,
): (request: FastifyRequest) => FoundCaller {
  scope.decorateRequest('caller', null);
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, authenticated: true };
  });
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const token = bearerToken(request);
    limits.enter(reply);
    const caller = await callerWith(token, request).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'INVALID_TOKEN') limits.countBadToken(request.raw);
      throw error;
    });
    const operation = request.routeOptions.config.operation;
    const lacks = operation === undefined ? 'an operation' : missingRole(operation, caller);
    if (lacks !== undefined) throw new ApiError('ROLE_REQUIRED', `This needs ${lacks}.`);
    request.caller = caller;
  });

  async function callerWith(token: string, { raw }: FastifyRequest): Promise<FoundCaller> {
    const trace = traceOf(raw);
    const claims = await verifyToken(token, trace);
    const { owner } = claims;
    limits.countUser(raw, 'userId' in owner ? owner.userId : `${owner.issuer} ${owner.subject}`);
    let caller = await findCaller(owner);
    if (!caller && signIn) {
      await signIn(claims, token, trace);
      caller = await findCaller(owner);
    }
    if (!caller?.active) throw invalidToken('The user of this access token is unknown or deactivated.');
    return caller;
  }

  return ({ caller }) => {
    if (caller === null) throw new TypeError('Asked for the caller outside of an authenticated request');
    // What findCaller gave to the hook above is what is stored there.
    return caller as FoundCaller;
  };
}

function bearerToken(request: FastifyRequest): string {
  const credentials = BEARER.exec(request.headers.authorization ?? '');
  if (!credentials) {
    throw new ApiError('AUTHENTICATION_REQUIRED', 'This needs an access token: send Authorization: Bearer <token>.', {
      headers: { 'www-authenticate': REALM },
    });
  }
  return credentials[1] ?? '';
}

/** Makes the service refuse to start while a route does not stand under the access table. */
export function enforceAccessTable(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    const faults = routes.flatMap(({ method, url, config }) => {
      const operation = config?.operation;
      if (operation === undefined || !Object.hasOwn(ACCESS_TABLE, operation)) {
        return [`${method} ${url} states no operation of the access table`];
      }
      const open = ACCESS_TABLE[operation] !== 'public' && config?.authenticated !== true;
      return open ? [`${method} ${url} is not public and authenticates nobody`] : [];
    });
    if (faults.length > 0) throw new Error(`Routes that nothing protects: ${faults.join('; ')}`);
  });
}
