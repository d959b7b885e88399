import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ApiError, apiErrors } from '../lib/errors.ts';

/** Bodies up to this many bytes are read; a larger one is answered with 413. */
const BODY_LIMIT = 64 * 1024;

const EMPTY = Buffer.alloc(0);

/** No body that the service has a use for is nested at all. */
const MAX_DEPTH = 32;

/**
 * Takes JSON objects in UTF-8 as bodies, and nothing else: an empty body, with whatever content type or none, counts as
 * `{}`; another content type is a 415, malformed JSON or another JSON value a 400.
 *
 * The framework would read them too, but for each it makes an AsyncResource, which takes as long as the whole of a search.
 * So it is told that POST has no body, and the body is read before it would have been: until the hooks of `preValidation`
 * `request.body` is its bytes, and from then on the object.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.raw.method !== 'POST') return done();
    readBody(request.raw, (error, body) => {
      request.body = body;
      // What follows of the body is not wanted.
      if (!request.raw.complete) reply.header('connection', 'close');
      done(error);
    });
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const { body } = request;
    if (Buffer.isBuffer(body)) request.body = body.length === 0 ? {} : parseJsonObject(body, request.raw.headers);
    done();
  });
  app.addHook('onReady', async () => {
    app.addHttpMethod('POST', { hasBody: false, overrideExisting: true });
  });
}

type ReadBody = (...result: [error: undefined, body: Buffer] | [error: ApiError, body: Buffer]) => void;

/** Calls back once, whatever comes after that. */
function readBody(request: IncomingMessage, done: ReadBody): void {
  const chunks: Buffer[] = [];
  let length = 0;
  let isDone = false;
  const fail = (error: ApiError) => {
    if (!isDone) done(error, EMPTY);
    isDone = true;
  };
  if (Number(request.headers['content-length']) > BODY_LIMIT) fail(tooLarge());
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > BODY_LIMIT) fail(tooLarge());
    else chunks.push(chunk);
  });
  request.on('end', () => {
    const [first = EMPTY] = chunks;
    if (!isDone) done(undefined, chunks.length > 1 ? Buffer.concat(chunks, length) : first);
  });
  request.on('error', (cause) => {
    fail(new ApiError('MALFORMED_REQUEST', 'The body did not arrive whole.', { cause }));
  });
}

function tooLarge(): ApiError {
  return new ApiError('PAYLOAD_TOO_LARGE', 'The body is larger than 64 KiB.');
}

/** Whether a body is said to be JSON in UTF-8, not compressed. */
export function isSaidToBeJson(headers: IncomingHttpHeaders): boolean {
  const coding = headers['content-encoding'];
  return isUtf8Json(headers['content-type']) && (coding === undefined || coding.toLowerCase() === 'identity');
}

function parseJsonObject(body: Buffer, headers: IncomingHttpHeaders): object {
  if (!isSaidToBeJson(headers)) throw apiErrors.unsupportedMediaType();
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
  if (levels === 0) return true;
  // Without a list of the values: most bodies are small, and this is asked of each.
  for (const key in value) if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}
