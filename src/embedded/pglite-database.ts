import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'sql-template-tag';
import type { Database, Session } from '../db/database.ts';
import { connectionError } from '../db/database-errors.ts';
import { createKeeper } from './keeper.ts';
import { type EngineOptions, inPieces, type PGliteEngine, startEngine } from './pglite-engine.ts';
import { type CallRegularly, callByTheClock, openWorkQueue } from './work-queue.ts';

export interface EmbeddedDatabase extends Database {
  /** How often it has been opened; session settings are lost each time. */
  openings(): number;
}

export interface PGliteOptions extends EngineOptions {
  /** Receives each error that made the database restart, or made the restart fail. */
  failed?: ((error: unknown) => void) | undefined;
  /** Schedules the deadline checks; absent: by the system clock. */
  callRegularly?: CallRegularly | undefined;
}

export interface PGliteDatabase extends EmbeddedDatabase {
  /** Returns all its files in their current state. */
  dump(): Promise<ArrayBuffer>;
}

/** Milliseconds between attempts to reopen the database. */
const RETRY_DELAY_MS = 1_000;
/** Checks of deadlines in the time between two looks of the keeper: one second. */
const CHECKS_A_LOOK = 10;
/** Milliseconds that running work has to finish when the database is closed. */
const LAST_WORK_MS = 5_000;

/**
 * Opens PostgreSQL inside this process, in its own thread. With a folder, the caller must hold its lock (see data-folder-lock.ts): two
 * processes on one folder lose data silently.
 *
 * PGlite cannot cancel a statement. So one that passes its deadline is ended by terminating the thread; the database is reopened and
 * recovers as after a `kill -9`. An in-memory one would be lost, so its work has no deadline.
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
        engine = await startEngine({ folder, sync: engineOptions.sync ?? false }, notify);
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
  let checks = 0;
  const queue = openWorkQueue(
    (look) =>
      callRegularly(() => {
        look();
        checks += 1;
        if (checks % CHECKS_A_LOOK === 0) void keeper?.look().catch((error) => isClosed || failed?.(error));
      }),
    folder === undefined ? undefined : (error) => openAnew(folder, error),
  );

  /** Statements fail once the database has been reopened: the session's temporary tables are gone. */
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
      // Queued piece by piece, so that other statements run in between.
      copyInto: inPieces((target, piece) => onConnection((connection) => connection.copyInto(target, piece))),
    };
  }

  const inOneSession = mutex();
  let maintained = 0;
  const keeper =
    folder === undefined
      ? undefined
      : createKeeper({ run: maintain, isIdle: queue.isIdle, begun: () => queue.begun() - maintained });
  async function maintain<Row extends object>(statement: Sql) {
    return queue.runLong(async () => {
      maintained += 1;
      const began = performance.now();
      const rows = await engine.connection.query<Row>(statement);
      return { rows, milliseconds: performance.now() - began };
    });
  }
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
    ...(keeper && { embeddedFigures: keeper.figures }),
    dump: () => queue.runLong(() => engine.dump()),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      if (await queue.close(LAST_WORK_MS)) await engine.close();
      else await engine.kill(connectionError('CONNECTION_CLOSED', 'The database was closed'));
    },
  };
}

/** Mutex: runs work one at a time, first in, first out. */
function mutex(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
