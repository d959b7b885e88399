import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { apiErrors } from '../lib/errors.ts';

/** Bodies up to this many bytes are read; a larger one is answered with 413. */
export const BODY_LIMIT = 64 * 1024;

/** No body that the service has a use for is nested at all. */
const MAX_DEPTH = 32;

/**
 * Takes JSON objects in UTF-8 as bodies, and nothing else: an empty body, with whatever content type or none, counts as
 * `{}`; another content type is a 415, malformed JSON or another JSON value a 400.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, body.length === 0 ? {} : parseJsonObject(body));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(body.length === 0 ? null : apiErrors.unsupportedMediaType(), {});
  });
  // The framework refuses some content types before it knows whether there is a body at all: it gets to see none of these.
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const contentType = headers['content-type'];
    if (contentType !== undefined) {
      if (isUtf8Json(contentType)) headers['content-type'] = 'application/json';
      else delete headers['content-type'];
    }
    done();
  });
}

function parseJsonObject(body: Buffer): object {
  if (!isUtf8(body)) throw apiErrors.malformed('The body is not valid UTF-8.');
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    throw apiErrors.malformed('The body is not valid JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw apiErrors.malformed('The body must be a JSON object.');
  }
  if (isDeeperThan(value, MAX_DEPTH)) {
    throw apiErrors.malformed(`The body is nested deeper than ${MAX_DEPTH} levels.`);
  }
  return value;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

function isUtf8Json(contentType: string): boolean {
  if (!/^application\/json[ \t]*(?:;|$)/i.test(contentType)) return false;
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}
