import sql, { type Sql } from 'sql-template-tag';
import { inScope } from '../../api/write-request.ts';
import { selectFields, worksOn } from '../../audit/entity-sql.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import { nobodyFrom } from '../../entities/approval-decision.ts';
import { approvalPolicy, approvalPolicyLevel } from '../../entities/approval-policy.ts';
import type { RowOf } from '../../entities/entity.ts';
import type { PolicyScope } from '../../entities/policy-scope.ts';
import { isRelativeRole } from '../../entities/roles.ts';
import { namedPeople, scopeColumn } from './policy-columns.ts';

/** A level with the highest approval limit that as many as have to sign it have; null: they are too few. */
export interface LimitedLevel extends RowOf<typeof approvalPolicyLevel, (typeof LEVEL_FIELDS)[number]> {
  highest: string | null;
  /** Without one person. */
  others: string | null;
}

const LEVEL_FIELDS = ['level', 'roleRequired', 'minAmount', 'maxAmount', 'minApprovers'] as const;

/** A policy with its levels in ascending order. */
export interface LimitedPolicy extends RowOf<typeof approvalPolicy, 'id' | 'name' | 'autoApprovalLimit'> {
  scope: PolicyScope;
  /** Of the default approvers. */
  defaults: Pick<LimitedLevel, 'highest' | 'others'>;
  levels: LimitedLevel[];
}

/**
 * Returns policies by name, each level with the highest approval limit of those who hold its role and work.
 *
 * @param where condition on `approval_policies`
 * @param userId a person who counts as working for `highest`, and is left out of `others`
 */
export function findPolicyLimits(db: Reader, where: Sql, userId: string | null = null): Promise<LimitedPolicy[]> {
  const holder = sql`
    lateral (select id, approval_limit from users
              where users.id = held.user_id and (${worksOn()} or users.id = ${userId}::uuid) limit 1) holder`;
  // Of a level that all sign, one has the authority.
  const needed = sql`case levels.mode when 'ALL' then 1 else levels.min_approvers end`;
  const ofNamed = (listed: Sql, group: Sql, number: Sql) => sql`
    (select (array_agg(approval_limit order by approval_limit desc))[${number}]::text as highest,
            (array_agg(approval_limit order by approval_limit desc) filter (where user_id is distinct from ${userId}::uuid))[${number}]::text as others
       from (select distinct user_id from (${namedPeople(listed, group, sql`chosen.company_id`)}) named) people, lateral (
         select approval_limit from users
          where users.id = people.user_id and users.company_id = chosen.company_id
            and (${worksOn()} or users.id = ${userId}::uuid) limit 1) person)`;
  const limitOf = (which: Sql) => sql`(
    select approval_limit::text from holders
     where holders.company_id = required.company_id and holders.role = required.role and ${which}
     order by approval_limit desc offset needed - 1 limit 1)`;
  return db.query<LimitedPolicy>(sql`
    with chosen as materialized (select * from approval_policies where ${where}),
    required as materialized (
      select distinct chosen.company_id, levels.role_required as role, ${needed} as needed
        from chosen join approval_policy_levels levels on levels.policy_id = chosen.id),
    roles as (select distinct company_id, role from required),
    holders as materialized (
      select roles.*, holder.id, holder.approval_limit from roles join company_roles held using (company_id, role), ${holder}
      union all
      select roles.*, holder.id, holder.approval_limit
        from roles join system_roles held on held.role = roles.role and held.active, ${holder}),
    limits as materialized (
      select required.*, ${limitOf(sql`true`)} as highest, ${limitOf(sql`id is distinct from ${userId}::uuid`)} as others from required)
    select ${selectFields(approvalPolicy, ['id', 'name', 'autoApprovalLimit'], 'chosen')}, ${scopeColumn},
           (select to_json(named) from ${ofNamed(
             sql`select user_id from approval_policy_defaults where policy_id = chosen.id`,
             sql`chosen.default_group_id`,
             sql`1`,
           )} named) as defaults,
           coalesce((
             select json_agg(each order by each.level, each.part)
               from (select ${selectFields(approvalPolicyLevel, [...LEVEL_FIELDS, 'part'], 'levels')},
                            coalesce(limits.highest, named.highest) as highest, coalesce(limits.others, named.others) as others
                       from approval_policy_levels levels
                       left join limits on limits.company_id = chosen.company_id and limits.role = levels.role_required
                                       and limits.needed = ${needed},
                            lateral ${ofNamed(
                              sql`select user_id from approval_policy_level_people where level_id = levels.id`,
                              sql`coalesce(levels.group_id, levels.role_id)`,
                              needed,
                            )} named
                      where levels.policy_id = chosen.id) each), '[]') as levels
      from chosen order by chosen.name_folded collate "C", chosen.id collate "C"`);
}

/** Maximum number of policies named for a person. */
const NAMED_POLICIES = 100;

/** Returns the active policies in scope by which less, or nothing at some level, can be approved without a person. */
export async function policiesLeftBy(
  db: Reader,
  userId: string,
  scope: CompanyScope,
): Promise<Pick<LimitedPolicy, 'id' | 'name'>[]> {
  const isNamed = (listed: Sql, group: Sql) =>
    sql`exists (select from (${namedPeople(listed, group, sql`approval_policies.company_id`)}) named where named.user_id = ${userId}::uuid)`;
  const approves = sql`exists (
    select from approval_policy_levels levels
     where levels.policy_id = approval_policies.id and (
       exists (select from company_roles held where held.user_id = ${userId}::uuid
                  and held.company_id = approval_policies.company_id and held.role = levels.role_required)
       or exists (select from system_roles held
                   where held.user_id = ${userId}::uuid and held.active and held.role = levels.role_required)
       or ${isNamed(sql`select user_id from approval_policy_level_people where level_id = levels.id`, sql`coalesce(levels.group_id, levels.role_id)`)}))
    or ${isNamed(
      sql`select user_id from approval_policy_defaults where policy_id = approval_policies.id`,
      sql`approval_policies.default_group_id`,
    )}`;
  const where = sql`active and ${inScope(scope, sql`company_id`)} and (${approves})`;
  const policies = await findPolicyLimits(db, where, userId);
  const limitBy = (name: 'highest' | 'others') => (level: LimitedLevel) =>
    isRelativeRole(level.roleRequired) ? undefined : level[name];
  const isLeft = (policy: LimitedPolicy) =>
    policy.levels.some(({ highest, others }) => highest !== null && others === null) ||
    nobodyFrom(policy, limitBy('highest'), policy.defaults.highest) !==
      nobodyFrom(policy, limitBy('others'), policy.defaults.others);
  return policies
    .filter(isLeft)
    .slice(0, NAMED_POLICIES)
    .map(({ id, name }) => ({ id, name }));
}
