import { pipeline, Readable } from 'node:stream';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
  type ZlibOptions,
} from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { acceptsEncoding, CONTENT_ENCODINGS, type ContentEncoding } from './content-encoding.ts';

/** Bytes up to which a response is not compressed: it fits into one packet. */
const SMALL = 1024;

/** Bytes up to which a response is compressed synchronously, in a few hundred microseconds; larger ones go to the thread pool. */
const MAX_SYNC = 32 * 1024;

const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b|image\/svg\+xml)/;

/** The lowest levels that exploit the similarity of list items: five to eight times smaller in some 15 microseconds a page. */
const GZIP: ZlibOptions = { level: 1 };
const brotli = (bytes: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 1,
    [constants.BROTLI_PARAM_LGWIN]: 18,
    ...(bytes > 0 ? { [constants.BROTLI_PARAM_SIZE_HINT]: bytes } : {}),
  },
});

type Done = (error: Error | null, compressed: Buffer) => void;

const compressors = {
  br: {
    atOnce: (body: Buffer | string) => brotliCompressSync(body, brotli(body.length)),
    beside: (body: Buffer | string, done: Done) => brotliCompress(body, brotli(body.length), done),
    stream: () => createBrotliCompress(brotli(0)),
  },
  gzip: {
    atOnce: (body: Buffer | string) => gzipSync(body, GZIP),
    beside: (body: Buffer | string, done: Done) => gzip(body, GZIP, done),
    stream: () => createGzip(GZIP),
  },
} satisfies Record<ContentEncoding, unknown>;

/**
 * Compresses responses of more than 1 KiB for clients that accept it (RFC 9110, section 12.5.3), and sets `Vary`. Streams
 * are compressed as they are read; compressed bodies are left alone. A strong `ETag` gets the coding as a suffix.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const body = bodyOf(payload);
    if (body === undefined || !isCompressible(reply)) return done(null, payload);
    varyByEncoding(reply);
    const accepted = request.headers['accept-encoding'];
    const coding =
      accepted === undefined ? undefined : CONTENT_ENCODINGS.find((name) => acceptsEncoding(accepted, name));
    if (coding === undefined) return done(null, payload);
    const finish: Done = (error, compressed) => {
      if (error !== null) return done(error);
      label(reply, coding);
      done(null, compressed);
    };
    if (body instanceof Readable) {
      label(reply, coding);
      // A HEAD has no body to compress.
      done(null, request.method === 'HEAD' ? body : compressed(body, coding));
    } else if (body.length <= MAX_SYNC) finish(null, compressors[coding].atOnce(body));
    else compressors[coding].beside(body, finish);
  });
}

/** @returns undefined where there is no body, or it is too small to compress */
function bodyOf(payload: unknown): Buffer | string | Readable | undefined {
  if (payload instanceof Readable) return payload;
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return undefined;
  // In UTF-8 a string has at least as many bytes as UTF-16 code units, and at most three times as many.
  const isSmall = payload.length <= SMALL && (3 * payload.length <= SMALL || Buffer.byteLength(payload) <= SMALL);
  return isSmall ? undefined : payload;
}

function isCompressible(reply: FastifyReply): boolean {
  return !reply.hasHeader('content-encoding') && COMPRESSIBLE.test(String(reply.getHeader('content-type')));
}

/** Adds `Accept-Encoding` to `Vary`. */
export function varyByEncoding(reply: FastifyReply): void {
  const names = reply.getHeader('vary');
  if (names === undefined) reply.header('vary', 'Accept-Encoding');
  else if (!/\baccept-encoding\b/i.test(String(names))) reply.header('vary', `${names}, Accept-Encoding`);
}

function label(reply: FastifyReply, coding: ContentEncoding): void {
  reply.header('content-encoding', coding).removeHeader('content-length');
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string' && etag.startsWith('"')) reply.header('etag', `${etag.slice(0, -1)}-${coding}"`);
}

function compressed(stream: Readable, coding: ContentEncoding): Readable {
  // An abort destroys both streams; the reader of the result gets the error.
  return pipeline(stream, compressors[coding].stream(), () => undefined);
}
