import sql, { raw, type Sql } from 'sql-template-tag';
import type { EmbeddedFigures } from '../db/database.ts';

/**
 * PostgreSQL's background processes on a server, and what does their work in the embedded database, where none of them runs. The names
 * are those of `pg_stat_activity.backend_type`.
 */
export const BACKGROUND_PROCESSES: Readonly<Record<string, string>> = {
  checkpointer: 'the keeper: a checkpoint after 64 MB of log or five minutes; the close makes another one',
  'background writer': 'nothing: a statement writes the pages that it displaces from the 16 MB of buffers',
  walwriter: 'nothing: each commit writes its log',
  'autovacuum launcher': 'the keeper: counts the dead and the changed rows of each table',
  'autovacuum worker': 'the keeper: vacuum and analyze, one table in a statement',
  'io worker': 'nothing: the only session reads synchronously',
  'logical replication launcher': 'nothing: the embedded database publishes and subscribes to nothing',
  archiver: 'nothing: `orgdesk backup` reads the rows',
  startup: 'the opening of the database, after a crash from the last checkpoint',
};

/** Bytes of the write-ahead log after which a checkpoint is due, and after which it waits for no idle moment. */
const CHECKPOINT_AFTER = 64 * 2 ** 20;
const CHECKPOINT_AT_ONCE = 96 * 2 ** 20;
/** Looks after which a smaller log gets its checkpoint: five minutes. */
const CHECKPOINT_LOOKS = 300;
/** Bytes of the log of a checkpoint alone. */
const EMPTY_LOG = 1_024;
/** Bytes of new log, and looks, after which the tables are counted. */
const COUNT_AFTER = 2 ** 19;
const COUNT_LOOKS = 60;
/** Milliseconds: a table whose last vacuum or analyze took longer waits for a quiet second, any other for an idle moment, until it is overdue. */
const LONG = 200;

/** Flushes the counters of the session after this statement, so that the next one can read them. */
const LOG_STATE = sql`select (pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn))::float8 as "logBytes",
    (pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'))::float8 as position, pg_stat_force_next_flush()::text as flush
  from pg_control_checkpoint()`;

/** The thresholds of autovacuum, but never more than 10,000 rows, so that each vacuum is short. A table of less than 2 MB waits for no idle moment. */
const DUE_TABLES = sql`select t.relid::regclass::text as name, t.n_dead_tup::integer as dead,
    (t.n_dead_tup > least(50 + t.n_live_tup / 5, 10000) or t.n_ins_since_vacuum > 1000 + t.n_live_tup / 5) as vacuum,
    (t.n_mod_since_analyze > 50 + t.n_live_tup / 10 or c.reltuples < 0 and pg_relation_size(t.relid) > 0) as analyze,
    (t.n_dead_tup > least(200 + t.n_live_tup, 40000) or pg_relation_size(t.relid) < 2097152) as overdue
  from pg_stat_all_tables t join pg_class c on c.oid = t.relid and c.relkind = 'r' and c.relpersistence = 'p'`;

interface LogState {
  logBytes: number;
  position: number;
}

interface TableState {
  name: string;
  dead: number;
  vacuum: boolean;
  analyze: boolean;
  overdue: boolean;
}

/** What the keeper uses of the embedded database. */
export interface KeptDatabase {
  /** Runs a statement in its turn. Returns its rows, and the milliseconds that it held up others. */
  run<Row extends object>(statement: Sql): Promise<{ rows: Row[]; milliseconds: number }>;
  /** Returns whether nothing else runs or waits. */
  isIdle(): boolean;
  /** Returns how many pieces of work of others have begun so far. */
  begun(): number;
}

/** Keeps the embedded database small and its statistics true. */
export interface Keeper {
  figures(): EmbeddedFigures;
  /** Does what is due; to be called once a second. Concurrent calls do nothing. */
  look(): Promise<void>;
}

export function createKeeper(db: KeptDatabase): Keeper {
  const figures = { logBytes: 0, deadRows: 0, runs: { checkpoint: 0, vacuum: 0, analyze: 0 }, longest: 0 };
  /** Milliseconds of the last vacuum or analyze of a table. */
  const durations = new Map<string, number>();
  let begun = -1;
  let isLooking = false;
  let isPostponed = false;
  let countedAt = 0;
  let looksSinceCheckpoint = 0;
  let looksSinceCount = COUNT_LOOKS;

  async function maintain(kind: keyof EmbeddedFigures['runs'], statement: Sql) {
    const { milliseconds } = await db.run(statement);
    figures.runs[kind] += 1;
    figures.longest = Math.max(figures.longest, milliseconds);
    return milliseconds;
  }

  async function keepLog({ logBytes }: LogState): Promise<void> {
    figures.logBytes = logBytes;
    looksSinceCheckpoint += 1;
    const isOld = looksSinceCheckpoint >= CHECKPOINT_LOOKS && logBytes > EMPTY_LOG;
    if (logBytes < CHECKPOINT_AFTER && !isOld) return;
    if (logBytes < CHECKPOINT_AT_ONCE && !db.isIdle()) return;
    await maintain('checkpoint', sql`checkpoint`);
    looksSinceCheckpoint = 0;
    figures.logBytes = 0;
  }

  async function keepTables(isQuiet: boolean): Promise<void> {
    const { rows: tables } = await db.run<TableState>(DUE_TABLES);
    figures.deadRows = tables.reduce((sum, { dead }) => sum + dead, 0);
    isPostponed = false;
    for (const { name, vacuum, analyze, overdue } of tables) {
      if (!vacuum && !analyze) continue;
      const isLong = (durations.get(name) ?? 0) > LONG;
      if (!overdue && !(isLong ? isQuiet : db.isIdle())) {
        isPostponed = true;
        continue;
      }
      const vacuumed = vacuum ? await maintain('vacuum', sql`vacuum ${raw(name)}`) : 0;
      const analyzed = analyze ? await maintain('analyze', sql`analyze ${raw(name)}`) : 0;
      durations.set(name, Math.max(vacuumed, analyzed));
    }
  }

  return {
    figures: () => ({ ...figures, runs: { ...figures.runs } }),
    async look() {
      const now = db.begun();
      const isQuiet = now === begun;
      begun = now;
      if (isLooking || (isQuiet && !isPostponed && figures.logBytes <= EMPTY_LOG)) return;
      isLooking = true;
      try {
        const { rows } = await db.run<LogState>(LOG_STATE);
        const [state] = rows;
        if (state === undefined) return;
        await keepLog(state);
        looksSinceCount += 1;
        if (isPostponed || looksSinceCount >= COUNT_LOOKS || state.position - countedAt >= COUNT_AFTER) {
          countedAt = state.position;
          looksSinceCount = 0;
          await keepTables(isQuiet);
        }
      } finally {
        isLooking = false;
      }
    },
  };
}
