import { removeFrom } from '../../lib/remove-from.ts';
import { type IsWanted, type PoolFigures, sqlState, type Transactor } from '../database.ts';
import { connectionError, MAX_WAITING, notWanted, queueFull, waitedTooLong } from '../database-errors.ts';
import {
  CONNECT_TIMEOUT_MS,
  type ConnectionOptions,
  openConnection,
  type PostgresConnection,
} from './postgres-connection.ts';

export interface PoolOptions {
  url: string;
  /** Maximum number of connections. */
  maxConnections: number;
  /**
   * Statement timeout of the server, in milliseconds. Slightly later, counting the wait for a free connection, the service drops the
   * connection. Absent: no deadline.
   */
  statementTimeout?: number | undefined;
  /** See {@link ConnectionOptions}. */
  isPooled?: NonNullable<ConnectionOptions['isPooled']>;
  refusesStandby?: NonNullable<ConnectionOptions['refusesStandby']>;
  connectTimeout?: ConnectionOptions['connectTimeout'];
}

export interface PostgresPool extends Transactor, AsyncDisposable {
  figures(): PoolFigures;
}

/** Margin between the timeout of the server and that of the service: slow statements keep their connection, a silent server loses it. */
const HEAD_START_MS = 200;
/** Interval of checks for missed deadlines. */
const INTERVAL_MS = 100;
/** Maximum statements in flight per connection. */
const PIPELINE_DEPTH = 8;
/** Maximum age of a connection: its memory on the server grows with time. */
const LIFETIME_MS = 45 * 60_000;
/** Pause after the server has refused a connection because it, the role or the database has too many. */
const REFUSED_PAUSE_MS = 1_000;
const TOO_MANY_CONNECTIONS = '53300';

interface Task {
  /** In the time of `performance.now()`. */
  deadline: number;
  isExclusive: boolean;
  isWanted: IsWanted | undefined;
  begin(member: Member): void;
  reject(error: Error): void;
}

interface Member {
  connection: PostgresConnection;
  /** False until the connection is established. */
  isOpen: boolean;
  /** Tasks in flight, oldest first. */
  tasks: Task[];
  isAcquired: boolean;
  openedAt: number;
}

function isUsedBy(share: string | undefined, tasks: readonly Task[]): boolean {
  return tasks.some(({ isWanted }) => isWanted?.share === share);
}

