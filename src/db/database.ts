import type { Sql } from 'sql-template-tag';

/** Runs statements: the database itself, or a transaction on it. Every query function takes one as its first argument. */
export interface Executor {
  /**
   * Runs one statement and gives its rows. Both drivers give the same JavaScript values for `text`, `integer`,
   * `boolean` and `json`; whatever else a statement selects (`date`, `timestamptz`, `numeric`, `bigint`) it casts to one of these.
   */
  query<Row extends object>(statement: Sql): Promise<Row[]>;
}

/** A transaction: it ends, and its executor with it, when the work given to {@link Database.transaction} does. */
export interface Transaction extends Executor {
  /** Runs a script of several statements, without parameters. */
  run(script: string): Promise<void>;
  /** Adds rows to a table by COPY, see {@link Session.copyInto}. */
  copyInto(target: Sql, pieces: AsyncIterable<string>): Promise<void>;
}

/** What can run transactions. */
export interface Transactor extends Executor {
  /**
   * Runs the work in one transaction: commits when it fulfils, rolls back when it rejects.
   * Inside, statements go through the executor that the work is given: on the embedded database
   * a statement on the outer one would wait for the transaction's end for ever.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
}

/** A session: the temporary tables that one of its statements makes are there for all later ones. */
export interface Session extends Transactor {
  /**
   * Adds rows to a table by COPY, outside of any transaction.
   *
   * @param target a table with its columns: `name (column, …)`
   * @param pieces whole rows in the text format of COPY. The next piece is asked for when this one has been taken. On the
   *   embedded database each is a statement of its own, between which other statements get their turn; on a server they
   *   are one statement together: all rows are there at its end, or none.
   */
  copyInto(target: Sql, pieces: AsyncIterable<string>): Promise<void>;
}

/** What a pool of connections does at the moment. */
export interface PoolFigures {
  /** Connections that are open, and those of them that have something to do. */
  open: number;
  inUse: number;
  /** Statements and transactions that wait for a connection. */
  waiting: number;
}

export interface Database extends Transactor, AsyncDisposable {
  /** `embedded`: PostgreSQL in this process, in a folder of its own. `server`: a PostgreSQL server. */
  readonly kind: 'embedded' | 'server';

  /** How the connections to a server are used. Statements and transactions outside of a session are bounded in time there. */
  poolFigures?(): PoolFigures;

  /**
   * Runs long work in a session. On a server it is a connection of its own, beside the pool, and is closed at the end.
   * The embedded database has one session for all: works wait for each other, other statements come in between, and
   * each work drops its temporary tables itself.
   */
  session<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;

  /**
   * Calls back on every notification of a channel, and each time the connection that listens has been made anew
   * (what was notified in between is lost). Disposing of the result ends it.
   */
  listen(channel: string, notified: () => void): Promise<AsyncDisposable>;

  /** Whether the disk of an embedded database has the space that is to stay free. Where it is low nothing is written, and reading goes on. */
  diskState?(): 'ok' | 'low';

  /**
   * Makes sure that so many bytes more leave the disk of an embedded database its reserve: before a statement that writes a lot,
   * in the middle of which nobody can look, and beside files that are written to a folder, which may be on another disk.
   *
   * @throws DiskLowError
   */
  expectSpace?(bytes: number, folder?: string): void;
}

/** The SQLSTATE of an error that PostgreSQL reported (`23505` is a unique violation), or undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}
