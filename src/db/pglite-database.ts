import { setImmediate } from 'node:timers/promises';
import { PGlite, type Transaction as PGliteTransaction, types } from '@electric-sql/pglite';
import type { Sql } from 'sql-template-tag';
import type { Database, Session } from './database.ts';

/** Dates and times stay the text that PostgreSQL writes: a JavaScript `Date` would move a calendar date between time zones. */
const asText = (value: string): string => value;
const parsers = { [types.DATE]: asText, [types.TIMESTAMP]: asText, [types.TIMESTAMPTZ]: asText, [types.INT8]: asText };

type Queryable = Pick<PGliteTransaction, 'query'>;

async function query<Row extends object>(session: Queryable, statement: Sql): Promise<Row[]> {
  const result = await session.query<Row>(statement.text, statement.values as unknown[]);
  return result.rows;
}

async function copyInto(session: Queryable, target: Sql, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    await session.query(`copy ${target.text} from '/dev/blob'`, [], { blob: new Blob([piece]) });
    // The statement has held up this thread: whatever has arrived meanwhile gets its turn.
    await setImmediate();
  }
}

export interface PGliteOptions {
  /** The folder of the database; absent: in memory. */
  folder?: string;
  /** A dump made by `dumpDataDir` to begin with. */
  dump?: Blob;
}

/**
 * Opens PostgreSQL inside this process. Whoever gives a folder holds the lock on it (see data-folder-lock.ts):
 * two processes on one folder lose data silently.
 */
export async function openPGliteDatabase(options: PGliteOptions): Promise<Database & { readonly pglite: PGlite }> {
  const pglite = await PGlite.create({
    ...(options.folder === undefined ? {} : { dataDir: options.folder }),
    ...(options.dump === undefined ? {} : { loadDataDir: options.dump }),
    parsers,
  });
  const session: Session = {
    query: (statement) => query(pglite, statement),
    transaction: (work) =>
      pglite.transaction((transaction) =>
        work({
          query: (statement) => query(transaction, statement),
          run: async (script) => void (await transaction.exec(script)),
          copyInto: (target, pieces) => copyInto(transaction, target, pieces),
        }),
      ),
    copyInto: (target, pieces) => copyInto(pglite, target, pieces),
  };
  let lastWork: Promise<unknown> = Promise.resolve();
  return {
    ...session,
    kind: 'embedded',
    pglite,
    session(work) {
      const result = lastWork.then(() => work(session));
      lastWork = result.catch(() => undefined);
      return result;
    },
    async listen(channel, notified) {
      const unlisten = await pglite.listen(channel, notified);
      return { [Symbol.asyncDispose]: () => unlisten() };
    },
    [Symbol.asyncDispose]: () => pglite.close(),
  };
}
