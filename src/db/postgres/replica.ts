import sql from 'sql-template-tag';
import type { Reader } from '../database.ts';
import { isConnectionFault } from '../database-errors.ts';

/** `up`: it is read from. `behind`: it answers, but may be too old. `down`: it does not answer, or is no replica. */
export type ReplicaState = 'up' | 'behind' | 'down';

/** Reads what may be a few seconds old: from the replica while it is known to be recent. Otherwise, and where it fails, from the primary. */
export interface Replica extends Reader, AsyncDisposable {
  readonly state: ReplicaState;
  /** From now on the replica is looked at; until then it is not read from. */
  start(changed: (state: ReplicaState) => void): void;
}

export interface ReplicaTimes {
  /** Milliseconds between two looks. */
  interval: number;
  /** Milliseconds by which what is read may be old. */
  longestLag: number;
}

const TIMES: ReplicaTimes = { interval: 1_000, longestLag: 5_000 };

/**
 * Knows how old the replica's state may be at most, without a clock of theirs. It asks the primary how far its log goes, and
 * the replica how far it has replayed that. A replica at a position has all that was committed when that was asked for.
 *
 * @param replica one server, with deadlines like the primary; disposed of with the result
 */
export function openReplica(
  primary: Reader,
  replica: Reader & AsyncDisposable,
  { interval, longestLag } = TIMES,
): Replica {
  /** Positions in the primary's log with the times at which they were asked for, the oldest first. */
  let marks: { position: bigint; at: number }[] = [];
  /** Of the newest of them that the replica has replayed. */
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
    // Without the primary the marks that there are still serve.
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
        // Whatever it was (a conflict with what is replayed, a schema that has not arrived): what is wrong with the statement
        // itself the primary will say again.
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

/** How far the log goes, in bytes. What is visible to others stands before it, flushed to the disk or not. */
async function writtenPosition(primary: Reader): Promise<bigint> {
  const [row] = await primary.query<{ position: string }>(
    sql`select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::text as position`,
  );
  return BigInt(row?.position ?? 0);
}

/** How far the log has been replayed; undefined where the server is no replica (any more). */
async function replayedPosition(replica: Reader): Promise<bigint | undefined> {
  const [row] = await replica.query<{ isReplica: boolean; position: string | null }>(sql`
    select pg_is_in_recovery() as "isReplica", (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text as position`);
  return row?.isReplica && row.position !== null ? BigInt(row.position) : undefined;
}
