import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database, Session } from '../db/database.ts';
import { openConnection } from '../db/postgres/postgres-connection.ts';
import { PGliteStream } from './pglite-stream.ts';

/** It has one session for all, which it is itself. */
export type EmbeddedDatabase = Database & Session;

export interface PGliteOptions {
  /** The folder of the database; absent: in memory. */
  folder?: string;
  /** What {@link PGliteDatabase.dump} gave, to begin with. */
  dump?: ArrayBuffer;
}

export interface PGliteDatabase extends EmbeddedDatabase {
  /** All its files, as they are now. */
  dump(): Promise<ArrayBuffer>;
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

  const listeners = new Map<string, Set<() => void>>();
  const onNotification = (channel: string) => {
    for (const notified of listeners.get(channel) ?? []) notified();
  };
  // Two ways to the one session, as the driver takes no COPY where it sends statements behind each other.
  const copying = openConnection({ url: ADDRESS, stream: openStream(), onNotification });
  const connection = openConnection({
    ...{ url: ADDRESS, stream: openStream(), isPipelined: true, onNotification },
    copyInto: inPieces(copying.copyInto),
  });
  const { alone, betweenThose } = mutex();
  const inOneSession = mutex().alone;

  const session: Session = {
    mayWrite: true,
    query: (statement) => betweenThose(() => connection.query(statement)),
    transaction: (work) => alone(() => connection.transaction(work)),
    copyInto: inPieces((target, piece) => betweenThose(() => copying.copyInto(target, piece))),
  };
  return {
    ...session,
    kind: 'embedded',
    session: (work) => inOneSession(() => work(session)),
    async listen(channel, notified) {
      const all = listeners.get(channel) ?? new Set();
      listeners.set(channel, all.add(notified));
      await betweenThose(() => connection.run(`listen "${channel}"`));
      return { [Symbol.asyncDispose]: async () => void all.delete(notified) };
    },
    dump: () =>
      alone(
        () =>
          new Promise((resolve) => {
            waiting.push(resolve);
            thread.postMessage('dump');
          }),
      ),
    async [Symbol.asyncDispose]() {
      if (thread.threadId === -1) return;
      await Promise.all([connection.end(), copying.end()]);
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

type Run = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Work that is to be alone, one at a time and in the order in which it comes, and work that only is to be none of its time. */
function mutex(): { alone: Run; betweenThose: Run } {
  let last: Promise<unknown> = Promise.resolve();
  const betweenThose: Run = (work) => last.then(work);
  return {
    betweenThose,
    alone(work) {
      const result = betweenThose(work);
      last = result.catch(() => undefined);
      return result;
    },
  };
}
