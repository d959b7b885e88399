import sql from 'sql-template-tag';
import { type Static, Type } from 'typebox';
import { checkValue, parseBody, validOrThrow } from '../../api/body.ts';
import { companyIdParameter } from '../../api/list-schemas.ts';
import { selectFields, worksOn } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { amountAbove, nobodyFrom } from '../../entities/approval-decision.ts';
import { approvalPolicy, approvalPolicyLevel } from '../../entities/approval-policy.ts';
import { allOf, checkKnown } from '../../entities/check-fields.ts';
import type { RowOf } from '../../entities/entity.ts';
import { answeredFields, nullable, titled } from '../../entities/field-schemas.ts';
import { cents, type DecimalString } from '../../entities/money.ts';
import { applies, OVER_BUDGET, type PolicyScope } from '../../entities/policy-scope.ts';
import { isRelativeRole, type RelativeRole } from '../../entities/roles.ts';
import { user } from '../../entities/user.ts';
import { money, uuid } from '../../entities/values.ts';
import { findPolicyLimits, type LimitedLevel, type LimitedPolicy } from './approval-policies.ts';
import { STEP_FIELDS } from './evaluation-schemas.ts';

export const PolicyCheckInput = Type.Object({ companyId: companyIdParameter });

/** Why nobody can approve at a level. */
const UNREACHABLE_CODES = ['NOBODY', 'NO_AUTHORITY'] as const;
const NAMED_PEOPLE = 10;
const PERSON_FIELDS = ['id', 'firstName', 'lastName'] as const;

const UnreachableLevel = Type.Object({
  ...answeredFields(approvalPolicyLevel, STEP_FIELDS),
  reason: Type.Unsafe<(typeof UNREACHABLE_CODES)[number]>({
    type: 'string',
    enum: [...UNREACHABLE_CODES],
    description: 'NOBODY: nobody who works has the role; NO_AUTHORITY: nobody here or above may approve its amount',
  }),
});

export const PolicyCheckView = titled('PolicyCheck', {
  policies: Type.Array(
    Type.Object({
      ...answeredFields(approvalPolicy, ['id', 'name', 'active']),
      nobodyFrom: nullable<string>({
        ...money.schema,
        description: 'The smallest amount that nobody can approve; null if that depends on the person who books',
        examples: ['500000.01'],
      }),
      unreachableLevels: Type.Array(UnreachableLevel, { description: 'Levels at which nobody can approve' }),
    }),
    { description: 'All policies, by name' },
  ),
  peopleWithoutPolicy: Type.Object(
    {
      total: Type.Integer({ examples: [0] }),
      people: Type.Array(Type.Object(answeredFields(user, PERSON_FIELDS)), { description: 'The first ten by name' }),
    },
    { description: 'Working people without an applicable active policy if no facts are given' },
  ),
});
export type PolicyCheckView = Static<typeof PolicyCheckView>;

/** Reads the body of a check. @throws ApiError `INVALID_INPUT` */
export function readPolicyCheck(raw: unknown): { companyId: string } {
  const given = parseBody(raw);
  const [companyId] = validOrThrow(
    allOf(checkValue('companyId', uuid, given.companyId), checkKnown(given, ['companyId'])),
  );
  return { companyId };
}

/** Finds what in the policies of a company leaves bookings without an approver, or people without a policy. */
export async function checkPolicies(db: Reader, companyId: string): Promise<PolicyCheckView> {
  const policies = await findPolicyLimits(db, sql`company_id = ${companyId}::uuid`);
  const company = await findStructure(db, companyId);
  return {
    policies: policies.map((policy) => checkPolicy(policy, company)),
    peopleWithoutPolicy: await peopleWithout(db, companyId, company, policies),
  };
}

/** What a company consists of, as far as policies depend on it. */
interface Structure extends Record<RelativeRole, boolean> {
  departments: { id: string; parentId: string | null }[];
  /** Where people work. */
  groups: { departmentId: string; bandId: string; people: number }[];
}

async function findStructure(db: Reader, companyId: string): Promise<Structure> {
  const ofCompany = sql`company_id = ${companyId}::uuid`;
  const [found] = await db.query<Structure>(sql`
    select exists (select from users where ${ofCompany} and manager_id is not null) as "LINE_MANAGER",
           exists (select from users join users manager on manager.id = users.manager_id
                    where users.company_id = ${companyId}::uuid and manager.manager_id is not null) as "SECOND_LINE_MANAGER",
           exists (select from departments where ${ofCompany} and head_id is not null) as "DEPARTMENT_HEAD",
           coalesce((select json_agg(json_build_object('id', id, 'parentId', parent_id)) from departments where ${ofCompany}), '[]')
             as departments,
           coalesce((select json_agg(each)
                       from (select department_id as "departmentId", band_id as "bandId", count(*)::integer as people
                               from users where ${ofCompany} and ${worksOn()} group by department_id, band_id) each), '[]') as groups`);
  if (found === undefined) throw new TypeError('A selection without a table has one row');
  return found;
}

function checkPolicy(
  { id, name, scope, ...policy }: LimitedPolicy,
  company: Structure,
): PolicyCheckView['policies'][number] {
  const limitOf = (level: LimitedLevel) =>
    isRelativeRole(level.roleRequired) && company[level.roleRequired] ? undefined : level.highest;
  const lowest = cents(amountAbove(policy.autoApprovalLimit));
  const unreachableLevels = policy.levels.flatMap((level, index) => {
    const { level: number, roleRequired, minAmount } = level;
    const entry = cents(minAmount) > lowest ? cents(minAmount) : lowest;
    const canApprove = (limit: DecimalString | null | undefined) =>
      limit === undefined || (limit !== null && cents(limit) >= entry);
    const isReached = policy.levels.slice(index).some((each) => canApprove(limitOf(each)));
    if (limitOf(level) !== null && isReached) return [];
    const reason = limitOf(level) === null ? ('NOBODY' as const) : ('NO_AUTHORITY' as const);
    return [{ level: number, roleRequired, minAmount, reason }];
  });
  return { id, name, active: scope.active, nobodyFrom: nobodyFrom(policy, limitOf) ?? null, unreachableLevels };
}

async function peopleWithout(
  db: Reader,
  companyId: string,
  { departments, groups }: Structure,
  policies: readonly { scope: PolicyScope }[],
): Promise<PolicyCheckView['peopleWithoutPolicy']> {
  const parents = new Map(departments.map(({ id, parentId }) => [id, parentId]));
  const without = groups.filter(({ departmentId, bandId }) => {
    const departmentIds: string[] = [];
    for (let id: string | null | undefined = departmentId; id && !departmentIds.includes(id); id = parents.get(id)) {
      departmentIds.push(id);
    }
    const isCovered = (overBudget: boolean) =>
      policies.some(({ scope }) => applies(scope, { departmentIds, bandId }, { [OVER_BUDGET]: overBudget }));
    return !isCovered(true) || !isCovered(false);
  });
  const total = without.reduce((sum, { people }) => sum + people, 0);
  if (total === 0) return { total, people: [] };
  const people = await db.query<RowOf<typeof user, (typeof PERSON_FIELDS)[number]>>(sql`
    select ${selectFields(user, PERSON_FIELDS)} from users
     where company_id = ${companyId}::uuid and ${worksOn()} and (department_id, band_id) in (
       select "departmentId", "bandId" from json_to_recordset(${JSON.stringify(without)}::text::json) as each ("departmentId" uuid, "bandId" uuid))
     order by name_folded collate "C", id limit ${NAMED_PEOPLE}::bigint`);
  return { total, people };
}
