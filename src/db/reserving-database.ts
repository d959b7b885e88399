import sql, { raw } from 'sql-template-tag';
import { type Database, type Session, sqlState, type Transaction, type Transactor } from './database.ts';
import type { DiskReserve } from './disk-reserve.ts';

/** SQLSTATEs of a statement that would write in a transaction that may only read, and of one that found no space for a temporary file. */
const REFUSED = ['25006', '53100'];

/**
 * The embedded database, which is read-only while the disk is low: PostgreSQL itself tells what would write. A transaction that is
 * under way then may only read from there on, and so fails as a whole where it goes on to write.
 *
 * Every way to write passes here: statements and transactions, of a session too, and rows that are copied.
 */
export function reservingDatabase(db: Database, disk: DiskReserve): Database {
  let isReadOnly = false;

  async function look(): Promise<void> {
    const isLow = disk.isLow();
    if (isLow === isReadOnly) return;
    await db.query(sql`set default_transaction_read_only = ${raw(isLow ? 'on' : 'off')}`);
    isReadOnly = isLow;
  }

  async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    await look();
    try {
      return await work();
    } catch (error) {
      throw REFUSED.includes(sqlState(error) ?? '') ? disk.refusal(0, error) : error;
    }
  }

  async function* whileSpaceLasts(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const piece of pieces) {
      disk.expectSpace(0);
      yield piece;
    }
  }

  function guardedTransaction(transaction: Transaction): Transaction {
    let mayWrite = !isReadOnly;
    async function lookWithin(): Promise<void> {
      if (!mayWrite || !disk.isLow()) return;
      mayWrite = false;
      await transaction.run('set transaction read only');
    }
    return {
      async query(statement) {
        await lookWithin();
        return transaction.query(statement);
      },
      async run(script) {
        await lookWithin();
        return transaction.run(script);
      },
      copyInto: (target, pieces) => transaction.copyInto(target, whileSpaceLasts(pieces)),
    };
  }

  const guardedTransactor = (inner: Transactor): Transactor => ({
    query: (statement) => guarded(() => inner.query(statement)),
    transaction: (work) => guarded(() => inner.transaction((transaction) => work(guardedTransaction(transaction)))),
  });
  const guardedSession = (session: Session): Session => ({
    ...guardedTransactor(session),
    copyInto: (target, pieces) => guarded(() => session.copyInto(target, whileSpaceLasts(pieces))),
  });

  return {
    ...db,
    ...guardedTransactor(db),
    session: (work) => db.session((session) => work(guardedSession(session))),
    diskState: () => (disk.isLow() ? 'low' : 'ok'),
    expectSpace: disk.expectSpace,
  };
}
