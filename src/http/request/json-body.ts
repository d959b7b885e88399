import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, apiErrors } from '../../entities/api-error.ts';
import { isObject } from '../../entities/check-fields.ts';
import { outlineOf, parseJson } from '../../lib/strict-json.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';

/** Maximum nesting of a body; no operation takes a deeper one. */
const MAX_DEPTH = 32;
/** Maximum names, objects and lists of a body: what takes longest to parse. */
const MAX_PARTS = 100_000;

/** Bytes of a body that is parsed, checked and answered in well under a millisecond. */
const SMALL_BODY = 16 * 1024;

const HAVE_BODIES = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Accepts JSON objects in UTF-8 as bodies; an empty body counts as `{}`, whatever its content type. Another content type
 * is a 415, malformed JSON or another JSON value a 400. Operations that take CSV get the bytes of the body.
 *
 * @param mediaTypes the media types that mean JSON, in lower case
 */
export function acceptJsonBodies(app: FastifyInstance, mediaTypes: readonly string[] = ['application/json']): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    // Connections are accepted, and others answered, between two large bodies.
    if (body.length > SMALL_BODY) await yieldToEventLoop();
    if (takesCsv(request)) return csvOf(request, body);
    if (body.length > 0 && !isSaidToBe(request, mediaTypes)) throw apiErrors.unsupportedMediaType();
    return body.length === 0 ? {} : parseJsonObject(request, body);
  });
  // The framework refuses a malformed content type by itself, even with an empty body.
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    const isNamed = headers['content-type'] !== undefined;
    if (isNamed && !isSaidToBe(request, takesCsv(request) ? CSV_TYPES : mediaTypes)) delete headers['content-type'];
    done();
  });
  // The framework runs no parser on a request without content type and length.
  app.addHook('preValidation', (request, _reply, done) => {
    if (HAVE_BODIES.has(request.method)) request.body ??= takesCsv(request) ? Buffer.alloc(0) : {};
    done();
  });
}

/** CSV, and the workbooks that a spreadsheet saves instead. */
const CSV_TYPES = ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'];

function takesCsv({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.operation?.takesCsv === true;
}

function csvOf(request: FastifyRequest, body: Buffer): Buffer {
  if (body.length === 0 || isSaidToBe(request, CSV_TYPES)) return body;
  throw new ApiError(
    'UNSUPPORTED_MEDIA_TYPE',
    'The body must be CSV, sent as Content-Type: text/csv in UTF-8, not compressed.',
  );
}

/** Returns whether the headers declare a body of one of these types, in UTF-8 and not compressed. */
function isSaidToBe({ raw: { headers } }: FastifyRequest, mediaTypes: readonly string[]): boolean {
  const coding = headers['content-encoding'];
  return isOfType(headers['content-type'], mediaTypes) && (coding === undefined || coding.toLowerCase() === 'identity');
}

/** Parses a body. Each name occurs once in its object; a parameter that is sent twice gets the list of its values, as in a query. */
function parseJsonObject(request: FastifyRequest, body: Buffer): object {
  if (!isUtf8(body)) throw apiErrors.malformed('The body is not valid UTF-8.');
  const text = body.toString();
  const outline = outlineOf(text, MAX_DEPTH);
  const { depth, keys, containers } = outline;
  if (depth > MAX_DEPTH) throw apiErrors.malformed(`The body is nested deeper than ${MAX_DEPTH} levels.`);
  if (keys + containers > MAX_PARTS) {
    throw new ApiError('PAYLOAD_TOO_LARGE', 'The body has more than 100,000 names, objects and lists.');
  }
  let parsed: ReturnType<typeof parseJson>;
  try {
    parsed = parseJson(text, outline);
  } catch {
    throw apiErrors.malformed('The body is not valid JSON.');
  }
  const { value, repeated } = parsed;
  if (!isObject(value)) {
    throw apiErrors.malformed('The body must be a JSON object.');
  }
  if (repeated.length === 0) return value;
  if (repeated.some(({ key, level }) => level > 1 || !reportsParameter(request, key))) {
    throw apiErrors.malformed('An object of the body has a name twice.');
  }
  const twice = repeated.map(({ key }): [string, unknown] => [key, [value[key]]]);
  return Object.assign(Object.create(null), value, Object.fromEntries(twice));
}

/** Returns whether the check of the input reports a parameter whose value is a list: unknown names may be ignored. */
function reportsParameter({ routeOptions }: FastifyRequest, name: string): boolean {
  return Object.hasOwn(routeOptions.config.operation?.input?.properties ?? {}, name);
}

function isOfType(contentType: string | undefined, mediaTypes: readonly string[]): boolean {
  if (contentType === undefined) return false;
  const [type = ''] = contentType.split(';', 1);
  if (!mediaTypes.includes(type.trim().toLowerCase())) return false;
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}
