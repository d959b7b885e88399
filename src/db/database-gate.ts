import type { Database } from './database.ts';
import { connectionError } from './database-errors.ts';
import type { Replica } from './postgres/replica.ts';

/** A database and its replica that are closed until the schema is ready. */
export interface DatabaseGate {
  /** Until opened, everything fails as if the database were unavailable. */
  readonly db: Database;
  readonly replica: Replica | undefined;
  open(): void;
}

/** Blocks requests while the schema may be missing, or older than this program. */
export function databaseGate(db: Database, replica: Replica | undefined): DatabaseGate {
  let isOpen = false;
  const assertOpen = () => {
    if (!isOpen) throw connectionError('DATABASE_UNPREPARED', 'The database is not prepared yet');
  };
  return {
    open() {
      isOpen = true;
    },
    db: {
      ...db,
      async query(statement, isWanted) {
        assertOpen();
        return db.query(statement, isWanted);
      },
      async transaction(work, isWanted) {
        assertOpen();
        return db.transaction(work, isWanted);
      },
      async session(work) {
        assertOpen();
        return db.session(work);
      },
      async listen(channel, notified) {
        assertOpen();
        return db.listen(channel, notified);
      },
    },
    replica: replica && {
      get state() {
        return isOpen ? replica.state : 'down';
      },
      start: (changed) => replica.start(changed),
      async query(statement, isWanted) {
        assertOpen();
        return replica.query(statement, isWanted);
      },
      [Symbol.asyncDispose]: () => replica[Symbol.asyncDispose](),
    },
  };
}
