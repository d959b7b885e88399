import sql, { type Sql } from 'sql-template-tag';
import { inScope } from '../../api/write-request.ts';
import { jsonOfFields, selectFields, worksOn } from '../../audit/entity-sql.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import type { Relations, StepApprovers } from '../../entities/approval-decision.ts';
import { approvalPolicy, approvalPolicyLevel } from '../../entities/approval-policy.ts';
import type { BudgetSettings } from '../../entities/budget-period.ts';
import { company } from '../../entities/company.ts';
import { todayUtc } from '../../entities/dates.ts';
import type { RowOf } from '../../entities/entity.ts';
import type { PolicyScope, ScopedPerson } from '../../entities/policy-scope.ts';
import { user } from '../../entities/user.ts';
import { type RemainingBudget, remainingBudget } from '../spending/spending.ts';
import { scopeColumn } from './approval-policies-queries.ts';
import { type APPROVER_FIELDS, type Approver, STEP_FIELDS } from './evaluation-schemas.ts';

/** Maximum number of approvers listed by name. */
export const NAMED_APPROVERS = 10;

/** Somebody above a person, and who decides for them on the day of the evaluation. */
export interface Superior extends RowOf<typeof user, (typeof APPROVER_FIELDS)[number]> {
  works: boolean;
  substitute: RowOf<typeof user, 'id' | 'firstName' | 'lastName'> | null;
}

/** The person who books. */
export interface Booker extends ScopedPerson, Relations<Superior>, BudgetSettings {
  id: string;
  companyId: string;
  departmentId: string;
  bandLimit: string;
  maxBookingLimit: string | null;
}

/** Returns the day of an evaluation in SQL; today (UTC) by default. */
function dayOf(on: string | undefined): Sql {
  return sql`coalesce(${on ?? null}::date, (now() at time zone 'UTC')::date)`;
}

/** Returns the condition that a user has a substitute on that day. @param row SQL alias */
const isAway = (row: Sql, day: Sql) =>
  sql`${row}.substitute_id is not null and ${day} between ${row}.substitute_from and ${row}.substitute_until`;

/** The largest number of managers and departments looked at above a person. */
const MAX_ABOVE = 50;

/** Returns the person who books, with their managers up to the second who works, and the heads of their departments. */
export async function findBooker(db: Reader, userId: string, on: string | undefined): Promise<Booker | undefined> {
  const day = dayOf(on);
  const superior = sql`
    json_build_object(
      'id', users.id, 'firstName', users.first_name, 'lastName', users.last_name,
      'approvalLimit', users.approval_limit::text, 'works', ${worksOn('users', day)},
      'substitute', (select ${jsonOfFields(user, ['id', 'firstName', 'lastName'], 'stand_in')} from users stand_in
                      where stand_in.id = users.substitute_id and ${isAway(sql`users`, day)}
                        and ${worksOn('stand_in', day)} and stand_in.id <> ${userId}::uuid))`;
  const [booker] = await db.query<Booker>(sql`
    with recursive person as (
      select id, company_id, department_id, band_id, manager_id from users where id = ${userId}::uuid),
    managers (id, manager_id, depth, path, working) as (
      select id, manager_id, 0, array[id], 0 from person
      union all
      select m.id, m.manager_id, depth + 1, path || m.id, working + ${worksOn('m', day)}::integer
        from managers join users m on m.id = managers.manager_id
       where m.id <> all (path) and working < 2 and depth < ${MAX_ABOVE}::integer),
    ladder (id, parent_id, head_id, depth) as (
      select departments.id, parent_id, head_id, 1 from person join departments on departments.id = person.department_id
      union all
      select d.id, d.parent_id, d.head_id, depth + 1 from ladder join departments d on d.id = ladder.parent_id
       where depth < ${MAX_ABOVE}::integer)
    select person.id, person.company_id as "companyId", person.department_id as "departmentId", person.band_id as "bandId",
           ${selectFields(company, ['budgetPeriod', 'fiscalYearStart'])},
           band.auto_approval_limit::text as "bandLimit", band.max_booking_limit::text as "maxBookingLimit",
           array(select id::text from ladder order by depth) as "departmentIds",
           coalesce((select json_agg(${superior} order by depth)
                       from managers join users on users.id = managers.id where depth > 0), '[]') as managers,
           coalesce((select json_agg(${superior} order by depth)
                       from ladder join users on users.id = ladder.head_id), '[]') as heads
      from person join employee_bands band on band.id = person.band_id join companies on companies.id = person.company_id`);
  return booker;
}

/** A policy that may decide. */
export interface CandidatePolicy extends RowOf<typeof approvalPolicy, (typeof CANDIDATE_FIELDS)[number]> {
  scope: PolicyScope;
}

const CANDIDATE_FIELDS = ['id', 'name', 'companyId', 'autoApprovalLimit'] as const;

/** Returns the policies that may decide, and what remains of the budget of the person's department. */
export async function findCandidates(
  db: Reader,
  where: Sql,
  booker: Booker | undefined,
  { amount, on = todayUtc() }: { amount: string; on: string | undefined },
): Promise<{ policies: CandidatePolicy[]; budget: RemainingBudget | null }> {
  const [found] = await db.query<{ policies: CandidatePolicy[]; budget: RemainingBudget | null }>(sql`
    select coalesce((select json_agg(each) from (
             select ${selectFields(approvalPolicy, CANDIDATE_FIELDS)}, ${scopeColumn}
               from approval_policies where ${where}) each), '[]') as policies,
           ${booker ? remainingBudget(booker, amount, on) : sql`null::json`} as budget`);
  return found ?? { policies: [], budget: null };
}

