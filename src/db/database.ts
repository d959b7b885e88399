import { raw, type Sql } from 'sql-template-tag';

/** Returns whether the result is still wanted; called when the work is due to start. */
export interface IsWanted {
  (): boolean;
  /** Key of the company of the caller, of whose work a database holds up that of others as little as it can. Absent: shared by all. */
  readonly share?: string;
  /** Key of the person or API key of that share, of whose work the embedded database holds up that of the others as little as it can. */
  readonly member?: string;
}

/** Runs read-only statements, possibly on a replica. Query functions take it, or a {@link Writer}, as their first argument. */
export interface Reader {
  /**
   * Runs one statement and returns its rows. `text`, `integer`, `boolean` and `json` map to JavaScript values; a statement must cast all
   * other types (`date`, `timestamptz`, `numeric`, `bigint`) to one of these.
   *
   * @param isWanted absent: runs even if the caller has disconnected
   */
  query<Row extends object>(statement: Sql, isWanted?: IsWanted): Promise<Row[]>;
}

/** Runs statements that may also write, lock rows or notify: the primary or a transaction on it, never a replica. */
export interface Writer extends Reader {
  /** Brand that keeps a {@link Reader} from being passed as a Writer. */
  readonly mayWrite: true;
}

/** A transaction; its handle is valid until the work given to {@link Transactor.transaction} settles. */
export interface Transaction extends Writer {
  /** Runs several statements without parameters. */
  run(script: string): Promise<void>;
}

export interface Transactor<Given extends Transaction = Transaction> extends Writer {
  /**
   * Runs the work in one transaction: commits when it resolves, rolls back when it rejects. Statements inside must use the handle passed to
   * the work. On the embedded database, a statement on the outer handle waits for the end of the transaction, and fails on timeout.
   *
   * @param isWanted called before it begins; absent: runs even if the caller has disconnected
   */
  transaction<Result>(work: (transaction: Given) => Promise<Result>, isWanted?: IsWanted): Promise<Result>;
}

interface Copying {
  /**
   * Inserts rows by COPY.
   *
   * @param target a table with its columns: `name (column, …)`
   * @param pieces whole rows in the text format of COPY; pulled with back pressure. On a server they form one atomic statement; on the
   * embedded database each piece is a statement, with other statements in between unless in a transaction.
   */
  copyInto(target: Sql, pieces: AsyncIterable<string>): Promise<void>;
}

export interface SessionTransaction extends Transaction, Copying {}

/** A session: temporary tables stay visible to its later statements. */
export interface Session extends Transactor<SessionTransaction>, Copying {
  /** The same session without checks of the caller: to take back what a request has written. Absent: it has none. */
  readonly unguarded?: Session;
}

/** Gauges of a connection pool. */
export interface PoolFigures {
  /** Open connections; `inUse` counts those with work in flight. */
  open: number;
  inUse: number;
  /** Statements and transactions waiting for a connection. */
  waiting: number;
}

/** Figures of an embedded database: what PostgreSQL's background processes would keep small on a server. */
export interface EmbeddedFigures {
  /** Bytes of the write-ahead log since the last checkpoint. */
  logBytes: number;
  /** Dead rows of all tables when they were last counted. */
  deadRows: number;
  /** Maintenance so far, by its statement. */
  runs: Readonly<Record<'checkpoint' | 'vacuum' | 'analyze', number>>;
  /** Milliseconds of the longest one. */
  longest: number;
}

/**
 * A database. Outside of a session, waiting and execution have deadlines. Work is refused if the queue is full, and never starts after its
 * deadline or once it is unwanted.
 */
export interface Database extends Transactor, AsyncDisposable {
  /** `embedded`: PostgreSQL in a thread of this process, with its own folder. `server`: a PostgreSQL server. */
  readonly kind: 'embedded' | 'server';

  /** Gauges of the connection pool of a server. */
  poolFigures?(): PoolFigures;

  /** Figures of an embedded database in a folder. */
  embeddedFigures?(): EmbeddedFigures;

  /**
   * Runs long work in a session, without deadlines. On a server it has its own connection outside the pool, closed at the end. The embedded
   * database has one shared session behind a mutex: other statements run in between, and the work must drop its temporary tables.
   */
  session<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;

  /**
   * Calls back on each notification of a channel, and after each reconnect, as notifications in between are lost. Disposing stops
   * listening.
   */
  listen(channel: string, notified: () => void): Promise<AsyncDisposable>;

  /** `low`: less than the reserve is free on the disk of an embedded database, which is read-only until there is space. */
  diskState?(): 'ok' | 'low';

  /**
   * Asserts that writing `bytes` more leaves the reserve free on the disk of an embedded database. For large statements, which cannot be
   * checked midway, and for files in a folder that may be on another disk.
   *
   * @throws DiskLowError
   */
  assertDiskSpace?(bytes: number, folder?: string): void;
}

/** Returns the SQLSTATE of an error reported by PostgreSQL (`23505` is a unique violation); undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : undefined;
}

/** Returns the name of the violated constraint or unique index; undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!sqlState(error)?.startsWith('23') || !(error instanceof Error) || !('constraint' in error)) return undefined;
  return typeof error.constraint === 'string' ? error.constraint : undefined;
}

/** Wraps a database so that work does not start once it is unwanted. */
export function databaseWhile(isWanted: IsWanted, db: Database): Database {
  return {
    ...db,
    query: (statement) => db.query(statement, isWanted),
    transaction: (work) => db.transaction(work, isWanted),
  };
}

/** Like {@link databaseWhile}, for a reader. */
export function readerWhile(isWanted: IsWanted, reader: Reader): Reader {
  return { query: (statement) => reader.query(statement, isWanted) };
}

/**
 * Keys of all advisory locks; the numbers are arbitrary but unique. Migrations repeat them literally, as applied migrations never change.
 */
export const ADVISORY_LOCKS = {
  migration: 7_241_906,
  import: 7_241_907,
  /** Used by `publish_audit_changes` in the migrations: its holder assigns feed positions. */
  feed: 7_241_908,
  /** Held while a webhook is created, so that the limit on their number holds. */
  webhooks: 7_241_910,
  /** Held while old changes of the audit trail are removed. */
  retention: 7_241_911,
  /** Taken together with a hash of the company id while people of that company are imported. */
  peopleImport: 7_241_912,
  /** Taken together with a hash of the entity and the company id while rows of that company move in their hierarchy. */
  hierarchy: 7_241_913,
  /** Taken together with a hash of the request while one with an `Idempotency-Key` writes. */
  keptAnswer: 7_241_914,
} as const satisfies Record<string, number>;

/** Returns the key of a lock in SQL, for `pg_advisory_lock` and similar functions. */
export function advisoryLock(name: keyof typeof ADVISORY_LOCKS): Sql {
  return raw(String(ADVISORY_LOCKS[name]));
}
