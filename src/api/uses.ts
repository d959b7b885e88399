import sql, { join, raw, type Sql } from 'sql-template-tag';
import { ApiError } from '../entities/api-error.ts';

/** What keeps a row from being deleted. */
export interface Use {
  what: string;
  /** Absent: by the rule of English nouns. */
  plural?: string | null;
  count: number;
}

/** Returns the error for a row that is in use. */
export function inUse(noun: string, used: readonly Use[]): ApiError {
  const uses = used.map(({ what, plural, count }) =>
    count === 1 ? `1 ${what}` : `${count} ${plural ?? pluralOf(what)}`,
  );
  return new ApiError('IN_USE', `This ${noun} is in use by ${uses.join(' and ')}.`);
}

/** Returns the plural of an English noun. */
export function pluralOf(noun: string): string {
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/**
 * Returns the query for uses of a department or band: its users, policies, the company whose default it is, and group mappings.
 *
 * @param column that refers to it
 * @param others selects the further uses: what, its plural, their number
 */
export function usesByPeople(column: string, others: (id: Sql) => readonly Sql[] = () => []) {
  const counts = (id: Sql) => [
    sql`select 'user' as what, null as plural, count(*)::integer as count from users where ${raw(column)} = ${id}`,
    sql`select 'company', null, count(*)::integer from companies where ${raw(`default_${column}`)} = ${id}`,
    ...others(id),
    sql`select 'approval policy', null, count(*)::integer
          from ${raw(column === 'band_id' ? 'approval_policy_bands' : 'approval_policy_departments')} where ${raw(column)} = ${id}`,
    sql`select 'group mapping', null, count(*)::integer from group_mappings where ${raw(column)} = ${id}`,
  ];
  return (id: Sql): Sql =>
    sql`select what, plural, count from (${join(counts(id), ' union all ')}) uses where count > 0`;
}
