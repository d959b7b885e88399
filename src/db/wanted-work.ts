import type { Database, IsWanted, Reader } from './database.ts';

/** Wraps a database so that work does not start once it is unwanted. */
export function databaseWhile(isWanted: IsWanted, db: Database): Database {
  return {
    ...db,
    query: (statement) => db.query(statement, isWanted),
    transaction: (work) => db.transaction(work, isWanted),
  };
}

/** Like {@link databaseWhile}, for a reader. */
export function readerWhile(isWanted: IsWanted, reader: Reader): Reader {
  return { query: (statement) => reader.query(statement, isWanted) };
}
