import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ApiError, apiErrors } from '../lib/errors.ts';

/** Bodies up to this many bytes are read; a larger one is answered with 413. */
const BODY_LIMIT = 64 * 1024;

/** No body that the service has a use for is nested at all. */
const MAX_DEPTH = 32;

/**
 * Takes JSON objects in UTF-8 as bodies, and nothing else: an empty body, with whatever content type or none, counts as
 * `{}`; another content type is a 415, malformed JSON or another JSON value a 400.
 *
 * The framework would read them too, but for each it makes an AsyncResource, which takes as long as the whole of a search.
 * So it is told that POST has no body, and the body is read before it would have been.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.raw.method !== 'POST') return done();
    readBody(request.raw, (error, body) => {
      try {
        if (error !== undefined) throw error;
        request.body = body.length === 0 ? {} : parseJsonObject(body, request.raw.headers);
        done();
      } catch (cause) {
        // What follows of the body is not wanted.
        if (!request.raw.complete) reply.header('connection', 'close');
        done(cause as Error);
      }
    });
  });
  app.addHook('onReady', async () => {
    app.addHttpMethod('POST', { hasBody: false, overrideExisting: true });
  });
}

type ReadBody = (...result: [error: undefined, body: Buffer] | [error: ApiError, body: Buffer]) => void;

function readBody(request: IncomingMessage, done: ReadBody): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = (error?: ApiError) => {
    request.off('data', take).off('end', finish).off('error', fail);
    if (error === undefined) done(undefined, Buffer.concat(chunks, length));
    else done(error, Buffer.alloc(0));
  };
  const fail = (cause: Error) => finish(new ApiError('MALFORMED_REQUEST', 'The body did not arrive whole.', { cause }));
  const take = (chunk: Buffer) => {
    length += chunk.length;
    if (length > BODY_LIMIT) finish(tooLarge());
    else chunks.push(chunk);
  };
  if (Number(request.headers['content-length']) > BODY_LIMIT) finish(tooLarge());
  else request.on('data', take).on('end', finish).on('error', fail);
}

function tooLarge(): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', 'The body is larger than 64 KiB.');
}

function parseJsonObject(body: Buffer, headers: IncomingHttpHeaders): object {
  const coding = headers['content-encoding'] ?? 'identity';
  if (!isUtf8Json(headers['content-type']) || coding.toLowerCase() !== 'identity')
    throw apiErrors.unsupportedMediaType();
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

function isUtf8Json(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  if (contentType === undefined || !/^application\/json[ \t]*(?:;|$)/i.test(contentType)) return false;
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
