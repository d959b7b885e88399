import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database, Session } from '../database.ts';
import { openConnection } from '../postgres/postgres-connection.ts';
import { PGliteStream } from './pglite-stream.ts';

/** It has one session for all, which it is itself. */
export type EmbeddedDatabase = Database & Session;

export interface PGliteOptions {
  /** The folder of the database; absent: in memory. */
  folder?: string;
  /** What {@link PGliteDatabase.dump} gave, to begin with. */
  dump?: Blob;
}

export interface PGliteDatabase extends EmbeddedDatabase {
  /** All its files, as they are now. */
  dump(): Promise<Blob>;
}

/** It is the only user, in a database that is always there. */
const ADDRESS = 'postgres://postgres@localhost/postgres';

/**
 * Opens PostgreSQL inside this process, in a thread of its own: what it does holds up nothing else. Where the thread fails, so does the process.
 * Whoever gives a folder holds the lock on it (see data-folder-lock.ts): two processes on one folder lose data silently.
 */
export async function openPGliteDatabase({ folder, dump }: PGliteOptions): Promise<PGliteDatabase> {
  const thread = new Worker(new URL('pglite-thread.js', import.meta.url), {
    name: 'database',
    workerData: { dataDir: folder, loadDataDir: dump },
    // Those of this process may ask for what reads TypeScript.
    execArgv: [],
  });
  await once(thread, 'message');

  const stream = new PGliteStream((messages) => thread.postMessage(messages, [messages.buffer]));
  const dumps: ((dump: Blob) => void)[] = [];
  thread.on('message', (answer: Uint8Array | Blob) => {
    if (answer instanceof Blob) dumps.shift()?.(answer);
    else stream.answer(answer);
  });
  const listeners = new Map<string, Set<() => void>>();
  const connection = openConnection({
    url: ADDRESS,
    stream,
    onNotification: (channel) => {
      for (const notified of listeners.get(channel) ?? []) notified();
    },
  });

  const [exclusively, inOneSession] = [mutex(), mutex()];
  const session: Session = {
    mayWrite: true,
    query: (statement) => exclusively(() => connection.query(statement)),
    transaction: (work) =>
      exclusively(() =>
        connection.transaction((transaction) => work({ ...transaction, copyInto: inPieces(transaction.copyInto) })),
      ),
    copyInto: inPieces((target, piece) => exclusively(() => connection.copyInto(target, piece))),
  };
  return {
    ...session,
    kind: 'embedded',
    session: (work) => inOneSession(() => work(session)),
    async listen(channel, notified) {
      const all = listeners.get(channel) ?? new Set();
      listeners.set(channel, all.add(notified));
      await exclusively(() => connection.run(`listen "${channel}"`));
      return { [Symbol.asyncDispose]: async () => void all.delete(notified) };
    },
    dump: () =>
      exclusively(
        () =>
          new Promise((resolve) => {
            dumps.push(resolve);
            thread.postMessage('dump');
          }),
      ),
    async [Symbol.asyncDispose]() {
      if (thread.threadId === -1) return;
      await connection.end();
      const ended = once(thread, 'exit');
      thread.postMessage('close');
      await ended;
    },
  };
}

/** Each piece is a statement of its own: a statement has all its rows in memory. */
function inPieces(copyInto: Session['copyInto']): Session['copyInto'] {
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

/** Runs one piece of work at a time, in the order in which they come. */
function mutex(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
