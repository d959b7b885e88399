import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';

/** What became of a connection. */
export interface Outcome {
  status: number | undefined;
  /** Seconds until the service closed it. */
  seconds: number;
  /** Bytes that were sent until then. */
  sent: number;
}

/** Milliseconds after which a connection that is still open is given up. */
const DEADLINE_MS = 30_000;

/**
 * Opens a connection, sends a beginning and then, again and again, what comes next, as fast as it is taken or at an interval.
 *
 * @param next what to send; undefined: nothing any more
 * @param interval milliseconds; 0: as fast as it is taken
 */
export function hold(
  port: number,
  beginning: string,
  next: () => string | undefined,
  interval: number,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const socket: Socket = connect(port, '127.0.0.1');
    let received = '';
    const flood = () => {
      for (;;) {
        const text = socket.destroyed ? undefined : next();
        if (text === undefined || !socket.write(text)) return;
      }
    };
    let timer: NodeJS.Timeout | undefined;
    if (interval === 0) socket.on('drain', flood);
    const giveUp = setTimeout(() => socket.destroy(), DEADLINE_MS);
    socket.on('connect', () => {
      socket.write(beginning, 'latin1');
      if (interval > 0) timer = setInterval(() => socket.write(next() ?? ''), interval);
      else flood();
    });
    socket.on('data', (piece: Buffer) => {
      if (received.length < 1000) received += piece.toString('latin1');
    });
    // What is sent after the service has closed is answered with a reset.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearInterval(timer);
      clearTimeout(giveUp);
      const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1];
      const seconds = (performance.now() - start) / 1000;
      if (seconds * 1000 >= DEADLINE_MS) reject(new Error(`A connection was still open after ${DEADLINE_MS / 1000} s`));
      else resolve({ status: status === undefined ? undefined : Number(status), seconds, sent: socket.bytesWritten });
    });
  });
}

/**
 * Asserts that all have been closed with one of these statuses between so many seconds, and says when. `undefined` is a connection that
 * was cut before its answer could be read: so it ends for one who goes on sending what has been refused.
 */
export function assertClosed(
  outcomes: readonly Outcome[],
  statuses: readonly (number | undefined)[],
  from: number,
  to: number,
): string {
  const seconds = outcomes.map((outcome) => outcome.seconds);
  const [first, last] = [Math.min(...seconds), Math.max(...seconds)];
  for (const { status } of outcomes) assert.ok(statuses.includes(status), `answered ${status}`);
  assert.ok(first >= from && last <= to, `closed after ${first.toFixed(1)} to ${last.toFixed(1)} s`);
  const counts = statuses.map((status) => {
    const count = outcomes.filter((outcome) => outcome.status === status).length;
    return `${count} × ${status ?? 'cut off'}`;
  });
  return `${counts.join(', ')}, closed after ${first.toFixed(1)} to ${last.toFixed(1)} s`;
}
