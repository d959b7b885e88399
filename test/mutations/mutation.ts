/** A rule that is broken on purpose, and the tests that must notice. */
export interface Mutation {
  rule: string;
  file: string;
  /** Stands in the file once or more; the first is replaced. */
  found: string;
  replaced: string;
  /** Parts of the paths of test files. */
  tests: readonly string[];
  /** Absent: on a PostgreSQL server. */
  database?: 'pglite';
}
