import type { Sql } from 'sql-template-tag';

const oneOffs = new WeakSet<Sql>();

/** Says of a statement that its text is put together from what a caller wrote, and may never come again: it is not kept prepared. */
export function oneOff(statement: Sql): Sql {
  oneOffs.add(statement);
  return statement;
}

export function isOneOff(statement: Sql): boolean {
  return oneOffs.has(statement);
}
