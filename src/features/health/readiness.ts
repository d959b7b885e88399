import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import type { IdentityProvider } from '../../auth/tokens/identity-provider.ts';
import type { Database } from '../../db/database.ts';
import type { ReplicaState } from '../../db/postgres/replica.ts';
import type { DependencyStates } from './health-schemas.ts';

/** Milliseconds within which the database has to answer. */
const TIME_LIMIT = 2_000;
/** Minimum interval between two queries, in milliseconds. */
const INTERVAL = 1_000;

/** Dependencies of the readiness check. */
export interface Dependencies {
  db: Pick<Database, 'query' | 'diskState'>;
  replica?: { readonly state: ReplicaState } | undefined;
  identityProvider: IdentityProvider | undefined;
}

/** Returns a function that gives the state of each dependency within two seconds; queries the database at most once a second. */
export function readinessOf({ db, replica, identityProvider }: Dependencies): () => Promise<DependencyStates> {
  const checkDatabase = databaseCheck(db);
  return async () => ({
    database: await checkDatabase(),
    ...(replica ? { replica: replica.state } : {}),
    ...(db.diskState ? { disk: db.diskState() } : {}),
    ...(identityProvider ? { identityProvider: identityProvider.keys.state } : {}),
  });
}

/**
 * A database that takes no changes is still read. Without the replica, lists are read from the primary database. An unreachable identity
 * provider does not count: other instances could not reach it either.
 */
export function isReady({ database, identityProvider }: DependencyStates): boolean {
  return database !== 'down' && identityProvider !== 'no-keys';
}

type DatabaseState = DependencyStates['database'];

/**
 * Returns a check of the database. It sends at most one query a second, and none while one is pending; other callers get the last result.
 */
function databaseCheck(db: Dependencies['db']): () => Promise<DatabaseState> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let hanging = false;
  let answer: Promise<DatabaseState> = Promise.resolve('down');

  async function ask(): Promise<DatabaseState> {
    hanging = true;
    try {
      const [row] = await db.query<{ value: string }>(sql`select current_setting('transaction_read_only') as value`);
      // The embedded database is read-only where its disk is full, which has a state of its own.
      return row?.value === 'on' && db.diskState === undefined ? 'read-only' : 'up';
    } catch {
      return 'down';
    } finally {
      hanging = false;
    }
  }

  return () => {
    const now = performance.now();
    if (!hanging && now - askedAt >= INTERVAL) {
      askedAt = now;
      answer = inTime(ask());
    }
    return answer;
  };
}

/** Down if the check exceeds the time limit. */
async function inTime(check: Promise<DatabaseState>): Promise<DatabaseState> {
  const stop = new AbortController();
  const late = sleep(TIME_LIMIT, 'down' as const, { signal: stop.signal }).catch(() => 'down' as const);
  try {
    return await Promise.race([check, late]);
  } finally {
    stop.abort();
  }
}
