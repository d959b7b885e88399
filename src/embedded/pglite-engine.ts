import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Session } from '../db/database.ts';
import { openConnection, type PostgresConnection } from '../db/postgres/postgres-connection.ts';
import { PGliteStream } from './pglite-stream.ts';

export interface EngineOptions {
  /** The folder of the database; absent: in memory. */
  folder?: string;
  /** All files of a database, to begin with. */
  dump?: ArrayBuffer;
}

/** PostgreSQL in a thread of this process, and a connection to its one session. */
export interface PGliteEngine {
  readonly connection: PostgresConnection;
  /** All files of the database, as they are now. */
  dump(): Promise<ArrayBuffer>;
  /** Ends it in order. */
  close(): Promise<void>;
  /** Ends it in the middle of what it does, which fails with the error. To the database it is a `kill -9`. */
  kill(error: Error): Promise<void>;
}

/** It is the only user, in a database that is always there. */
const ADDRESS = 'postgres://postgres@localhost/postgres';

/** Starts PostgreSQL in a thread of its own: what it does holds up nothing else. Where the thread fails, so does the process. */
export async function startEngine(
  { folder, dump }: EngineOptions,
  onNotification: (channel: string) => void,
): Promise<PGliteEngine> {
  // PostgreSQL's own lock file, which this folder's lock stands in for: where it was killed before it had filled it, it keeps everybody out.
  if (folder !== undefined) await rm(join(folder, 'postmaster.pid'), { force: true });
  const thread = new Worker(new URL('pglite-thread.js', import.meta.url), {
    name: 'database',
    workerData: { dataDir: folder, dump },
    // Those of this process may ask for what reads TypeScript.
    execArgv: [],
  });
  await once(thread, 'message');

  const waiting: ((answer: Uint8Array[] & ArrayBuffer) => void)[] = [];
  thread.on('message', (answer) => waiting.shift()?.(answer));
  function openStream(): PGliteStream {
    const stream: PGliteStream = new PGliteStream((messages) => {
      waiting.push((answer) => stream.answer(answer));
      thread.postMessage(messages, [messages.buffer]);
    });
    return stream;
  }
  // Two ways to the one session, as the driver takes no COPY where it sends statements behind each other.
  const copying = openConnection({ url: ADDRESS, stream: openStream(), onNotification });
  const connection = openConnection({
    url: ADDRESS,
    stream: openStream(),
    isPipelined: true,
    onNotification,
    copyInto: inPieces(copying.copyInto),
  });

  return {
    connection,
    dump: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        thread.postMessage('dump');
      }),
    async close() {
      if (thread.threadId === -1) return;
      await Promise.all([connection.end(), copying.end()]);
      const ended = once(thread, 'exit');
      thread.postMessage('close');
      await ended;
    },
    async kill(error) {
      connection.drop(error);
      copying.drop(error);
      await thread.terminate();
    },
  };
}

/** A COPY of which each piece is a statement of its own: a statement has all its rows in memory. */
export function inPieces(copyInto: Session['copyInto']): Session['copyInto'] {
  return async (target, pieces) => {
    for await (const piece of pieces) {
      await copyInto(
        target,
        (async function* () {
          yield piece;
        })(),
      );
    }
  };
}
