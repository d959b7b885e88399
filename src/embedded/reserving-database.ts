import sql, { raw } from 'sql-template-tag';
import { type Session, type SessionTransaction, sqlState } from '../db/database.ts';
import type { DiskReserve } from './disk-reserve.ts';
import type { EmbeddedDatabase } from './pglite-database.ts';

/** SQLSTATEs: a write in a read-only transaction; no space for a temporary file. */
const REFUSED = ['25006', '53100'];

/**
 * The embedded database, which is read-only while the disk is low: PostgreSQL itself tells what would write. A transaction that
 * is open then may only read from there on, and fails as a whole where it writes.
 *
 * Every way to write passes here: statements and transactions, of a session too, and rows that are copied.
 */
export function reservingDatabase(db: EmbeddedDatabase, disk: DiskReserve): EmbeddedDatabase {
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

  function guardedTransaction(transaction: SessionTransaction): SessionTransaction {
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
      copyInto: (target, pieces) => transaction.copyInto(target, whileSpaceLasts(pieces)),
    };
  }

  const guardedSession = (session: Session): Session => ({
    mayWrite: true,
    query: (statement) => guarded(() => session.query(statement)),
    transaction: (work) => guarded(() => session.transaction((transaction) => work(guardedTransaction(transaction)))),
    copyInto: (target, pieces) => guarded(() => session.copyInto(target, whileSpaceLasts(pieces))),
  });

  return {
    ...db,
    ...guardedSession(db),
    session: (work) => db.session((session) => work(guardedSession(session))),
    diskState: () => (disk.isLow() ? 'low' : 'ok'),
    expectSpace: disk.expectSpace,
  };
}
