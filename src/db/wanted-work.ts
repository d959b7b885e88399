import type { Database, IsWanted, Reader } from './database.ts';

/** The same database for work that is not begun once nobody waits for it. */
export function databaseWhile(isWanted: IsWanted, db: Database): Database {
  return {
    ...db,
    query: (statement) => db.query(statement, isWanted),
    transaction: (work) => db.transaction(work, isWanted),
  };
}

/** {@link databaseWhile} of what only reads. */
export function readerWhile(isWanted: IsWanted, reader: Reader): Reader {
  return { query: (statement) => reader.query(statement, isWanted) };
}
