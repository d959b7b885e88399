import type { Sql } from 'sql-template-tag';
import type { Database, Writer } from '../../src/db/database.ts';

/** A database that keeps every statement which it is sent, those within transactions too: each is a round trip. */
export function recordStatements<Given extends Database>(db: Given): { db: Given; statements: Sql[] } {
  const statements: Sql[] = [];
  const recording =
    (writer: Writer): Writer['query'] =>
    (statement) => {
      statements.push(statement);
      return writer.query(statement);
    };
  const transaction: Database['transaction'] = (work) =>
    db.transaction((inside) => work({ ...inside, query: recording(inside) }));
  return { db: { ...db, query: recording(db), transaction }, statements };
}
