import { setImmediate } from 'node:timers/promises';
import type { Sql } from 'sql-template-tag';
import type { Executor } from './database.ts';

/**
 * Sends equal statements, their values included, that are asked for within the same turn of the event loop as one. It leaves at the
 * end of that turn: what anyone reads is no older than their request.
 *
 * For statements that only read, and whose rows nobody changes: those who asked share them.
 */
export function shareReads(db: Executor): Executor {
  const reads = new Map<string, Promise<object[]>>();

  async function read(key: string, statement: Sql): Promise<object[]> {
    await setImmediate();
    reads.delete(key);
    return db.query(statement);
  }
  return {
    query<Row extends object>(statement: Sql) {
      const key = JSON.stringify([statement.text, statement.values]);
      const shared = reads.get(key) ?? read(key, statement);
      reads.set(key, shared);
      return shared as Promise<Row[]>;
    },
  };
}
