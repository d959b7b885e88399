import type { IncomingMessage } from 'node:http';

/** Bytes of a response that are read, so that its sender sees no connection reset, and bytes that are kept. */
const [MAX_READ, MAX_KEPT] = [64 * 1024, 4 * 1024];
/** Milliseconds that the next message waits for the kept part. */
const MAX_WAIT_MS = 250;

/**
 * Returns the first 4 KiB of a response body as text, or what arrives of them within 250 ms. Reading continues in the background, up to
 * 64 KiB. Never rejects.
 */
export function firstOfBody(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const kept: Buffer[] = [];
    let bytes = 0;
    const done = () => {
      clearTimeout(timer);
      resolve(textOf(Buffer.concat(kept)));
    };
    const timer = setTimeout(done, MAX_WAIT_MS);
    answer.on('error', done).on('close', done);
    answer.on('data', (piece: Buffer) => {
      if (bytes < MAX_KEPT) kept.push(piece.subarray(0, MAX_KEPT - bytes));
      bytes += piece.length;
      if (bytes >= MAX_KEPT) done();
      if (bytes > MAX_READ) answer.destroy();
    });
  });
}

/** Decodes UTF-8 without a character truncated at the limit. NUL is replaced, as PostgreSQL cannot store it. */
function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: bytes.length === MAX_KEPT }).replaceAll('\0', '\ufffd');
}
