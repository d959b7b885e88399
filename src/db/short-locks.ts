import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { sqlState, type Transaction } from './database.ts';

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Lock timeout per table, in milliseconds. It is shorter than PostgreSQL's `deadlock_timeout` of a second, so that the migration gives way
 * and never a request.
 */
const LOCK_TIMEOUT = 100;
/** Pause in milliseconds in which waiting requests proceed. */
const RETRY_DELAY = 200;
const MAX_ATTEMPTS = 100;

/**
 * Locks tables at once, or fails soon. Locking them one by one could deadlock with a request that holds one table and waits for another,
 * and PostgreSQL would abort either side.
 *
 * @param tables names, separated by commas
 */
export async function lockTables(transaction: Transaction, tables: string): Promise<void> {
  await transaction.query(sql([`set local lock_timeout = ${LOCK_TIMEOUT}`]));
  await transaction.query(sql([`lock table ${tables} in access exclusive mode`]));
  await transaction.query(sql`set local lock_timeout = default`);
}

/** Runs work that begins with {@link lockTables} until the tables are free. */
export async function retryWhileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await work();
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE || attempts === MAX_ATTEMPTS) throw error;
    }
    await sleep(RETRY_DELAY);
  }
}
