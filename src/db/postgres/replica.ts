import sql from 'sql-template-tag';
import type { Reader } from '../database.ts';
import { isConnectionFault } from '../database-errors.ts';

/** `up`: used for reads. `behind`: responds but may be too stale. `down`: does not respond, or is no replica. */
export type ReplicaState = 'up' | 'behind' | 'down';

/** Reads from the replica while its lag is known to be small; otherwise, and if it fails, from the primary. */
export interface Replica extends Reader, AsyncDisposable {
  readonly state: ReplicaState;
  /** Starts monitoring; the replica is not used before. */
  start(changed: (state: ReplicaState) => void): void;
}

export interface ReplicaTimes {
  /** Monitoring interval in milliseconds. */
  interval: number;
  /** Maximum staleness of reads in milliseconds. */
  longestLag: number;
}

const TIMES: ReplicaTimes = { interval: 1_000, longestLag: 5_000 };

/**
 * Bounds the staleness of the replica without comparing clocks: compares its replayed WAL position with earlier positions of the primary. A
 * replica at a position has everything committed before that position was read.
 *
 * @param replica a single server with the deadlines of the primary; disposed with the result
 */
export function openReplica(
  primary: Reader,
  replica: Reader & AsyncDisposable,
  { interval, longestLag } = TIMES,
): Replica {
  /** WAL positions of the primary with the time before each query, oldest first. */
  let marks: { position: bigint; at: number }[] = [];
  /** Time of the newest mark that the replica has replayed. */
  let recentAt = Number.NEGATIVE_INFINITY;
  let isAnswering = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let known: ReplicaState | undefined;

  const stateNow = (): ReplicaState => {
    if (!isAnswering) return 'down';
    return performance.now() - recentAt <= longestLag ? 'up' : 'behind';
  };

  async function mark(): Promise<void> {
    const at = performance.now();
    marks.push({ position: await writtenPosition(primary), at });
    marks = marks.filter((each) => each.at >= at - 2 * longestLag);
  }

  async function compare(): Promise<void> {
    const replayed = await replayedPosition(replica);
    isAnswering = replayed !== undefined;
    if (replayed === undefined) return;
    const reached = marks.findLast(({ position }) => position <= replayed);
    if (reached !== undefined) recentAt = Math.max(recentAt, reached.at);
  }

  async function look(changed: (state: ReplicaState) => void): Promise<void> {
    // If the primary is down, the existing marks still serve.
    await mark().catch(() => undefined);
    await compare().catch(() => {
      isAnswering = false;
    });
    if (isOver) return;
    const state = stateNow();
    if (state !== known) changed(state);
    known = state;
    timer = setTimeout(look, interval, changed).unref();
  }

  return {
    get state() {
      return stateNow();
    },
    start(changed) {
      void look(changed);
    },
    async query(statement, isWanted) {
      if (stateNow() !== 'up') return primary.query(statement, isWanted);
      try {
        return await replica.query(statement, isWanted);
      } catch (error) {
        if (isWanted?.() === false) throw error;
        if (isConnectionFault(error)) isAnswering = false;
        // Whatever the error (a recovery conflict, a schema not yet replicated), the primary repeats it if the statement itself is at
        // fault.
        return primary.query(statement, isWanted);
      }
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      clearTimeout(timer);
      await replica[Symbol.asyncDispose]();
    },
  };
}

/** Returns the insert position of the WAL in bytes: visible commits are before it, flushed or not. */
async function writtenPosition(primary: Reader): Promise<bigint> {
  const [row] = await primary.query<{ position: string }>(
    sql`select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as position`,
  );
  return BigInt(row?.position ?? 0);
}

/** Returns the replayed position of the WAL; undefined if the server is not a replica (any more). */
async function replayedPosition(replica: Reader): Promise<bigint | undefined> {
  const [row] = await replica.query<{ isReplica: boolean; position: string | null }>(sql`
    select pg_is_in_recovery() as "isReplica", (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text as position`);
  return row?.isReplica && row.position !== null ? BigInt(row.position) : undefined;
}
