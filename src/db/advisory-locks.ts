import { raw, type Sql } from 'sql-template-tag';

/**
 * Keys of all advisory locks; the numbers are arbitrary but unique. Migrations repeat them literally, as applied migrations never change.
 */
export const ADVISORY_LOCKS = {
  migration: 7_241_906,
  import: 7_241_907,
  /** Used by `publish_audit_changes` in the migrations: its holder assigns feed positions. */
  feed: 7_241_908,
  /** Held while a webhook is created, so that the limit on their number holds. */
  webhooks: 7_241_910,
  /** Held while old changes of the audit trail are removed. */
  retention: 7_241_911,
  /** Taken together with a hash of the company id while people of that company are imported. */
  peopleImport: 7_241_912,
  /** Taken together with a hash of the entity and the company id while rows of that company move in their hierarchy. */
  hierarchy: 7_241_913,
  /** Taken together with a hash of the request while one with an `Idempotency-Key` writes. */
  keptAnswer: 7_241_914,
} as const satisfies Record<string, number>;

/** Returns the key of a lock in SQL, for `pg_advisory_lock` and similar functions. */
export function advisoryLock(name: keyof typeof ADVISORY_LOCKS): Sql {
  return raw(String(ADVISORY_LOCKS[name]));
}
