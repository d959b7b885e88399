import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KeyActor, UserActor } from '../audit/audit-trail.ts';
import { type CallerAccess, type CompanyScope, companyScopeOf, requireCompany } from '../auth/callers/access.ts';
import type { KeyCaller } from '../auth/callers/api-keys.ts';
import { CallerChangedError } from '../auth/callers/authorised-writes.ts';
import type { Caller } from '../auth/callers/roles.ts';
import type { Reader } from '../db/database.ts';
import { ApiError, apiErrors, type FieldProblem, MAX_PROBLEMS, problemOf } from '../entities/api-error.ts';
import { isObject, type RawFields, unknownName } from '../entities/check-fields.ts';
import { entityAt, externalIdsIn, namesByExternalIds, resolveExternalIds } from './external-ids.ts';
import { compileListInput, LIST } from './input.ts';
import type { Method, Operation } from './operation.ts';
import type { OwnFilter } from './own-filter.ts';

/**
 * Registers a route per operation and method, with its checks of the input and of the requested company.
 *
 * @param servicesFor returns the services of one request
 */
export function operationRoutes<Services>(
  app: FastifyInstance,
  operations: readonly Operation<Services>[],
  servicesFor: (request: FastifyRequest) => Services,
): void {
  for (const operation of operations) {
    for (const method of operation.methods) addRoute(app, operation, method, servicesFor);
  }
}

function addRoute<Services>(
  app: FastifyInstance,
  operation: Operation<Services>,
  method: Method,
  servicesFor: (request: FastifyRequest) => Services,
): void {
  const { access, input, output, path, writes = false } = operation;
  const parse = operation.parse ?? (input && compileListInput(input));
  const source = method === 'GET' || method === 'DELETE' || operation.takesCsv ? 'query' : 'body';
  const changesByGet = writes && method === 'GET';
  const known = operation.standard || input === undefined ? undefined : Object.keys(input.properties);
  const own = entityAt(path);
  const takesExternalIds = known !== undefined && namesByExternalIds(operation);
  app.route({
    method,
    url: path,
    config: { operation, parse },
    ...(operation.bodyLimit === undefined ? {} : { bodyLimit: operation.bodyLimit }),
    exposeHeadRoute: method === 'GET' && !writes,
    preValidation: [
      ...(changesByGet ? [refusePrefetch, refuseMalformedQuery] : []),
      ...(takesExternalIds ? [readExternalIds] : []),
      checkInput,
    ],
    schema: {
      ...(input === undefined ? {} : { [source === 'query' ? 'querystring' : 'body']: input }),
      ...(output.isRaw ? {} : { response: { 200: output.schema } }),
    },
    handler: writes ? runAgainIfCallerChanged(run) : run,
  });

  function readExternalIds(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
    const { caller } = request;
    const given: unknown = request[source];
    const named = caller === null ? [] : externalIdsIn(given, own);
    if (caller === null || named.length === 0) {
      done();
      return;
    }
    const { roles } = access as CallerAccess;
    // Whoever needs no role names rows of their own company alone.
    const scope = roles === undefined && 'userId' in caller ? caller : companyScopeOf(access as CallerAccess, caller);
    const { db } = servicesFor(request) as Services & { db: Reader };
    resolveExternalIds(db, named, { scope, given: given as RawFields, own }).then(() => done(), done);
  }

  function checkInput(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    try {
      readInput(request, reply, request[source]);
    } catch (error) {
      readWithoutUnchanged(request, reply, error).then(() => done(), done);
      return;
    }
    done();
  }

  function readInput(request: FastifyRequest, reply: FastifyReply, given: unknown): void {
    const problems = unknownNames(request, reply, given);
    let checked = given;
    const own = operation.filtersFields && isObject(given) ? ownFilterOf(given) : undefined;
    try {
      if (parse !== undefined) {
        checked = parse(own?.ownSort === undefined ? given : { ...(given as object), sort: undefined }, request.caller);
      }
    } catch (error) {
      if (problems.length === 0 || !isInvalid(error)) throw error;
      const others = error.problems.filter(({ field }) => !problems.some((problem) => problem.field === field));
      throw apiErrors.invalidInput([...others, ...problems]);
    }
    if (problems.length > 0) throw apiErrors.invalidInput(problems);
    if (parse !== undefined) request[source] = own === undefined ? checked : { ...(checked as object), ...own };
  }

  /** Finds the names that the operation does not have, if it refuses them or the client prefers so, and those written as lists. */
  function unknownNames(request: FastifyRequest, reply: FastifyReply, given: unknown): FieldProblem[] {
    if (known === undefined || !isObject(given) || Buffer.isBuffer(given)) return [];
    const prefersStrict = STRICT.test(String(request.headers.prefer ?? ''));
    if (prefersStrict) reply.header('preference-applied', 'handling=strict');
    const isStrict = prefersStrict || !operation.ignoresUnknown;
    const unknown = Object.keys(given).filter(
      (name) =>
        given[name] !== undefined && !known.includes(name) && !(operation.filtersFields && name.startsWith('fields.')),
    );
    // A body of fields has lists; parameters have none, in a query or a body.
    const hasParameters = source === 'query' || operation.methods.includes('GET');
    const listed = (name: string) => (hasParameters ? known.find((each) => name.startsWith(`${each}[`)) : undefined);
    const refused = unknown.filter((name) => isStrict || listed(name) !== undefined).slice(0, MAX_PROBLEMS);
    return refused.map((name) => {
      const base = listed(name);
      if (base !== undefined) return problemOf(base, LIST.code, LIST.expected);
      return unknownName(name, known, source === 'query' ? 'parameter' : 'field');
    });
  }

  /** @throws the error of the first reading where nothing can be left out */
  async function readWithoutUnchanged(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<void> {
    const { caller } = request;
    const given: unknown = request[source];
    if (operation.withoutUnchanged === undefined || !isInvalid(error) || caller === null || !isObject(given))
      throw error;
    const call = { caller, scope: companyScopeOf(access as CallerAccess, caller) };
    const changes = await operation
      .withoutUnchanged(given, call, servicesFor(request))
      .catch((reason: unknown) => Promise.reject(reason instanceof ApiError ? error : reason));
    readInput(request, reply, changes);
  }

  function run(request: FastifyRequest, reply: FastifyReply): unknown {
    const { caller } = request;
    const checked = request[source];
    const scope = access.name === 'public' || caller === null ? 'all' : requestedScope(access, caller, checked);
    const actor = caller === null ? null : actorOf(caller, request.id);
    const ifMatch = request.headers['if-match'];
    const call = { input: checked, caller, scope, actor, ifMatch, request, reply };
    const answer = operation.run(call, servicesFor(request));
    // The framework would wait for a reply that is sent.
    return answer === reply ? undefined : answer;
  }
}

/** Returns the filters and the sort key of a list by fields of one's own. @throws ApiError `INVALID_INPUT` for a list */
function ownFilterOf(given: RawFields): OwnFilter {
  const filters = Object.entries(given).filter(
    ([name, value]) => name.startsWith('fields.') && value !== '' && value != null,
  );
  const lists = filters.filter(([, value]) => typeof value === 'object');
  if (lists.length > 0) throw apiErrors.invalidInput(lists.map(([name]) => problemOf(name, LIST.code, LIST.expected)));
  const { sort } = given;
  const isOwn = typeof sort === 'string' && /^-?fields\./.test(sort);
  return {
    ...(filters.length === 0 ? {} : { ownFilters: filters.map(([name, value]) => [name, String(value)] as const) }),
    ...(isOwn ? { ownSort: sort } : {}),
  };
}

/** How often a request is run whose caller keeps changing. */
const MAX_RUNS = 3;

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/** Runs a request again, like a new one, where its caller lost a right before the commit. */
function runAgainIfCallerChanged(run: Handler): Handler {
  return async (request, reply) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run(request, reply);
      } catch (error) {
        const isAgain = error instanceof CallerChangedError && attempt < MAX_RUNS;
        if (!isAgain || request.callerNow === null) throw error;
        request.caller = await request.callerNow();
      }
    }
  };
}

