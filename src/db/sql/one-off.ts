import type { Sql } from 'sql-template-tag';

const oneOffs = new WeakSet<Sql>();

/** Marks a statement whose text depends on user input and may never recur, so that it is not prepared. */
export function oneOff(statement: Sql): Sql {
  oneOffs.add(statement);
  return statement;
}

export function isOneOff(statement: Sql): boolean {
  return oneOffs.has(statement);
}
