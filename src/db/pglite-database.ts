import { PGlite, types } from '@electric-sql/pglite';
import type { Sql } from 'sql-template-tag';
import type { Database } from './database.ts';

type Session = Pick<PGlite, 'query' | 'exec'>;

/** Dates and times stay the text that PostgreSQL writes: a JavaScript `Date` would move a calendar date between time zones. */
const asText = (value: string): string => value;
const parsers = { [types.DATE]: asText, [types.TIMESTAMP]: asText, [types.TIMESTAMPTZ]: asText, [types.INT8]: asText };

async function query<Row extends object>(session: Session, statement: Sql): Promise<Row[]> {
  const result = await session.query<Row>(statement.text, statement.values as unknown[]);
  return result.rows;
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
  return {
    kind: 'embedded',
    pglite,
    query: (statement) => query(pglite, statement),
    transaction: (work) =>
      pglite.transaction((session) =>
        work({
          query: (statement) => query(session, statement),
          run: async (script) => void (await session.exec(script)),
        }),
      ),
    async listen(channel, notified) {
      const unlisten = await pglite.listen(channel, notified);
      return { [Symbol.asyncDispose]: () => unlisten() };
    },
    [Symbol.asyncDispose]: () => pglite.close(),
  };
}
