import type { Sql } from 'sql-template-tag';

/** Tells whether somebody still waits for a result. It is asked when the turn of the work has come. */
export interface IsWanted {
  (): boolean;
  /** Whose work it is: where one database serves one statement at a time, each of them has their turn. Absent: everybody's. */
  readonly share?: string;
}

/** Runs statements that only read, perhaps on a replica. Query functions take one, or a {@link Writer}, as their first argument. */
export interface Reader {
  /**
   * Runs one statement and gives its rows. `text`, `integer`, `boolean` and `json` have values of their own in JavaScript.
   * Whatever else a statement selects (`date`, `timestamptz`, `numeric`, `bigint`) it casts to one of these.
   *
   * @param isWanted absent: it is carried out whoever has gone
   */
  query<Row extends object>(statement: Sql, isWanted?: IsWanted): Promise<Row[]>;
}

/** Runs statements that may also write, lock rows or publish: the database itself, or a transaction on it. Never a replica. */
export interface Writer extends Reader {
  /** A {@link Reader} lacks it, and so is no Writer. */
  readonly mayWrite: true;
}

/** A transaction: it ends, and this handle with it, when the work given to {@link Transactor.transaction} does. */
export interface Transaction extends Writer {
  /** Runs a script of several statements, without parameters. */
  run(script: string): Promise<void>;
}

/** What can run transactions. */
export interface Transactor<Given extends Transaction = Transaction> extends Writer {
  /**
   * Runs the work in one transaction: commits when it fulfils, rolls back when it rejects.
   * Inside, statements go through the handle that the work is given. On the embedded database a statement on the outer one
   * waits for the transaction's end, and fails when it has waited for too long.
   *
   * @param isWanted asked before it begins; absent: it is carried out whoever has gone
   */
  transaction<Result>(work: (transaction: Given) => Promise<Result>, isWanted?: IsWanted): Promise<Result>;
}

interface Copying {
  /**
   * Adds rows to a table by COPY.
   *
   * @param target a table with its columns: `name (column, …)`
   * @param pieces whole rows in the text format of COPY. The next piece is asked for when this one has been taken. On a server
   *   they are one statement together: all rows are there at its end, or none. On the embedded database each is a
   *   statement of its own, and outside of a transaction other statements are run in between.
   */
  copyInto(target: Sql, pieces: AsyncIterable<string>): Promise<void>;
}

/** A transaction of a session. */
export interface SessionTransaction extends Transaction, Copying {}

/** A session: the temporary tables that one of its statements makes are there for all later ones. */
export interface Session extends Transactor<SessionTransaction>, Copying {}

/** What a pool of connections does at the moment. */
export interface PoolFigures {
  /** Connections that are open, and those of them that have something to do. */
  open: number;
  inUse: number;
  /** Statements and transactions that wait for a connection. */
  waiting: number;
}

/**
 * Statements and transactions outside of a session have deadlines, for the wait and for the work. Work is refused where too
 * much waits already, and never begun where it has waited for too long or is not wanted any more.
 */
export interface Database extends Transactor, AsyncDisposable {
  /** `embedded`: PostgreSQL in a thread of this process, in a folder of its own. `server`: a PostgreSQL server. */
  readonly kind: 'embedded' | 'server';

  /** How the connections to a server are used. */
  poolFigures?(): PoolFigures;

  /**
   * Runs long work in a session, without deadlines. On a server it is a connection of its own, beside the pool, and is closed
   * at the end. The embedded database has one session for all, behind a mutex: other statements are run in between, and each
   * work drops its temporary tables itself.
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
   * Makes sure that so many bytes more leave the disk of an embedded database its reserve. For a statement that writes a lot,
   * in the middle of which nobody can look, and for files in a folder, which may be on another disk.
   *
   * @throws DiskLowError
   */
  assertDiskSpace?(bytes: number, folder?: string): void;
}

/** The SQLSTATE of an error that PostgreSQL reported (`23505` is a unique violation), or undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}

/** The name of the constraint or unique index that a statement violated; undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!sqlState(error)?.startsWith('23') || !(error instanceof Error) || !('constraint' in error)) return undefined;
  return typeof error.constraint === 'string' ? error.constraint : undefined;
}
