import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Session } from '../db/database.ts';
import { connectionError } from '../db/database-errors.ts';
import { type EngineOptions, inPieces, type PGliteEngine, startEngine } from './pglite-engine.ts';
import { type CallRegularly, callByTheClock, openWorkQueue } from './work-queue.ts';

export interface EmbeddedDatabase extends Database {
  /** How often it has been opened: each time the settings of its session are gone. */
  openings(): number;
}

export interface PGliteOptions extends EngineOptions {
  /** Is told why the database was opened anew, and why that failed. */
  failed?: ((error: unknown) => void) | undefined;
  /** Looks at the deadlines; absent: by the system's clock. */
  callRegularly?: CallRegularly | undefined;
}

export interface PGliteDatabase extends EmbeddedDatabase {
  /** All its files, as they are now. */
  dump(): Promise<ArrayBuffer>;
}

/** Milliseconds until the database is tried to be opened once more. */
const RETRY_DELAY_MS = 1_000;
/** Milliseconds that what runs has to end in when the database is closed. */
const LAST_WORK_MS = 5_000;

/**
 * Opens PostgreSQL inside this process, in a thread of its own. Whoever gives a folder holds the lock on it (see data-folder-lock.ts):
 * two processes on one folder lose data silently.
 *
 * PGlite cannot be asked to cancel a statement. So one that passes its deadline is ended with its thread, and the database
 * opened anew, which recovers as after a `kill -9`. One in memory would be lost: there the work has no deadline.
 */
export async function openPGliteDatabase(options: PGliteOptions): Promise<PGliteDatabase> {
  const { failed, callRegularly = callByTheClock, ...engineOptions } = options;
  const listeners = new Map<string, Set<() => void>>();
  const notify = (channel: string) => {
    for (const notified of listeners.get(channel) ?? []) notified();
  };
  let engine = await startEngine(engineOptions, notify);
  let openings = 1;
  let isClosed = false;

  async function openAnew(folder: string, error: Error): Promise<void> {
    failed?.(error);
    await engine.kill(error);
    while (!isClosed) {
      try {
        engine = await startEngine({ folder }, notify);
        openings++;
        if (isClosed) return engine.close();
        for (const channel of listeners.keys()) await engine.connection.run(`listen "${channel}"`);
        for (const channel of listeners.keys()) notify(channel);
        return;
      } catch (problem) {
        failed?.(problem);
        await sleep(RETRY_DELAY_MS);
      }
    }
  }
  const { folder } = engineOptions;
  const queue = openWorkQueue(callRegularly, folder === undefined ? undefined : (error) => openAnew(folder, error));

  /** Its temporary tables are lost where the database is opened anew, and with them what it was about. */
  function openSession(): Session {
    let own: PGliteEngine | undefined;
    const onConnection = <Result>(work: (connection: PGliteEngine['connection']) => Promise<Result>) =>
      queue.runLong(async () => {
        own ??= engine;
        if (own !== engine) throw connectionError('CONNECTION_CLOSED', 'The database was opened anew meanwhile');
        return work(own.connection);
      });
    return {
      mayWrite: true,
      query: (statement) => onConnection((connection) => connection.query(statement)),
      transaction: (work) => onConnection((connection) => connection.transaction(work)),
      // Other statements are run between the pieces.
      copyInto: inPieces((target, piece) => onConnection((connection) => connection.copyInto(target, piece))),
    };
  }

  const inOneSession = mutex();
  return {
    kind: 'embedded',
    mayWrite: true,
    query: (statement, isWanted) => queue.run(() => engine.connection.query(statement), isWanted),
    transaction: (work, isWanted) => queue.run(() => engine.connection.transaction(work), isWanted),
    session: (work) => inOneSession(() => work(openSession())),
    async listen(channel, notified) {
      const all = listeners.get(channel) ?? new Set();
      listeners.set(channel, all.add(notified));
      await queue.runLong(() => engine.connection.run(`listen "${channel}"`));
      return { [Symbol.asyncDispose]: async () => void all.delete(notified) };
    },
    openings: () => openings,
    dump: () => queue.runLong(() => engine.dump()),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      if (await queue.close(LAST_WORK_MS)) await engine.close();
      else await engine.kill(connectionError('CONNECTION_CLOSED', 'The database was closed'));
    },
  };
}

/** Runs work one at a time, in the order in which it comes. */
function mutex(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
