import type { Sql } from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';

/** A database that keeps every statement which it is sent outside of transactions: each is a round trip. */
export function recordStatements<Given extends Database>(db: Given): { db: Given; statements: Sql[] } {
  const statements: Sql[] = [];
  const query: Database['query'] = (statement) => {
    statements.push(statement);
    return db.query(statement);
  };
  return { db: { ...db, query }, statements };
}