function actorOf(caller: Caller | KeyCaller, requestId: string): UserActor | KeyActor {
  return 'keyId' in caller
    ? { kind: 'key', keyId: caller.keyId, requestId }
    : { kind: 'user', userId: caller.userId, requestId };
}

/** Returns the companies that the caller may access by this operation. @throws ApiError `COMPANY_FORBIDDEN` */
function requestedScope(access: CallerAccess, caller: Caller | KeyCaller, input: unknown): CompanyScope {
  const scope = companyScopeOf(access, caller);
  const { companyId } = (input ?? {}) as { companyId?: string };
  if (companyId !== undefined && access.roles !== undefined) requireCompany(access, caller, scope, companyId);
  return scope;
}

/** Matches a `Prefer` by which unknown parameters are errors (RFC 7240, section 4.4). */
const STRICT = /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i;

function isInvalid(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'INVALID_INPUT';
}

/** Headers that mark a prefetch: that of the Fetch standard, and its predecessors. */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** Refuses prefetches: they must not change anything. */
async function refusePrefetch({ headers }: FastifyRequest, _reply: FastifyReply): Promise<void> {
  if (PURPOSE_HEADERS.some((name) => /\b(?:prefetch|preview)\b/i.test(String(headers[name] ?? '')))) {
    throw new ApiError('PREFETCH_REFUSED', 'This request changes the profile: it must not be prefetched.');
  }
}

/** Refuses a query that is not percent-encoded UTF-8: the parser leaves what it cannot decode, such as `%ED%A0%80`, as it is. */
async function refuseMalformedQuery(request: FastifyRequest): Promise<void> {
  try {
    decodeURIComponent(request.url);
  } catch {
    throw apiErrors.malformed('The query string is not percent-encoded UTF-8.');
  }
}
