import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, apiErrors } from '../lib/errors.ts';

const REQUEST_ID = /^[\w.:/+=-]{1,128}$/;

/** The caller's own `X-Request-Id` where it is plain, otherwise a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/**
 * Refuses, before anything else is looked at: a path that does not exist (404), a method that a path does not have (405
 * with `Allow`), and a request with two `Authorization` or `Host` headers or without `Host` (400).
 * Gives every answer its `X-Request-Id`.
 */
export function checkRequests(app: FastifyInstance): void {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ path, method }) => {
    const methods = methodsByPath.get(path) ?? new Set();
    methodsByPath.set(path, methods);
    for (const one of [method].flat()) methods.add(one);
  });

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (request.is404) done(unknownRoute(request, methodsByPath));
    else done(headerProblem(request.raw));
  });

  // Reached only by methods that the router knows nothing of: those do not pass the hooks.
  app.setNotFoundHandler((request) => {
    throw unknownRoute(request, methodsByPath);
  });
}

function unknownRoute(request: FastifyRequest, methodsByPath: ReadonlyMap<string, Set<string>>): ApiError {
  const path = pathOf(request.url);
  const methods = methodsByPath.get(path);
  if (!methods) return new ApiError('NOT_FOUND', 'There is nothing at this path. The operations are listed at /docs.');
  const allow = [...methods].sort().join(', ');
  return new ApiError('METHOD_NOT_ALLOWED', `${request.method} is not possible here, but ${allow}.`, {
    headers: { allow },
  });
}

function pathOf(url: string): string {
  const path = url.split(/[?#;]/, 1)[0] ?? '';
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Node keeps the first of two such headers and drops the other silently: a proxy before it may keep the second. */
function headerProblem({ rawHeaders, httpVersion }: IncomingMessage): ApiError | undefined {
  let hosts = 0;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++;
  }
  if (hosts === 0 && httpVersion !== '1.0') return apiErrors.malformed('The request has no Host header.');
  if (hosts > 1) return apiErrors.malformed('The request has more than one Host header.');
  if (authorizations > 1) return apiErrors.malformed('The request has more than one Authorization header.');
  return undefined;
}
