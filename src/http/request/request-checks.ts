import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../entities/api-error.ts';
import { headersTooLarge, writeRawError } from '../response/error-handler.ts';

/** Maximum bytes of the request line and all headers. */
export const MAX_HEADER_SIZE = 16 * 1024;

/**
 * Refuses, before any other check: unknown paths (404), unknown methods of a path (405 with `Allow`), ambiguous requests
 * (400) and unsupported expectations (417). Sets `X-Request-Id` and `X-Content-Type-Options: nosniff` on every response.
 *
 * Ambiguous requests and unsupported expectations also close the connection, whatever the status: client and server may
 * disagree where the next request starts (request smuggling).
 *
 * @param sendPage answers an unknown path with a page for browsers; absent: they get the JSON error
 */
export function checkRequests(app: FastifyInstance, sendPage?: (reply: FastifyReply) => FastifyReply): void {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ path, method }) => {
    const methods = methodsByPath.get(path) ?? new Set();
    methodsByPath.set(path, methods);
    for (const one of [method].flat()) methods.add(one);
  });

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    const problem = headerProblem(request.raw);
    if (problem !== undefined) reply.header('connection', 'close');
    if (request.is404 && sendPage && problem === undefined && isForPeople(request)) {
      sendPage(reply.code(404));
      return;
    }
    done(request.is404 ? unknownRoute(request, methodsByPath) : problem);
  });

  // Node answers these two by itself unless there are listeners: the first without a body, CONNECT by closing the connection.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', (request) => writeRawError(request.socket, unknownRoute(request, methodsByPath)));

  // Reached only by methods that the router does not know: those do not pass the hooks.
  app.setNotFoundHandler((request, reply) => {
    if (headerProblem(request.raw) !== undefined) reply.header('connection', 'close');
    throw unknownRoute(request, methodsByPath);
  });
}

/** Returns whether a request is a browser's navigation rather than an API client's. */
function isForPeople({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return /\btext\/html\b/i.test(headers.accept ?? '') && !/^\/api(?:[/?#]|$)/i.test(pathOf(url));
}

/** The methods named in `Allow` for CONNECT, whose target is a host and so never one of the paths. */
const ANY_METHOD: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

function unknownRoute(
  request: { method?: string | undefined; url?: string | undefined },
  methodsByPath: ReadonlyMap<string, ReadonlySet<string>>,
): ApiError {
  const methods =
    methodsOf(pathOf(request.url ?? ''), methodsByPath) ?? (request.method === 'CONNECT' ? ANY_METHOD : undefined);
  if (!methods) return new ApiError('NOT_FOUND', 'There is nothing at this path. The operations are listed at /docs.');
  const allow = [...methods].sort().join(', ');
  return new ApiError('METHOD_NOT_ALLOWED', `${request.method} is not allowed here. Allowed: ${allow}.`, {
    headers: { allow },
  });
}

/** Returns the methods of a path, undefined for an unknown one. `:name` in a route matches one segment. */
function methodsOf(
  path: string,
  methodsByPath: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<string> | undefined {
  const exact = methodsByPath.get(path);
  if (exact !== undefined) return exact;
  const segments = path.split('/');
  const known = [...methodsByPath.keys()].find((candidate) => {
    if (!candidate.includes('/:')) return false;
    const parts = candidate.split('/');
    return (
      parts.length === segments.length && parts.every((part, place) => part.startsWith(':') || part === segments[place])
    );
  });
  return known === undefined ? undefined : methodsByPath.get(known);
}

const WHOLE_URL = /^https?:\/\/([^/?#]*)/i;

function pathOf(url: string): string {
  const path = url.replace(WHOLE_URL, '').split(/[?#]/, 1)[0] ?? '';
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** `uri-host [ ":" port ]` (RFC 9110, section 7.2), without percent-encoding, which no host name has. */
const HOST = /^(?:[\w.~!$&'()*+;=-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/**
 * Returns the error of a request that a proxy and this service could interpret differently, or of an unsupported
 * expectation. Of two `Host`, `Authorization` or `Content-Type` headers Node silently keeps the first; others may keep the second.
 */
function headerProblem(request: IncomingMessage): ApiError | undefined {
  const { method = '', url = '', rawHeaders, headers, httpVersion } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return ambiguous(`HTTP/${httpVersion} is not spoken here.`);
  let hosts = 0;
  let authorizations = 0;
  let contentTypes = 0;
  let size = method.length + url.length + '  HTTP/1.1\r\n'.length;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    size += name.length + (rawHeaders[index + 1] ?? '').length + ': \r\n'.length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations++;
    else if (name.length === 12 && name.toLowerCase() === 'content-type') contentTypes++;
  }
  if (size > MAX_HEADER_SIZE) return headersTooLarge();
  if (hosts === 0 && httpVersion !== '1.0') return ambiguous('The request has no Host header.');
  if (hosts > 1) return ambiguous('The request has more than one Host header.');
  if (authorizations > 1) return ambiguous('The request has more than one Authorization header.');
  if (contentTypes > 1) return ambiguous('The request has more than one Content-Type header.');
  if (hosts > 0 && !HOST.test(headers.host ?? '')) return ambiguous('The Host header names no host.');
  if (!url.startsWith('/') && isForAnotherHost(url, headers.host)) {
    return ambiguous('The URL of the request and its Host header name two hosts.');
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return ambiguous('No Transfer-Encoding is understood but chunked.');
  }
  if (coding !== undefined && httpVersion === '1.0') return ambiguous('HTTP/1.0 has no Transfer-Encoding.');
  if (headers.expect !== undefined && httpVersion !== '1.0' && !/\b100-continue\b/i.test(headers.expect)) {
    // Whether a body follows is unknown, so the next request on this connection cannot be told from it.
    return new ApiError('EXPECTATION_FAILED', 'Only the expectation 100-continue is supported.');
  }
  return undefined;
}

function ambiguous(message: string): ApiError {
  return new ApiError('MALFORMED_REQUEST', message);
}

/** Returns whether an absolute-form target names another host than `Host`; they must be equal (RFC 9112, section 3.2.2). */
function isForAnotherHost(target: string, host: string | undefined): boolean {
  const authority = WHOLE_URL.exec(target)?.[1];
  return authority !== undefined && host !== undefined && authority.toLowerCase() !== host.toLowerCase();
}
