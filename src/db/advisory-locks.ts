import { raw, type Sql } from 'sql-template-tag';

/**
 * All advisory locks that the service takes on its database, each number once: any will do that no other program uses there.
 * Migrations write theirs out, as an applied one never changes.
 */
export const ADVISORY_LOCKS = {
  migration: 7_241_906,
  import: 7_241_907,
  /** Of `publish_audit_changes` in the migrations: who holds it gives changes their positions in the feed. */
  feed: 7_241_908,
  geography: 7_241_909,
  /** Held while a webhook is made, so that they can be counted. */
  webhooks: 7_241_910,
  /** Held while old changes are removed from the audit trail. */
  retention: 7_241_911,
  /** With a number made of the company's id: held while people are brought to it. */
  peopleImport: 7_241_912,
} as const satisfies Record<string, number>;

/** The number of a lock in SQL, for `pg_advisory_lock` and its like. */
export function advisoryLock(name: keyof typeof ADVISORY_LOCKS): Sql {
  return raw(String(ADVISORY_LOCKS[name]));
}
