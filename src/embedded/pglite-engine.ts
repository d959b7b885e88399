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
  /** All files of a database to start from; they are transferred to the thread. */
  dump?: ArrayBuffer;
  /** Whether a commit waits until the disk has it, so that it survives a power cut; only with a folder. */
  sync?: boolean;
}

/** PostgreSQL in a thread of this process, with a connection to its only session. */
export interface PGliteEngine {
  readonly connection: PostgresConnection;
  /** Returns all files of the database in their current state. */
  dump(): Promise<ArrayBuffer>;
  /** Shuts it down cleanly. */
  close(): Promise<void>;
  /** Terminates it at once; running work fails with the error. To the database it is a `kill -9`. */
  kill(error: Error): Promise<void>;
}

/** The only user, and a database that always exists. */
const ADDRESS = 'postgres://postgres@localhost/postgres';

/** Starts PostgreSQL in its own thread, so that it does not block the event loop. An error of the thread ends the process. */
export async function startEngine(
  { folder, dump, sync = false }: EngineOptions,
  onNotification: (channel: string) => void,
): Promise<PGliteEngine> {
  // PostgreSQL's own lock file, which the lock of the data folder replaces. If a kill left it empty, PostgreSQL would refuse to start.
  if (folder !== undefined) await rm(join(folder, 'postmaster.pid'), { force: true });
  const thread = new Worker(new URL('pglite-thread.js', import.meta.url), {
    name: 'database',
    workerData: { dataDir: folder, dump, sync },
    transferList: dump === undefined ? [] : [dump],
    // The flags of this process may ask for a TypeScript loader.
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
  // Two connections to one session: the driver cannot COPY on a pipelined connection.
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

/** Splits a COPY into one statement per piece, as a statement holds all its rows in memory. */
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
