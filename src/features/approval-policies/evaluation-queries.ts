import sql, { empty, type Sql } from 'sql-template-tag';
import { inScope } from '../../api/write-request.ts';
import { isThereOn, jsonOfFields, selectFields, todayOf, worksOn } from '../../audit/entity-sql.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Reader, Writer } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import type { Relations, StepApprovers } from '../../entities/approval-decision.ts';
import { approvalPolicy, approvalPolicyLevel } from '../../entities/approval-policy.ts';
import { company } from '../../entities/company.ts';
import type { Facts } from '../../entities/conditions.ts';
import type { BudgetSettings, CalendarDate } from '../../entities/dates.ts';
import type { RowOf } from '../../entities/entity.ts';
import type { PolicyScope, ScopedPerson } from '../../entities/policy-scope.ts';
import { user } from '../../entities/user.ts';
import { type RemainingCredit, remainingCredit } from '../companies/credit.ts';
import { PAYER } from '../legal-entities/effective-entity.ts';
import { type RemainingBudget, remainingBudget } from '../spending/spending.ts';
import { type APPROVER_FIELDS, type Approver, DECIDING_FIELDS } from './evaluation-schemas.ts';
import { namedPeople, scopeColumn } from './policy-columns.ts';

/** Maximum number of approvers listed by name. */
export const NAMED_APPROVERS = 10;

/** Somebody who may approve, and who decides for them on the day of the evaluation. */
export interface Superior extends RowOf<typeof user, (typeof APPROVER_FIELDS)[number]> {
  works: boolean;
  /** `passed`: the substitute of the substitute, who is away too. */
  substitute: (RowOf<typeof user, 'id' | 'firstName' | 'lastName'> & { passed: boolean }) | null;
}

/** The person who books. */
export interface Booker extends ScopedPerson, Relations<Superior>, BudgetSettings {
  companyId: string;
  departmentId: string;
  timeZone: string;
  currency: string | null;
  /** In the time zone of the company. */
  today: CalendarDate;
  works: boolean;
  bandLimit: string;
  maxBookingLimit: string | null;
}

/** Returns the day of an evaluation in SQL; by default today in the company of a row. */
function dayOf(on: string | undefined, row: string, column?: string): Sql {
  return sql`coalesce(${on ?? null}::date, ${todayOf(row, column)})`;
}

/** Returns a person of `users` as a {@link Superior}. @param excluded those who never approve */
const superior = (day: Sql, excluded: readonly string[]) => sql`
  json_build_object(
    'id', users.id, 'firstName', users.first_name, 'lastName', users.last_name,
    'approvalLimit', users.approval_limit::text, 'works', ${worksOn('users', day)},
    'substitute', (select json_build_object('id', id, 'firstName', first_name, 'lastName', last_name,
                                            'passed', id is distinct from substitute_on(users.id, ${day}))
                     from users stand_in where stand_in.id = stand_in_on(users.id, ${day}) and stand_in.id <> ${noneOf(excluded)}))`;

function noneOf(ids: readonly string[]): Sql {
  return sql`all(array(select json_array_elements_text(${JSON.stringify(ids)}::text::json))::uuid[])`;
}

/** The largest number of managers and departments looked at above a person. */
const MAX_ABOVE = 50;
/** The largest number of working managers looked at. */
const MAX_WORKING = 11;

