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

/** Answers of no more bytes go as they are: they fit into one packet. */
const SMALL = 1024;

/** Answers of up to so many bytes are compressed at once, in a few hundred microseconds; larger ones beside the event loop. */
const AT_ONCE = 32 * 1024;

const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b|image\/svg\+xml)/;

/** The lowest levels that find what items of a list have in common: five to eight times as small in some 15 microseconds a page. */
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
 * Compresses every answer of more than 1 KiB for those who take it (RFC 9110, section 12.5.3), but what is compressed already, and
 * tells caches that there are several (`Vary`). Streams are compressed as they are read. An `ETag` that is strong says
 * which coding it is of.
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
      // A HEAD has no body: nothing of it is made.
      done(null, request.method === 'HEAD' ? body : compressed(body, coding));
    } else if (body.length <= AT_ONCE) finish(null, compressors[coding].atOnce(body));
    else compressors[coding].beside(body, finish);
  });
}

/** @returns undefined where there is nothing, or not enough, to compress */
function bodyOf(payload: unknown): Buffer | string | Readable | undefined {
  if (payload instanceof Readable) return payload;
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return undefined;
  // A text has at least as many bytes as letters, and at most three times as many.
  const isSmall = payload.length <= SMALL && (3 * payload.length <= SMALL || Buffer.byteLength(payload) <= SMALL);
  return isSmall ? undefined : payload;
}

function isCompressible(reply: FastifyReply): boolean {
  return !reply.hasHeader('content-encoding') && COMPRESSIBLE.test(String(reply.getHeader('content-type')));
}

/** Tells caches that there are answers in several codings. */
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
  // Whoever breaks off ends both; what fails is told to whoever reads the outcome.
  return pipeline(stream, compressors[coding].stream(), () => undefined);
}
