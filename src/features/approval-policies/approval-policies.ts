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

/** A level with the highest approval limits among those who can sign it; null: nobody can. */
export interface LimitedLevel extends RowOf<typeof approvalPolicyLevel, (typeof LEVEL_FIELDS)[number]> {
  highest: string | null;
  /** Without one person. */
  others: string | null;
}

const LEVEL_FIELDS = ['level', 'roleRequired', 'minAmount', 'maxAmount'] as const;

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
  const ofNamed = (listed: Sql, group: Sql) => sql`
    (select max(approval_limit)::text as highest,
            (max(approval_limit) filter (where user_id is distinct from ${userId}::uuid))::text as others
       from (${namedPeople(listed, group)}) people, lateral (
         select approval_limit from users
          where users.id = people.user_id and users.company_id = chosen.company_id
            and (${worksOn()} or users.id = ${userId}::uuid) limit 1) person)`;
  return db.query<LimitedPolicy>(sql`
    with chosen as materialized (select * from approval_policies where ${where}),
    required as materialized (
      select distinct chosen.company_id, levels.role_required as role
        from chosen join approval_policy_levels levels on levels.policy_id = chosen.id),
    limits as materialized (
      select company_id, role, max(approval_limit)::text as highest,
             (max(approval_limit) filter (where id is distinct from ${userId}::uuid))::text as others
        from (select required.*, holder.id, holder.approval_limit
                from required join company_roles held using (company_id, role), ${holder}
              union all
              select required.*, holder.id, holder.approval_limit
                from required join system_roles held on held.role = required.role and held.active, ${holder}) holders
       group by company_id, role)
    select ${selectFields(approvalPolicy, ['id', 'name', 'autoApprovalLimit'], 'chosen')}, ${scopeColumn},
           (select to_json(named) from ${ofNamed(
             sql`select user_id from approval_policy_defaults where policy_id = chosen.id`,
             sql`chosen.default_group_id`,
           )} named) as defaults,
           coalesce((
             select json_agg(each order by each.level, each.part)
               from (select ${selectFields(approvalPolicyLevel, [...LEVEL_FIELDS, 'part'], 'levels')},
                            coalesce(limits.highest, named.highest) as highest, coalesce(limits.others, named.others) as others
                       from approval_policy_levels levels
                       left join limits on limits.company_id = chosen.company_id and limits.role = levels.role_required,
                            lateral ${ofNamed(
                              sql`select user_id from approval_policy_level_people where level_id = levels.id`,
                              sql`levels.group_id`,
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
  const approves = sql`exists (
    select from approval_policy_levels levels
     where levels.policy_id = approval_policies.id and (
       exists (select from company_roles held where held.user_id = ${userId}::uuid
                  and held.company_id = approval_policies.company_id and held.role = levels.role_required)
       or exists (select from system_roles held
                   where held.user_id = ${userId}::uuid and held.active and held.role = levels.role_required)
       or exists (select from approval_policy_level_people named
                   where named.user_id = ${userId}::uuid and named.level_id = levels.id)
       or exists (select from directory_group_members named
                   where named.user_id = ${userId}::uuid and named.group_id = levels.group_id)))
    or exists (select from approval_policy_defaults named
                where named.user_id = ${userId}::uuid and named.policy_id = approval_policies.id)`;
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