/** Returns the person who books, with their managers who work, and the heads of their departments. */
export async function findBooker(
  db: Reader,
  userId: string,
  { on, requestedBy = userId }: { on: string | undefined; requestedBy: string | undefined },
): Promise<Booker | undefined> {
  const day = dayOf(on, 'users');
  const ofPerson = sql`(select day from person)`;
  const someone = superior(ofPerson, [userId, requestedBy]);
  const [booker] = await db.query<Booker>(sql`
    with recursive person as (
      select users.id, users.company_id, payer.department_id, payer.band_id, payer.manager_id, users.job_title, users.worker_type,
             coalesce(users.cost_center, payer.cost_center) as cost_center,
             legal_entity_of(coalesce(users.legal_entity_id, payer.legal_entity_id), payer.department_id, users.company_id) as legal_entity_id, ${isThereOn('users', day)} as works, ${day} as day
        from users join users payer on payer.id = ${PAYER} where users.id = ${userId}::uuid),
    managers (id, manager_id, depth, path, working) as (
      select id, manager_id, 0, array[id], 0 from person
      union all
      select m.id, m.manager_id, depth + 1, path || m.id, working + ${worksOn('m', ofPerson)}::integer
        from managers join users m on m.id = managers.manager_id
       where m.id <> all (path) and working < ${MAX_WORKING}::integer and depth < ${MAX_ABOVE}::integer),
    ladder (id, parent_id, head_id, depth) as (
      select departments.id, parent_id, head_id, 1 from person join departments on departments.id = person.department_id
      union all
      select d.id, d.parent_id, d.head_id, depth + 1 from ladder join departments d on d.id = ladder.parent_id
       where depth < ${MAX_ABOVE}::integer)
    select person.id, person.company_id as "companyId", person.department_id as "departmentId", person.band_id as "bandId",
           cost_center as "costCenter", job_title as "jobTitle", works, worker_type as "workerType",
           array_remove(array[case when legal.is_default then companies.country else legal.country_code end, (
             select upper(trim(scim_users.country)) from scim_users
              where scim_users.user_id = person.id and scim_users.company_id = person.company_id)], null) as "countryCodes",
           ${selectFields(company, ['budgetPeriod', 'fiscalYearStart', 'timeZone', 'currency'])}, ${todayOf('person')}::text as today,
           band.auto_approval_limit::text as "bandLimit", band.max_booking_limit::text as "maxBookingLimit",
           array(select id::text from ladder order by depth) as "departmentIds",
           coalesce((select json_agg(${someone} order by depth)
                       from managers join users on users.id = managers.id where depth > 0), '[]') as managers,
           coalesce((select json_agg(${someone} order by depth)
                       from ladder join users on users.id = ladder.head_id), '[]') as heads
      from person join employee_bands band on band.id = person.band_id join companies on companies.id = person.company_id
      left join legal_entities legal on legal.id = person.legal_entity_id`);
  return booker;
}

/** Returns the currency that a company has of its own. */
export async function findCurrency(db: Reader, companyId: string): Promise<string | null> {
  const [found] = await db.query<{ currency: string | null }>(sql`
    select currency from companies where id = ${companyId}::uuid`);
  return found?.currency ?? null;
}

/** Returns whether a person lives in a company or holds a role there. */
export async function isOfCompany(db: Reader, userId: string, companyId: string): Promise<boolean> {
  const found = await db.query(sql`
    select from users where id = ${userId}::uuid and company_id = ${companyId}::uuid
     union all select from company_roles where user_id = ${userId}::uuid and company_id = ${companyId}::uuid limit 1`);
  return found.length > 0;
}

/** Maximum number of facts remembered of a company. */
const MAX_SEEN = 200;

/** Remembers which facts evaluations of a company name, so that the console can offer them. @param of the evaluation */
export async function rememberFacts(
  db: Writer,
  { policyId, userId }: { policyId: string | null; userId: string | null },
  facts: Facts,
): Promise<void> {
  const seen = Object.entries(facts).map(([name, value]) => ({ name, example: JSON.stringify(value).slice(0, 200) }));
  if (seen.length === 0) return;
  await db.query(sql`
    insert into seen_facts (company_id, name, example)
    select of_evaluation.id, name, example
      from json_to_recordset(${JSON.stringify(seen)}::text::json) as each (name text, example text),
           (select company_id as id from users where id = ${userId}::uuid
             union select company_id from approval_policies where id = ${policyId}) of_evaluation
     where (select count(*) from seen_facts where company_id = of_evaluation.id) < ${MAX_SEEN}::integer
        on conflict do nothing`);
}

/** A policy that may decide. */
export interface CandidatePolicy extends RowOf<typeof approvalPolicy, (typeof CANDIDATE_FIELDS)[number]> {
  scope: PolicyScope;
}

const CANDIDATE_FIELDS = [
  'id',
  'name',
  'companyId',
  'autoApprovalLimit',
  'distinct',
  'limit',
  'excludeReports',
  'reapprovePercent',
  'reapproveAmount',
  'defaultGroupId',
] as const;

interface Candidates {
  policies: CandidatePolicy[];
  budget: RemainingBudget | null;
  credit: RemainingCredit | null;
}

