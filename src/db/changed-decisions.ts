import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from './database.ts';

/** The schema since which somebody approves whatever is above an automatic limit. */
export const SINCE_SCHEMA = 34;
/** Maximum number of policies named in a sentence. */
const MAX_NAMED = 20;

/** A policy that approved amounts silently up to 0.2; amounts are decimal strings. */
interface ChangedPolicy {
  name: string;
  company: string;
  /** The smallest automatic limit that holds for anybody. */
  limit: string;
  /** Where its first level begins; null: it has none. */
  first: string | null;
}

/**
 * Returns a sentence that names the active policies whose decision differs from that up to 0.2; undefined if there are none. Works on older
 * schemas too.
 *
 * @param withBands also those that differ for a band alone, whose automatic limit is below that of the policy
 */
export async function changedDecisions(db: Reader, withBands: boolean): Promise<string | undefined> {
  const [known] = await db.query(sql`select where to_regclass('approval_policies') is not null`);
  if (known === undefined) return undefined;
  const found = await db.query<ChangedPolicy>(selectChanged(withBands));
  if (found.length === 0) return undefined;
  const named = found.slice(0, MAX_NAMED).map(({ name, company, limit, first }) => {
    const effect =
      first === null
        ? `nobody can approve above ${limit}`
        : `above ${limit} and below ${first} its lowest level approves`;
    return `${JSON.stringify(name)} of ${JSON.stringify(company)} (${effect})`;
  });
  const more = found.length > MAX_NAMED ? ` and ${found.length - MAX_NAMED} more` : '';
  return `${found.length} approval ${found.length === 1 ? 'policy decides' : 'policies decide'} otherwise than up to 0.2, which approved these amounts automatically: ${named.join(', ')}${more} (docs/compatibility.md)`;
}

function selectChanged(withBands: boolean): Sql {
  // Columns of later schemas are read from the row as JSON: older ones do not have them.
  const bandLimit = sql`(
    select min(band.auto_approval_limit) from employee_bands band
     where band.company_id = policy.company_id and exists (select from users where users.band_id = band.id)
       and (to_jsonb(policy) ->> 'band_ids' is null or band.id::text = any(string_to_array(to_jsonb(policy) ->> 'band_ids', ' '))))`;
  return sql`
    select policy.name, companies.name as company, lowest.limit::text as limit, levels.first::text as first
      from approval_policies policy join companies on companies.id = policy.company_id and companies.active,
           lateral (select min(min_amount) as first from approval_policy_levels where policy_id = policy.id) levels,
           lateral (select ${withBands ? sql`least(policy.auto_approval_limit, ${bandLimit})` : sql`policy.auto_approval_limit`} as "limit") lowest
     where coalesce((to_jsonb(policy) ->> 'active')::boolean, true)
       and (levels.first is null or levels.first > lowest.limit + 0.01)
     order by companies.name_folded collate "C", policy.name_folded collate "C", policy.id collate "C"`;
}
