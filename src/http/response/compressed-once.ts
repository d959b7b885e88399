import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { varyByEncoding } from './compression.ts';
import { acceptsEncoding, CONTENT_ENCODINGS, type ContentEncoding } from './content-encoding.ts';

/** Compresses what is kept: smaller than an answer that is made once, in the thread pool. */
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

/** Keeps what a function makes. A failure is not kept. */
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

/** Returns what sends a text that never changes, compressed for those who take it: once for each coding, when it is first asked for. */
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