/** Returns the policies that may decide, and what remains of the budget of the person's department and of the company's credit. */
export async function findCandidates(
  db: Reader,
  where: Sql,
  booker: Booker | undefined,
  { amount, on, seesCredit }: { amount: string; on: string | undefined; seesCredit: boolean },
): Promise<Candidates> {
  const companyId = booker
    ? sql`${booker.companyId}::uuid`
    : sql`(select company_id from approval_policies where ${where})`;
  const [found] = await db.query<Candidates>(sql`
    select coalesce((select json_agg(each) from (
             select ${selectFields(approvalPolicy, CANDIDATE_FIELDS)}, ${scopeColumn}
               from approval_policies where ${where}) each), '[]') as policies,
           ${booker ? remainingBudget(booker, amount, on ?? booker.today) : sql`null::json`} as budget,
           ${seesCredit ? remainingCredit(companyId, amount) : sql`null::json`} as credit`);
  return found ?? { policies: [], budget: null, credit: null };
}

/** Returns the condition for the policy with that id in scope. */
export function isPolicy(id: string, scope: CompanyScope): Sql {
  return sql`id = ${id} and ${inScope(scope, sql`company_id`)}`;
}

/** Returns the condition for the active policies of a person's company for their department or one above it, and their band. */
export function mayApply({ companyId, departmentIds, bandId }: Booker): Sql {
  return sql`
    company_id = ${companyId}::uuid and active
    and (department_ids is null or exists (
      select from approval_policy_departments where policy_id = approval_policies.id and department_id = ${anyOf(departmentIds)}))
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
export type EvaluatedLevel = RowOf<typeof approvalPolicyLevel, (typeof DECIDING_FIELDS)[number]> & { id: string };

/** Who can sign by the levels of a policy. */
export interface FoundApprovers {
  /** In ascending order. */
  levels: EvaluatedLevel[];
  roles: RoleApprovers[];
  /** The people whom a level, by its id, or the policy by default names, or who own the cost centre. */
  named: Readonly<Record<string, Superior[]>>;
  /** Those of the people asked about who are below the person who books. */
  reports: string[];
}

/** Maximum number of members of a group who are looked at: those with the highest limits. */
const MAX_MEMBERS = 1000;

/** Returns the levels of a policy, and who can sign by what they require. @param userIds of whom it tells who is below the person */
export async function findApprovers(
  db: Reader,
  {
    id,
    companyId,
    excludeReports,
    defaultGroupId,
  }: Pick<CandidatePolicy, 'id' | 'companyId' | 'excludeReports' | 'defaultGroupId'>,
  given: { amount: string; booker: Booker | undefined; requestedBy: string | undefined; on: string | undefined },
): Promise<FoundApprovers> {
  const { amount, booker, requestedBy, on } = given;
  const day = sql`(select ${dayOf(on, 'companies', 'id')} from companies where id = ${companyId}::uuid)`;
  const excluded = [booker?.id, requestedBy].filter((each) => each !== undefined);
  const isOther = (who: Sql) =>
    sql`${who} <> ${noneOf(excluded)}${excludeReports ? sql` and ${who} not in (select id from below)` : empty}`;
  // Read in the index company_roles_holders alone.
  const holds = sql`
    held.company_id = ${companyId}::uuid and held.role = required.role and held.holder_active
    and (held.holder_from is null or held.holder_from <= ${day}) and (held.holder_until is null or held.holder_until >= ${day})
    and ${isOther(sql`held.user_id`)}`;
  const decides = sql`${holds} and (not kinds.with_authority or held.holder_limit >= ${amount}::numeric)`;
  const standIn = sql`
    join users stand_in on stand_in.id = stand_in_on(away.id, ${day}) and ${isOther(sql`stand_in.id`)}`;
  // The offset keeps the planner from reading everybody where no level requires a role of the platform.
  const ofPlatform = sql`
    required cross join lateral (
      select users.* from system_roles held join users on users.id = held.user_id
       where held.role = required.role and held.active and ${worksOn('users', day)} and ${isOther(sql`users.id`)}
      offset 0) away`;
  const standIns = (held: Sql) => sql`
    select required.role, stand_in.id, stand_in.name_folded, away.approval_limit, away.id from ${held} ${standIn}`;
  const superiors = [...(booker?.managers ?? []), ...(booker?.heads ?? [])].map((each) => each.id);
  const [found] = await db.query<FoundApprovers>(sql`
    with recursive levels as materialized (
      select ${selectFields(approvalPolicyLevel, ['id', ...DECIDING_FIELDS], 'each')}, coalesce(each.group_id, each.role_id) as group_id
        from approval_policy_levels each where each.policy_id = ${id}),
    required as materialized (select distinct "roleRequired" as role from levels),
    kinds (with_authority) as (values (false), (true)),
    below (id) as (
      select id from users where manager_id = ${booker?.id ?? null}::uuid and ${excludeReports}
      union select users.id from below join users on users.manager_id = below.id),
    asked (key, user_id) as (
      select levels.id, people.user_id from levels, lateral (${namedPeople(
        sql`select user_id from approval_policy_level_people where level_id = levels.id`,
        sql`levels.group_id`,
        sql`${companyId}::uuid`,
      )}) people
      union select levels.id, owner_id from levels join cost_centers
               on cost_centers.company_id = ${companyId}::uuid and code_key = lower_letters(${booker?.costCenter ?? null}::text)
            where "roleRequired" = 'COST_CENTER_OWNER' and owner_id is not null
      union select 'default', user_id from (${namedPeople(
        sql`select user_id from approval_policy_defaults where policy_id = ${id}`,
        sql`${defaultGroupId}::uuid`,
        sql`${companyId}::uuid`,
      )}) people),
    -- The order keeps the planner from reading the roles of all companies.
    counts as materialized (
      select required.role, counted.*
        from required, lateral (
          select count(*) as holders, count(*) filter (where holder_limit >= ${amount}::numeric) as able
            from (select holder_limit from company_roles held where ${holds} order by holder_name collate "C", user_id) held) counted),
    others as materialized (
      select required.role, away.id, away.name_folded, away.approval_limit, null::uuid as for_id from ${ofPlatform}
      union all ${standIns(ofPlatform)}
      union all ${standIns(sql`required join company_roles held on held.holder_leaves and ${holds} join users away on away.id = held.user_id`)}
      union all ${standIns(sql`
        required join substitutions on substitutions.company_id = ${companyId}::uuid and ${day} between first_day and last_day
        cross join lateral (
          select user_id from company_roles held where held.user_id = substitutions.user_id and ${holds} offset 0) held
        join users away on away.id = held.user_id`)})
    select coalesce((select json_agg(levels order by level, part) from levels), '[]') as levels,
           array(select id::text from below where id = ${anyOf(superiors)}) as reports,
           coalesce((select json_object_agg(key, people) from (
             select key, json_agg(person order by name_folded collate "C", user_id) as people
               from (select key, user_id, row_number() over (partition by key order by approval_limit desc, user_id) as place
                       from asked, lateral (
                         select approval_limit from users
                          where id = user_id and company_id = ${companyId}::uuid and ${worksOn('users', day)} limit 1) able
                      where ${isOther(sql`user_id`)}) chosen,
                    lateral (select name_folded, ${superior(day, excluded)} as person from users where id = user_id limit 1) named
              where place <= ${MAX_MEMBERS}::integer group by key) each), '{}') as named,
           coalesce((select json_agg(signers) from (
             select required.role, kinds.with_authority as "withAuthority", signed.*
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
                   select * from further),
                 principals as (
                   select holders.total + (select count(*) from further where for_id is null) as number from holders)
                 select (holders.total + (select count(*) from further))::integer as total,
                        principals.number::integer as principals,
                        array(select id from listed where for_id is null) as ids,
                        case when principals.number = 1 then (select listed.id from listed where for_id is null) end as sole,
                        coalesce((
                          select json_agg(json_strip_nulls(json_build_object(
                                   'id', users.id, 'firstName', users.first_name, 'lastName', users.last_name,
                                   'approvalLimit', named.approval_limit::text,
                                   'passed', nullif(for_id is not null and users.id is distinct from substitute_on(for_id, ${day}), false),
                                   'for', (select ${jsonOfFields(user, ['id', 'firstName', 'lastName'], 'away')}
                                             from users away where away.id = named.for_id)))
                                   order by named.name_folded collate "C", named.id)
                            from (select * from listed order by name_folded collate "C", id limit ${NAMED_APPROVERS}::bigint) named
                            join users on users.id = named.id), '[]') as people
                   from holders, principals) signed) signers), '[]') as roles`);
  return found ?? { levels: [], roles: [], named: {}, reports: [] };
}