/** Returns the condition for the policy with that id in scope. */
export function isPolicy(id: string, scope: CompanyScope): Sql {
  return sql`id = ${id} and ${inScope(scope, sql`company_id`)}`;
}

/** Returns the condition for the active policies of a person's company for their department or one above it, and their band. */
export function mayApply({ companyId, departmentIds, bandId }: Booker): Sql {
  const ids = sql`array(select json_array_elements_text(${JSON.stringify(departmentIds)}::text::json))`;
  return sql`
    company_id = ${companyId}::uuid and active
    and (department_ids is null or exists (
      select from approval_policy_departments where policy_id = approval_policies.id and department_id = any(${ids}::uuid[])))
    and (band_ids is null or exists (
      select from approval_policy_bands where policy_id = approval_policies.id and band_id = ${bandId}::uuid))`;
}

/** Those who hold a role: all of them, and those whose limit is at least the amount. */
export interface RoleApprovers extends StepApprovers {
  role: string;
  withAuthority: boolean;
  /** The first ten by name. */
  people: Approver[];
}

/** A level of the policy that decides. */
export type EvaluatedLevel = RowOf<typeof approvalPolicyLevel, (typeof STEP_FIELDS)[number]>;

/** Returns the levels of a policy in ascending order, and who can sign by each role that they require. */
export async function findApprovers(
  db: Reader,
  { id, companyId }: Pick<CandidatePolicy, 'id' | 'companyId'>,
  { amount, userId, on }: { amount: string; userId: string | null; on: string | undefined },
): Promise<{ levels: EvaluatedLevel[]; roles: RoleApprovers[] }> {
  const day = dayOf(on);
  // Read in the index company_roles_holders alone.
  const holds = sql`
    held.company_id = ${companyId}::uuid and held.role = required.role and held.holder_active
    and (held.holder_from is null or held.holder_from <= ${day}) and (held.holder_until is null or held.holder_until >= ${day})
    and held.user_id is distinct from ${userId}::uuid`;
  const decides = sql`${holds} and (not kinds.with_authority or held.holder_limit >= ${amount}::numeric)`;
  const standIn = sql`
    join users stand_in on stand_in.id = away.substitute_id and ${isAway(sql`away`, day)} and ${worksOn('stand_in', day)}
     and stand_in.id is distinct from ${userId}::uuid`;
  // The offset keeps the planner from reading everybody where no level requires a role of the platform.
  const ofPlatform = sql`
    required cross join lateral (
      select users.* from system_roles held join users on users.id = held.user_id
       where held.role = required.role and held.active and ${worksOn('users', day)} and users.id is distinct from ${userId}::uuid
      offset 0) away`;
  const [found] = await db.query<{ levels: EvaluatedLevel[]; roles: RoleApprovers[] }>(sql`
    with levels as materialized (
      select ${selectFields(approvalPolicyLevel, STEP_FIELDS, 'each')} from approval_policy_levels each where each.policy_id = ${id}),
    required as materialized (select distinct "roleRequired" as role from levels),
    kinds (with_authority) as (values (false), (true)),
    -- The order keeps the planner from reading the roles of all companies.
    counts as materialized (
      select required.role, counted.*
        from required, lateral (
          select count(*) as holders, count(*) filter (where holder_limit >= ${amount}::numeric) as able
            from (select holder_limit from company_roles held where ${holds} order by holder_name collate "C", user_id) held) counted),
    others as materialized (
      select required.role, away.id, away.name_folded, away.approval_limit, null::uuid as for_id from ${ofPlatform}
      union all
      select required.role, stand_in.id, stand_in.name_folded, away.approval_limit, away.id from ${ofPlatform} ${standIn}
      union all
      select required.role, stand_in.id, stand_in.name_folded, away.approval_limit, away.id
        from required join company_roles held on held.holder_leaves and ${holds} join users away on away.id = held.user_id ${standIn})
    select coalesce((select json_agg(levels order by level) from levels), '[]') as levels,
           coalesce((select json_agg(signers) from (
             select required.role, kinds.with_authority as "withAuthority", signed.total, signed.sole, signed.people
               from required, kinds, lateral (
                 with holders as (
                   select case when kinds.with_authority then able else counts.holders end as total
                     from counts where counts.role = required.role),
                 further as materialized (
                   select distinct on (id) id, name_folded, approval_limit, for_id from others
                    where others.role = required.role and (not kinds.with_authority or approval_limit >= ${amount}::numeric)
                      and not exists (select from company_roles held where held.user_id = others.id and ${decides})
                    order by id, for_id nulls first),
                 listed as materialized (
                   (select held.user_id as id, held.holder_name as name_folded, held.holder_limit as approval_limit, null::uuid as for_id
                      from company_roles held where ${decides}
                     order by held.holder_name collate "C", held.user_id limit ${NAMED_APPROVERS}::bigint)
                   union all
                   select * from further)
                 select (holders.total + (select count(*) from further))::integer as total,
                        case when holders.total + (select count(*) from further where for_id is null) = 1
                             then (select listed.id from listed where for_id is null) end as sole,
                        coalesce((
                          select json_agg(json_strip_nulls(json_build_object(
                                   'id', users.id, 'firstName', users.first_name, 'lastName', users.last_name,
                                   'approvalLimit', named.approval_limit::text,
                                   'for', (select ${jsonOfFields(user, ['id', 'firstName', 'lastName'], 'away')}
                                             from users away where away.id = named.for_id)))
                                   order by named.name_folded collate "C", named.id)
                            from (select * from listed order by name_folded collate "C", id limit ${NAMED_APPROVERS}::bigint) named
                            join users on users.id = named.id), '[]') as people
                   from holders) signed) signers), '[]') as roles`);
  return found ?? { levels: [], roles: [] };
}
