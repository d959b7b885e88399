import { setImmediate } from 'node:timers/promises';
import { PGlite, types } from '@electric-sql/pglite';
import type { Sql } from 'sql-template-tag';
import type { Database, Session } from '../database.ts';
import { preparingStatements, type Queryable } from './pglite-statements.ts';

/** Dates and times stay the text that PostgreSQL writes: a JavaScript `Date` would move a calendar date between time zones. */
const asText = (value: string): string => value;
const parsers = { [types.DATE]: asText, [types.TIMESTAMP]: asText, [types.TIMESTAMPTZ]: asText, [types.INT8]: asText };

async function copyInto(session: Queryable, target: Sql, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    await session.query(`copy ${target.text} from '/dev/blob'`, [], { blob: new Blob([piece]) });
    // The statement has blocked the event loop: what has arrived meanwhile comes first.
    await setImmediate();
  }
}

/** It has one session for all, which it is itself. */
export type EmbeddedDatabase = Database & Session;

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
export async function openPGliteDatabase(
  options: PGliteOptions,
): Promise<EmbeddedDatabase & { readonly pglite: PGlite }> {
  const pglite = await PGlite.create({
    ...(options.folder === undefined ? {} : { dataDir: options.folder }),
    ...(options.dump === undefined ? {} : { loadDataDir: options.dump }),
    parsers,
  });
  const statements = preparingStatements(pglite);
  const [exclusively, inOneSession] = [mutex(), mutex()];
  const session: Session = {
    mayWrite: true,
    query: (statement) => exclusively(() => statements.query(pglite, statement)),
    transaction: (work) =>
      exclusively(() =>
        pglite.transaction((transaction) =>
          work({
            mayWrite: true,
            query: (statement) => statements.query(transaction, statement),
            async run(script) {
              await transaction.exec(script);
              statements.forget();
            },
            copyInto: (target, pieces) => copyInto(transaction, target, pieces),
          }),
        ),
      ),
    copyInto: (target, pieces) => copyInto(pglite, target, pieces),
  };
  return {
    ...session,
    kind: 'embedded',
    pglite,
    session: (work) => inOneSession(() => work(session)),
    async listen(channel, notified) {
      const unlisten = await pglite.listen(channel, notified);
      return { [Symbol.asyncDispose]: () => unlisten() };
    },
    [Symbol.asyncDispose]: () => pglite.close(),
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
