import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from './database.ts';

/** The schema since which somebody approves whatever is above an automatic limit. */
export const SINCE_SCHEMA = 34;
/** Maximum number of policies named in a sentence. */
const MAX_NAMED = 20;

/** A policy whose decisions differ from those up to 0.2. */
interface ChangedPolicy {
  name: string;
  company: string;
  /** How they differ, in words. */
  effects: string;
}

/**
 * Returns a sentence that names the active policies whose decision differs from that up to 0.2; undefined if there are none. Works on older
 * schemas too.
 *
 * @param isUpgrade also those that differ by the automatic limit of a band, or as the approval limit matters at the last step alone
 */
export async function changedDecisions(db: Reader, isUpgrade: boolean): Promise<string | undefined> {
  const [known] = await db.query(sql`select where to_regclass('approval_policies') is not null`);
  if (known === undefined) return undefined;
  const found = await db.query<ChangedPolicy>(selectChanged(isUpgrade));
  if (found.length === 0) return undefined;
  const named = found.slice(0, MAX_NAMED).map(({ name, company, effects }) => {
    return `${JSON.stringify(name)} of ${JSON.stringify(company)} (${effects})`;
  });
  const more = found.length > MAX_NAMED ? ` and ${found.length - MAX_NAMED} more` : '';
  return `${found.length} approval ${found.length === 1 ? 'policy decides' : 'policies decide'} otherwise than up to 0.2: ${named.join(', ')}${more} (docs/compatibility.md)`;
}

/**
 * The smallest amount of each policy that somebody can approve and, by the rule up to 0.2, nobody could: it asked for the authority at every
 * level due. Both rules change at the amounts where a level begins, or the highest limit of its people ends.
 */
const CLIMBS = sql`
  highest as (
    select held.company_id, role, max(approval_limit) as highest
      from company_roles held join users on users.id = user_id and users.active group by held.company_id, role),
  ladders as materialized (
    select policy_id, level, min_amount, policy.auto_approval_limit,
           coalesce(highest.highest, (select max(approval_limit) from system_roles join users on users.id = user_id and users.active
                               where system_roles.role = role_required and system_roles.active), -1) as highest
      from approval_policy_levels join approval_policies policy on policy.id = policy_id
           left join highest on highest.company_id = policy.company_id and role = role_required),
  climbs as (
    select policy_id, min(amount) as amount from (
      select ladders.policy_id, amount
        from ladders join (select policy_id, unnest(array[min_amount, highest + 0.01]) as amount from ladders) each using (policy_id)
       group by ladders.policy_id, amount
      having amount > min(auto_approval_limit) and bool_or(min_amount <= amount and highest < amount)
             and max(level) filter (where highest >= amount) >= max(level) filter (where min_amount <= amount)) amounts
     group by policy_id)`;

function selectChanged(isUpgrade: boolean): Sql {
  // Columns of later schemas are read from the row as JSON: older ones do not have them.
  const bandLimit = sql`(
    select min(band.auto_approval_limit) from employee_bands band
     where band.company_id = policy.company_id and exists (select from users where users.band_id = band.id)
       and (to_jsonb(policy) ->> 'band_ids' is null or band.id::text = any(string_to_array(to_jsonb(policy) ->> 'band_ids', ' '))))`;
  const limit = isUpgrade ? sql`least(policy.auto_approval_limit, ${bandLimit})` : sql`policy.auto_approval_limit`;
  return sql`
    with ${isUpgrade ? CLIMBS : sql`climbs as (select null::text as policy_id, null::numeric as amount)`}
    select policy.name, companies.name as company, effects
      from approval_policies policy join companies on companies.id = policy.company_id and companies.active
           left join climbs on climbs.policy_id = policy.id,
           lateral (select min(min_amount) as first from approval_policy_levels where policy_id = policy.id) levels,
           lateral (select ${limit} as "limit") lowest,
           lateral (select nullif(concat_ws(', ',
             case when levels.first is null then 'nobody can approve above ' || lowest.limit
                  when levels.first > lowest.limit + 0.01 then 'above ' || lowest.limit || ' and below ' || levels.first || ' its lowest level approves' end,
             'somebody can approve ' || climbs.amount || ', where nobody could'), '') as effects) differences
     where coalesce((to_jsonb(policy) ->> 'active')::boolean, true) and effects is not null
     order by companies.name_folded collate "C", policy.name_folded collate "C", policy.id collate "C"`;
}
