import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { varyByEncoding } from './compression.ts';
import { acceptsEncoding, CONTENT_ENCODINGS, type ContentEncoding } from './content-encoding.ts';

/** Compresses content that is cached, in the thread pool: at higher levels than a response that is made once. */
export const compressForKeeping: Record<ContentEncoding, (data: Buffer) => Promise<Buffer>> = {
  br: (data) =>
    promisify(brotliCompress)(data, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_LGWIN]: 22,
        [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
      },
    }),
  gzip: (data) => promisify(gzip)(data, { level: 9 }),
};

/** Memoises an asynchronous function. A rejection is not kept. */
export function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Returns a function that sends constant content in an accepted coding. Each coding is compressed once, on first use. */
export function compressedOnce(
  read: () => Promise<string | Buffer>,
): (reply: FastifyReply, acceptEncoding: string | undefined) => Promise<FastifyReply> {
  const kept = (coding: ContentEncoding) => once(async () => compressForKeeping[coding](Buffer.from(await read())));
  const inCoding = { br: kept('br'), gzip: kept('gzip') } satisfies Record<ContentEncoding, unknown>;
  return async (reply, acceptEncoding) => {
    const coding = CONTENT_ENCODINGS.find((name) => acceptsEncoding(acceptEncoding, name));
    varyByEncoding(reply);
    if (coding === undefined) return reply.send(await read());
    return reply.header('content-encoding', coding).send(await inCoding[coding]());
  };
}
