import sql, { raw } from 'sql-template-tag';
import { type Reader, type Session, sqlState, type Transaction } from '../db/database.ts';
import type { DiskReserve } from './disk-reserve.ts';
import type { EmbeddedDatabase } from './pglite-database.ts';

/** SQLSTATEs: write in a read-only transaction; no space for a temporary file. */
const REFUSED = ['25006', '53100'];

/**
 * Makes the embedded database read-only while disk space is low; PostgreSQL itself rejects writes. A transaction open at that moment may
 * only read from then on, and fails as a whole if it writes.
 *
 * Covers every write path: statements and transactions, also those of a session, and COPY.
 */
export function reservingDatabase(db: EmbeddedDatabase, disk: DiskReserve): EmbeddedDatabase {
  let isReadOnly = false;
  let opening = db.openings();

  async function look(by: Reader): Promise<void> {
    const isLow = disk.isLow();
    if (db.openings() !== opening) isReadOnly = false;
    opening = db.openings();
    if (isLow === isReadOnly) return;
    await by.query(sql`set default_transaction_read_only = ${raw(isLow ? 'on' : 'off')}`);
    isReadOnly = isLow;
  }

  async function guarded<Result>(by: Reader, work: () => Promise<Result>): Promise<Result> {
    await look(by);
    try {
      return await work();
    } catch (error) {
      throw REFUSED.includes(sqlState(error) ?? '') ? disk.refusal(0, error) : error;
    }
  }

  async function* whileSpaceLasts(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const piece of pieces) {
      disk.assertDiskSpace(0);
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
      mayWrite: true,
      async query(statement) {
        await lookWithin();
        return transaction.query(statement);
      },
      async run(script) {
        await lookWithin();
        return transaction.run(script);
      },
    };
  }

  const guardedSession = (session: Session): Session => ({
    mayWrite: true,
    query: (statement) => guarded(session, () => session.query(statement)),
    transaction: (work) =>
      guarded(session, () =>
        session.transaction((transaction) =>
          work({
            ...guardedTransaction(transaction),
            copyInto: (target, pieces) => transaction.copyInto(target, whileSpaceLasts(pieces)),
          }),
        ),
      ),
    copyInto: (target, pieces) => guarded(session, () => session.copyInto(target, whileSpaceLasts(pieces))),
  });

  return {
    ...db,
    query: (statement, isWanted) => guarded(db, () => db.query(statement, isWanted)),
    transaction: (work, isWanted) =>
      guarded(db, () => db.transaction((transaction) => work(guardedTransaction(transaction)), isWanted)),
    session: (work) => db.session((session) => work(guardedSession(session))),
    diskState: () => (disk.isLow() ? 'low' : 'ok'),
    assertDiskSpace: disk.assertDiskSpace,
  };
}