/** Opens a pool with bounded connections, queue and waiting time. */
export function openPool(options: PoolOptions): PostgresPool {
  const { url, maxConnections, statementTimeout, isPooled = false, refusesStandby = false, connectTimeout } = options;
  const members = new Set<Member>();
  const waiting: Task[] = [];
  // With half of them, others waited twice as long, while nobody got more done.
  const maxOfShare = Math.ceil(maxConnections / 4);
  const timeout = statementTimeout === undefined ? Number.POSITIVE_INFINITY : statementTimeout + HEAD_START_MS;
  const settings: Record<string, string> =
    statementTimeout === undefined
      ? {}
      : { statement_timeout: String(statementTimeout), idle_in_transaction_session_timeout: String(timeout) };

  /** Whether a connection has been established before: until then, statements wait as long as connecting may take. */
  let hasOpened = false;
  /** Until then no more connections are opened, in the time of `performance.now()`. */
  let refusedUntil = 0;

  /** Opens one more connection for the tasks that wait. */
  function addMember(): void {
    const onLost = (reason: Error) => {
      members.delete(member);
      if (!member.isOpen) failed(reason);
      advance();
    };
    const connection = openConnection({
      url,
      settings,
      isPipelined: true,
      isPooled,
      refusesStandby,
      connectTimeout,
      onLost,
    });
    const member: Member = { connection, isOpen: false, tasks: [], isAcquired: false, openedAt: performance.now() };
    members.add(member);
    void connection.connect().then(
      () => {
        member.isOpen = true;
        hasOpened = true;
        advance();
      },
      // The loss has been reported.
      () => undefined,
    );
  }

  /** Where no other connection can do the waiting tasks, they fail with the reason why this one could not be opened. */
  function failed(reason: Error): void {
    const isRefused = sqlState(reason) === TOO_MANY_CONNECTIONS;
    if (isRefused) refusedUntil = performance.now() + REFUSED_PAUSE_MS;
    if ([...members].some(({ isOpen }) => isOpen || isRefused)) return;
    for (const task of waiting.splice(0)) task.reject(reason);
  }

  /** Returns whether a share has work on as many connections as it may. */
  function isAtBound(share: string | undefined): boolean {
    if (share === undefined) return false;
    let used = 0;
    for (const { tasks } of members) if (isUsedBy(share, tasks)) used++;
    return used >= maxOfShare;
  }

  /** Returns an idle connection; else, where no more may be opened, the least busy one that takes another statement. */
  function choose(share: string | undefined): Member | undefined {
    const hasEnough = isAtBound(share);
    let best: Member | undefined;
    for (const member of members) {
      if (!member.isOpen || member.isAcquired || (hasEnough && !isUsedBy(share, member.tasks))) continue;
      if (member.tasks.length === 0) return member;
      if (best === undefined || member.tasks.length < best.tasks.length) best = member;
    }
    if (!hasEnough && mayOpen()) return undefined;
    return best !== undefined && best.tasks.length < PIPELINE_DEPTH ? best : undefined;
  }

  const mayOpen = () => members.size < maxConnections && performance.now() >= refusedUntil;

  function acquire(task: Task, member: Member): void {
    member.tasks.push(task);
    if (task.isExclusive) member.isAcquired = true;
    task.begin(member);
  }

  function release(task: Task, member: Member): void {
    removeFrom(member.tasks, task);
    if (task.isExclusive) member.isAcquired = false;
    advance();
  }

  /** Begins what can be begun, oldest first; what has to wait for its own share holds up no other. */
  function advance(): void {
    const heldUp = new Set<string | undefined>();
    let opening = [...members].filter(({ isOpen }) => !isOpen).length;
    for (let at = 0; at < waiting.length; ) {
      const task = waiting[at] as Task;
      const share = task.isWanted?.share;
      const member = heldUp.has(share) ? undefined : choose(share);
      if (member !== undefined) {
        waiting.splice(at, 1);
        if (task.isWanted?.() === false) task.reject(notWanted());
        else acquire(task, member);
        continue;
      }
      if (heldUp.has(share) || isAtBound(share)) heldUp.add(share);
      else if (opening > 0) opening--;
      else if (mayOpen()) addMember();
      else return;
      at++;
    }
  }

  function perform<Result>(
    isExclusive: boolean,
    work: (connection: PostgresConnection) => Promise<Result>,
    isWanted?: IsWanted,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const task: Task = {
        deadline: performance.now() + (hasOpened ? timeout : timeout + (connectTimeout ?? CONNECT_TIMEOUT_MS)),
        isExclusive,
        isWanted,
        reject,
        begin: (member) =>
          void work(member.connection)
            .then(resolve, reject)
            .finally(() => release(task, member)),
      };
      if (waiting.length >= MAX_WAITING) return reject(queueFull());
      waiting.push(task);
      advance();
      // A command waits to the end of the pause also where nothing else keeps its process alive.
      if (waiting.length > 0) watch.ref();
    });
  }

  function enforceDeadlines(): void {
    const now = performance.now();
    const late = waiting.filter(({ deadline }) => deadline <= now);
    for (const task of late) {
      removeFrom(waiting, task);
      task.reject(waitedTooLong());
    }
    const silent = [...members].filter(({ tasks: [oldest] }) => oldest !== undefined && oldest.deadline <= now);
    // The server or the network is gone: drops idle connections too, which would only find out one by one.
    const suspects =
      silent.length === 0 ? [] : [...members].filter(({ isOpen, tasks }) => isOpen && tasks.length === 0);
    for (const { connection } of [...silent, ...suspects]) {
      connection.drop(connectionError('DATABASE_TIMEOUT', 'The database did not answer in time'));
    }
    for (const member of members) {
      if (!member.isOpen || member.tasks.length > 0 || now - member.openedAt < LIFETIME_MS) continue;
      members.delete(member);
      void member.connection.end();
    }
    // Where connections were refused, more may be opened by now.
    if (waiting.length > 0) advance();
    else watch.unref();
  }
  const watch = setInterval(enforceDeadlines, INTERVAL_MS).unref();

  return {
    mayWrite: true,
    query: (statement, isWanted) => perform(false, (connection) => connection.query(statement), isWanted),
    transaction: (work, isWanted) => perform(true, (connection) => connection.transaction(work), isWanted),
    figures() {
      const inUse = [...members].filter(({ tasks }) => tasks.length > 0).length;
      return { open: members.size, inUse, waiting: waiting.length };
    },
    async [Symbol.asyncDispose]() {
      clearInterval(watch);
      for (const task of waiting.splice(0))
        task.reject(connectionError('CONNECTION_CLOSED', 'The database was closed'));
      await Promise.all([...members].map(({ connection }) => connection.end()));
    },
  };
}
