import sql, { type Sql } from 'sql-template-tag';
import { inScope } from '../../api/write-request.ts';
import { jsonOfFields, selectFields } from '../../audit/entity-sql.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import type { ApprovalRules } from '../../entities/approval-decision.ts';
import { approvalPolicyLevel } from '../../entities/approval-policy.ts';
import { user } from '../../entities/user.ts';
import { APPROVER_FIELDS, type EvaluationView, STEP_FIELDS } from './evaluation-schemas.ts';

/** Input of an evaluation: policy id, booking amount as a decimal string, and the booker. */
export interface EvaluationInput {
  id: string;
  amount: string;
  userId?: string | undefined;
}

/** A level of the evaluated policy. */
interface Level {
  id: string;
  minAmount: string;
}

/** Limits of a policy, and of the band of the booker. */
export interface Limits extends ApprovalRules<Level> {
  companyId: string;
  /** Whether the booker belongs to the policy's company; true if no booker is named. */
  hasPerson: boolean;
}

/** Maximum number of approvers listed by name. */
const NAMED_APPROVERS = 10;

/** Returns the limits that apply to a booking; undefined if there is no such policy in scope. */
export async function findLimits(
  db: Reader,
  { id, userId }: EvaluationInput,
  reach: CompanyScope,
): Promise<Limits | undefined> {
  const person = userId ?? null;
  const [limits] = await db.query<Limits>(sql`
    select policy.company_id as "companyId", applied.auto::text as "autoApprovalLimit",
           band.max_booking_limit::text as "maxBookingLimit",
           coalesce(
             (select json_agg(${jsonOfFields(approvalPolicyLevel, ['id', 'minAmount'], 'step')} order by step.level)
                from approval_policy_levels step where step.policy_id = policy.id),
             '[]') as levels,
           ${person}::uuid is null or person.id is not null as "hasPerson"
      from approval_policies policy
      left join users person on person.id = ${person}::uuid and person.company_id = policy.company_id
      left join employee_bands band on band.id = person.band_id,
           lateral (select least(policy.auto_approval_limit, band.auto_approval_limit) as auto) applied
     where policy.id = ${id} and ${inScope(reach, sql`policy.company_id`)}`);
  return limits;
}

/** Returns these levels in ascending order, each with the number of people who can approve the amount, and the first of them by name. */
export async function findSteps(
  db: Reader,
  { id, amount, userId }: EvaluationInput,
  companyId: string,
  levelIds: readonly string[],
): Promise<EvaluationView['steps']> {
  const approver = sql`users.active and users.approval_limit >= ${amount}::numeric and users.id is distinct from ${userId ?? null}::uuid`;
  return db.query<EvaluationView['steps'][number]>(sql`
    select ${selectFields(approvalPolicyLevel, STEP_FIELDS, 'step')},
           (with approvers as materialized (
              ${holders(sql`company_roles`, sql`held.company_id = ${companyId}::uuid`, approver)}
              union all
              ${holders(sql`system_roles`, sql`held.active`, approver)})
            select json_build_object(
                     'total', (select count(*) from approvers),
                     'people', coalesce(json_agg(${jsonOfFields(user, APPROVER_FIELDS)} ${byNameOf(sql`users`)}), '[]'))
              from (select id from approvers ${byNameOf(sql`approvers`)} limit ${NAMED_APPROVERS}::bigint) named
              join users on users.id = named.id) as approvers
      from approval_policy_levels step
     where step.policy_id = ${id} and step.id = any(array(select json_array_elements_text(${JSON.stringify(levelIds)}::text::json)))
     order by step.level`);
}

/**
 * Returns SQL for the approvers among the holders of a step's role in that table: a role is either in a company or platform-wide. Users are
 * looked up by primary key; `limit 1` keeps the planner from scanning the whole table.
 */
function holders(table: Sql, holds: Sql, approver: Sql): Sql {
  return sql`
    select holder.id, holder.name_folded
      from ${table} held,
           lateral (select users.id, users.name_folded from users where users.id = held.user_id and ${approver} limit 1) holder
     where held.role = step.role_required and ${holds}`;
}

function byNameOf(table: Sql): Sql {
  return sql`order by ${table}.name_folded collate "C", ${table}.id`;
}
