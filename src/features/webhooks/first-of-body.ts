import type { IncomingMessage } from 'node:http';

/** Bytes of an answer that are read, so that its sender is not reset, and those of them that are kept. */
const [MAX_READ, MAX_KEPT] = [64 * 1024, 4 * 1024];
/** Milliseconds that the next message waits for what is kept. */
const MAX_WAIT_MS = 250;

/**
 * Reads the body of an answer, 64 KiB at most, and returns the first 4 KiB as text: what of them has come within 250 ms. The rest is read
 * behind that. Never rejects.
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

/** A character that was cut in two is left out; PostgreSQL keeps no NUL. */
function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: bytes.length === MAX_KEPT }).replaceAll('\0', '\ufffd');
}
