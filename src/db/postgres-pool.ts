import type { PoolFigures, Transactor } from './database.ts';
import { connectionError } from './database-errors.ts';
import { type ConnectionOptions, openConnection, type PostgresConnection } from './postgres-connection.ts';

export interface PoolOptions {
  url: string;
  /** Connections that are kept at most. */
  maxConnections: number;
  /**
   * Milliseconds after which the server gives up a statement; a little later, waiting for a connection included, the
   * service gives it up, and with it the connection. Absent: all may take as long as they like.
   */
  timeLimit?: number | undefined;
  /** See {@link ConnectionOptions}. */
  isPooled?: NonNullable<ConnectionOptions['isPooled']>;
  refusesStandby?: NonNullable<ConnectionOptions['refusesStandby']>;
}

export interface PostgresPool extends Transactor, AsyncDisposable {
  figures(): PoolFigures;
}

/** Milliseconds by which the server gives up before we do: a connection outlives a slow statement, and not a silent server. */
const HEAD_START = 200;
/** Milliseconds between two looks at what is late. */
const INTERVAL = 100;
/** Statements on one connection at once: those that come meanwhile are sent ahead. */
const PIPELINE = 8;
const MAX_WAITING = 10_000;
/** Milliseconds that a connection is kept for: the server's memory for it grows with time. */
const LIFETIME = 45 * 60_000;

interface Task {
  due: number;
  /** Whether it needs a connection for itself. */
  alone: boolean;
  begin(member: Member): void;
  reject(error: Error): void;
}

interface Member {
  connection: PostgresConnection;
  /** What is under way on it, the oldest first. */
  tasks: Set<Task>;
  isTaken: boolean;
  openedAt: number;
}

/** A pool of connections with a bound in every direction: how many, what waits for them, and for how long. */
export function openPool(options: PoolOptions): PostgresPool {
  const { url, maxConnections, timeLimit, isPooled = false, refusesStandby = false } = options;
  const members = new Set<Member>();
  const waiting: Task[] = [];
  const patience = timeLimit === undefined ? Number.POSITIVE_INFINITY : timeLimit + HEAD_START;
  const settings: Record<string, string> =
    timeLimit === undefined
      ? {}
      : { statement_timeout: String(timeLimit), idle_in_transaction_session_timeout: String(patience) };

  function addMember(): Member {
    const onLost = () => {
      members.delete(member);
      advance();
    };
    const connection = openConnection({ url, settings, isPooled, refusesStandby, onLost });
    const member: Member = { connection, tasks: new Set(), isTaken: false, openedAt: performance.now() };
    members.add(member);
    return member;
  }

  /** An idle one, otherwise a new one, otherwise the one with the least to do; undefined where all have enough. */
  function choose(): Member | undefined {
    let best: Member | undefined;
    for (const member of members) {
      if (member.isTaken) continue;
      if (member.tasks.size === 0) return member;
      if (best === undefined || member.tasks.size < best.tasks.size) best = member;
    }
    if (members.size < maxConnections) return addMember();
    return best !== undefined && best.tasks.size < PIPELINE ? best : undefined;
  }

  function start(task: Task, member: Member): void {
    member.tasks.add(task);
    if (task.alone) member.isTaken = true;
    task.begin(member);
  }

  function finish(task: Task, member: Member): void {
    member.tasks.delete(task);
    if (task.alone) member.isTaken = false;
    advance();
  }

  function advance(): void {
    while (waiting.length > 0) {
      const member = choose();
      const task = member && waiting.shift();
      if (!task) return;
      start(task, member);
    }
  }

  function perform<Result>(alone: boolean, work: (connection: PostgresConnection) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const task: Task = {
        due: performance.now() + patience,
        alone,
        reject,
        begin: (member) =>
          void work(member.connection)
            .then(resolve, reject)
            .finally(() => finish(task, member)),
      };
      const member = waiting.length === 0 ? choose() : undefined;
      if (member) start(task, member);
      else if (waiting.length < MAX_WAITING) waiting.push(task);
      else reject(connectionError('DATABASE_BUSY', `${MAX_WAITING} statements wait for a connection already`));
    });
  }

  function lookForLateOnes(): void {
    const now = performance.now();
    for (let [task] = waiting; task !== undefined && task.due <= now; [task] = waiting) {
      waiting.shift();
      task.reject(connectionError('DATABASE_BUSY', 'No connection to the database became free in time'));
    }
    const silent = [...members].filter(({ tasks: [oldest] }) => oldest !== undefined && oldest.due <= now);
    // The server is gone, or the way to it: those that have nothing to do would find that out one by one.
    const suspects = silent.length === 0 ? [] : [...members].filter(({ tasks }) => tasks.size === 0);
    for (const { connection } of [...silent, ...suspects]) {
      connection.cut(connectionError('DATABASE_TIMEOUT', 'The database did not answer in time'));
    }
    for (const member of members) {
      if (member.tasks.size > 0 || now - member.openedAt < LIFETIME) continue;
      members.delete(member);
      void member.connection.end();
    }
  }
  const looking = setInterval(lookForLateOnes, INTERVAL).unref();

  return {
    query: (statement) => perform(false, (connection) => connection.query(statement)),
    transaction: (work) => perform(true, (connection) => connection.transaction(work)),
    figures() {
      const inUse = [...members].filter(({ tasks }) => tasks.size > 0).length;
      return { open: members.size, inUse, waiting: waiting.length };
    },
    async [Symbol.asyncDispose]() {
      clearInterval(looking);
      for (const task of waiting.splice(0))
        task.reject(connectionError('CONNECTION_CLOSED', 'The database was closed'));
      await Promise.all([...members].map(({ connection }) => connection.end()));
    },
  };
}
