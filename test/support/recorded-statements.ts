import type { Sql } from 'sql-template-tag';
import type { Database, Writer } from '../../src/db/database.ts';

/** What a database was sent, also within transactions. */
export interface RecordedStatements<Given extends Database> {
  db: Given;
  statements: Sql[];
  /** Those that were sent when no other was in flight: each is a round trip. */
  roundTrips: Sql[];
}

/** A database that keeps every statement which it is sent. */
export function recordStatements<Given extends Database>(db: Given): RecordedStatements<Given> {
  const statements: Sql[] = [];
  const roundTrips: Sql[] = [];
  let inFlight = 0;
  const recording =
    (writer: Writer): Writer['query'] =>
    async (statement) => {
      statements.push(statement);
      if (inFlight === 0) roundTrips.push(statement);
      inFlight++;
      try {
        return await writer.query(statement);
      } finally {
        inFlight--;
      }
    };
  const transaction: Database['transaction'] = (work) =>
    db.transaction((inside) => work({ ...inside, query: recording(inside) }));
  return { db: { ...db, query: recording(db), transaction }, statements, roundTrips };
}
