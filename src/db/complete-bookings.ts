import { setTimeout as sleep } from 'node:timers/promises';
import sql, { empty, raw } from 'sql-template-tag';
import { advisoryLock } from './advisory-locks.ts';
import { type Database, type Reader, type Session, sqlState, type Transaction } from './database.ts';
import { lockTables, retryWhileLocked } from './short-locks.ts';

/** Bookings in one transaction. */
const PIECE = 5000;
const CHECK_VIOLATION = '23514';
/** Milliseconds until what others had locked is tried again. */
const RETRY_DELAY = 200;

const INDEXES = {
  bookings_made: `(company_id, created_at, id collate "C")`,
  bookings_department: `(company_id, department_id, created_at) include (amount, status)`,
  bookings_updated: `(company_id, updated_at, id collate "C")`,
} as const;

/** Whether bookings from before migration 0037 may still lack their department: its last step has not been done. */
async function isIncomplete(db: Reader): Promise<boolean> {
  const found = await db.query(sql`
    select from pg_attribute
     where attrelid = to_regclass('bookings') and attname = 'updated_at' and not attnotnull and not attisdropped`);
  return found.length > 0;
}

/**
 * Completes migration 0037 beside a working service: the bookings that were there get the department of their person in small
 * transactions, then their indexes. May be interrupted, and goes on with the next call.
 */
export async function completeBookings(session: Session, kind: Database['kind']): Promise<void> {
  if (!(await isIncomplete(session))) return;
  // One process at a time. A statement that waited for the lock would hold up the building of indexes.
  while ((await session.query(sql`select where pg_try_advisory_lock(${advisoryLock('bookings')})`)).length === 0) {
    await sleep(RETRY_DELAY);
  }
  try {
    if (!(await isIncomplete(session))) return;
    do await fillIn(session);
    while (!(await isFilledIn(session)));
    await createIndexes(session, kind === 'server');
    await retryWhileLocked(() =>
      session.transaction(async (transaction) => {
        await lockTables(transaction, 'bookings, users');
        await finish(transaction);
      }),
    );
  } finally {
    await session.query(sql`select pg_advisory_unlock(${advisoryLock('bookings')})`);
  }
}

/** Like {@link completeBookings}, within a transaction that keeps others out. */
export async function completeBookingsIn(transaction: Transaction): Promise<void> {
  if (!(await isIncomplete(transaction))) return;
  await fillIn(transaction);
  await createIndexes(transaction, false);
  await finish(transaction);
}

async function fillIn(db: Reader): Promise<void> {
  for (let last = ''; ; ) {
    const [piece] = await db.query<{ last: string | null }>(sql`
      with piece as (
        select id, user_id, company_id from bookings
         where id > ${last} and updated_at is null order by id limit ${PIECE}::integer
           for no key update skip locked),
      written as (
        update bookings
           set updated_at = now(), department_id = coalesce(bookings.department_id, users.department_id),
               cost_center = coalesce(bookings.cost_center, users.cost_center)
          from piece left join users on users.id = piece.user_id and users.company_id = piece.company_id
         where bookings.id = piece.id)
      select max(id) as last from piece`);
    if (!piece?.last) return;
    last = piece.last;
  }
}

/** Looks at all bookings, beside other statements, so that {@link finish} need not. */
async function isFilledIn(session: Session): Promise<boolean> {
  try {
    await session.query(sql`alter table bookings validate constraint bookings_updated_at`);
    return true;
  } catch (error) {
    if (sqlState(error) !== CHECK_VIOLATION) throw error;
    // Others had locked some.
    await sleep(RETRY_DELAY);
    return false;
  }
}

async function createIndexes(db: Reader, concurrently: boolean): Promise<void> {
  for (const [name, columns] of Object.entries(INDEXES)) {
    // Left by a build that was interrupted.
    const invalid = await db.query(sql`
      select from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`);
    if (invalid.length > 0) await db.query(sql`drop index ${raw(name)}`);
    await db.query(sql`
      create index ${concurrently ? raw('concurrently') : empty} if not exists ${raw(name)} on bookings ${raw(columns)}`);
  }
}

async function finish(transaction: Transaction): Promise<void> {
  await transaction.run(`
    alter table bookings alter column updated_at set not null, drop constraint bookings_updated_at;
    drop trigger users_leave_bookings on users;
    drop function keep_bookings_of_mover();
    drop index bookings_company;`);
}
