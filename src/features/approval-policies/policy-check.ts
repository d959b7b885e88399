import sql, { type Sql } from 'sql-template-tag';
import { type Static, Type } from 'typebox';
import { readValues } from '../../api/body.ts';
import { companyIdParameter } from '../../api/list-schemas.ts';
import { isThereOn, selectFields, todayOf } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { amountAbove, nobodyFrom } from '../../entities/approval-decision.ts';
import { approvalPolicy, approvalPolicyLevel } from '../../entities/approval-policy.ts';
import { OVER_BUDGET } from '../../entities/conditions.ts';
import type { CalendarDate } from '../../entities/dates.ts';
import type { RowOf } from '../../entities/entity.ts';
import { answeredFields, nullable, titled } from '../../entities/field-schemas.ts';
import { cents, type DecimalString } from '../../entities/money.ts';
import {
  applies,
  areAmbiguous,
  isShadowedBy,
  linesOf,
  type PolicyScope,
  type ScopedPerson,
} from '../../entities/policy-scope.ts';
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

const NEVER_CODES = ['SHADOWED', 'OVER'] as const;

const others = (description: string) =>
  Type.Array(Type.Object(answeredFields(approvalPolicy, ['id', 'name'])), { description });

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
      neverApplies: nullable<(typeof NEVER_CODES)[number]>({
        type: 'string',
        enum: [...NEVER_CODES],
        description:
          'SHADOWED: others come first wherever it would apply; OVER: its last day is past; null: it applies',
        examples: [null],
      }),
      shadowedBy: others('The policies that come first wherever it would apply'),
      ambiguousWith: others('Policies of equal precedence that may apply to the same bookings: the id decides'),
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
  factsSeen: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['international'] }),
      example: Type.String({ description: 'A value as JSON', examples: ['true'] }),
    }),
    { description: 'Facts that evaluations have named, by name' },
  ),
});
export type PolicyCheckView = Static<typeof PolicyCheckView>;

/** Reads the body of a check. @throws ApiError `INVALID_INPUT` */
export const readPolicyCheck = (raw: unknown) => readValues(raw, { companyId: uuid });

/** Finds what in the policies of a company leaves bookings without an approver, or people without a policy. */
export async function checkPolicies(db: Reader, companyId: string): Promise<PolicyCheckView> {
  const policies = await findPolicyLimits(db, sql`company_id = ${companyId}::uuid`);
  const company = await findStructure(db, companyId, policies);
  return {
    policies: policies.map((policy) => ({
      ...checkPolicy(policy, company),
      ...precedenceAmong(policies, policy, company),
    })),
    peopleWithoutPolicy: await peopleWithout(db, companyId, company, policies),
    factsSeen: company.factsSeen,
  };
}

/** Finds the policies because of which one never applies, or only its id decides. */
function precedenceAmong(
  policies: readonly LimitedPolicy[],
  policy: LimitedPolicy,
  { departments, today }: Structure,
): Pick<PolicyCheckView['policies'][number], 'neverApplies' | 'shadowedBy' | 'ambiguousWith'> {
  const { until, active } = policy.scope;
  const lines = linesOf(departments);
  const named = (isOne: (other: LimitedPolicy) => boolean) =>
    policies.filter((other) => other !== policy && isOne(other)).map(({ id, name }) => ({ id, name }));
  const shadowedBy = named((other) => isShadowedBy(policy, other, lines));
  const isOver = active && until !== null && until < today;
  return {
    neverApplies: isOver ? 'OVER' : shadowedBy.length > 0 ? 'SHADOWED' : null,
    shadowedBy,
    ambiguousWith: named((other) => areAmbiguous(policy, other)),
  };
}

/** People who do not differ in what policies depend on. */
type PeopleGroup = Omit<ScopedPerson, 'id' | 'departmentIds'> & { id: string; departmentId: string; people: number };

/** What a company consists of, as far as policies depend on it. */
interface Structure extends Record<RelativeRole, boolean> {
  today: CalendarDate;
  departments: { id: string; parentId: string | null }[];
  factsSeen: PolicyCheckView['factsSeen'];
  groups: PeopleGroup[];
}

/** Returns the countries of the people of a company, as an evaluation has them: of their legal entity, and what their directory says. */
function countriesOf(companyId: string, isNamed: boolean): Record<'countries' | 'joined' | 'codes', Sql> {
  return {
    countries: sql`
      countries as materialized (
        select given.*, case when legal.is_default then companies.country else legal.country_code end as country
          from (select distinct legal_entity_id, department_id, company_id from users
                 where company_id = ${companyId}::uuid and ${isNamed}) given
          join companies on companies.id = given.company_id
          join legal_entities legal on legal.id = legal_entity_of(given.legal_entity_id, given.department_id, given.company_id))`,
    joined: sql`
      left join countries on countries.department_id = users.department_id
                         and coalesce(countries.legal_entity_id::text, '') = coalesce(users.legal_entity_id::text, '')
      left join scim_users on scim_users.user_id = users.id and scim_users.company_id = users.company_id`,
    codes: sql`array_remove(array[countries.country, upper(trim(scim_users.country))], null)`,
  };
}

async function findStructure(db: Reader, companyId: string, policies: readonly LimitedPolicy[]): Promise<Structure> {
  const ofCompany = sql`company_id = ${companyId}::uuid`;
  const named = (list: 'userIds' | 'costCenters' | 'jobTitles' | 'workerTypes' | 'countryCodes') =>
    policies.some(({ scope }) => scope[list].length > 0);
  const ofNamedKinds = sql`case when ${named('workerTypes')} then worker_type else 'EMPLOYEE' end`;
  const { countries, joined, codes } = countriesOf(companyId, named('countryCodes'));
  const [found] = await db.query<Structure>(sql`
    with ${countries}
    select ${todayOf('asked')}::text as today,
           exists (select from users where ${ofCompany} and manager_id is not null) as "LINE_MANAGER",
           exists (select from users where ${ofCompany} and manager_id is not null) as "MANAGEMENT_CHAIN",
           exists (select from users join users manager on manager.id = users.manager_id
                    where users.company_id = ${companyId}::uuid and manager.manager_id is not null) as "SECOND_LINE_MANAGER",
           exists (select from departments where ${ofCompany} and head_id is not null) as "DEPARTMENT_HEAD",
           exists (select from cost_centers where ${ofCompany} and owner_id is not null) as "COST_CENTER_OWNER",
           coalesce((select json_agg(json_build_object('id', id, 'parentId', parent_id)) from departments where ${ofCompany}), '[]')
             as departments,
           coalesce((select json_agg(json_build_object('name', name, 'example', example) order by name collate "C")
                       from seen_facts where ${ofCompany}), '[]') as "factsSeen",
           coalesce((select json_agg(each)
                       from (select min(users.id::text) as id, users.department_id as "departmentId", band_id as "bandId",
                                    min(case when ${named('costCenters')} then cost_center end) as "costCenter",
                                    min(case when ${named('jobTitles')} then job_title end) as "jobTitle",
                                    min(${ofNamedKinds}) as "workerType",
                                    ${codes} as "countryCodes",
                                    count(*)::integer as people
                               from users ${joined}
                              where users.company_id = ${companyId}::uuid and ${isThereOn()}
                              group by users.department_id, band_id, 7, ${ofNamedKinds},
                                       case when ${named('costCenters')} then cost_center end,
                                       case when ${named('jobTitles')} then job_title end,
                                       case when ${named('userIds')} then users.id end) each), '[]') as groups
      from (select ${companyId}::uuid as company_id) asked`);
  if (found === undefined) throw new TypeError('A selection of one company has one row');
  return found;
}

function checkPolicy({ id, name, scope, ...policy }: LimitedPolicy, company: Structure) {
  const limitOf = (level: LimitedLevel) =>
    isRelativeRole(level.roleRequired) && company[level.roleRequired] ? undefined : level.highest;
  const lowest = cents(amountAbove(policy.autoApprovalLimit));
  const unreachableLevels = policy.levels.flatMap((level, index) => {
    const { level: number, roleRequired, minAmount } = level;
    const entry = cents(minAmount) > lowest ? cents(minAmount) : lowest;
    const canApprove = (limit: DecimalString | null | undefined) =>
      limit === undefined || (limit !== null && cents(limit) >= entry);
    const later = policy.levels.slice(index).map(limitOf);
    const isReached = [...later, policy.defaults.highest].some(canApprove);
    if (limitOf(level) !== null && isReached) return [];
    const reason = limitOf(level) === null ? ('NOBODY' as const) : ('NO_AUTHORITY' as const);
    return [{ level: number, roleRequired, minAmount, reason }];
  });
  return {
    id,
    name,
    active: scope.active,
    nobodyFrom: nobodyFrom(policy, limitOf, policy.defaults.highest) ?? null,
    unreachableLevels,
  };
}

async function peopleWithout(
  db: Reader,
  companyId: string,
  { departments, groups, today }: Structure,
  policies: readonly { scope: PolicyScope }[],
): Promise<PolicyCheckView['peopleWithoutPolicy']> {
  const lines = new Map(linesOf(departments).map((line) => [line[0], line]));
  const without = groups.filter(({ departmentId, ...person }) => {
    const departmentIds = lines.get(departmentId) ?? [];
    const isCovered = (overBudget: boolean) =>
      policies.some(({ scope }) => applies(scope, { ...person, departmentIds }, { [OVER_BUDGET]: overBudget }, today));
    return !isCovered(true) || !isCovered(false);
  });
  const total = without.reduce((sum, { people }) => sum + people, 0);
  if (total === 0) return { total, people: [] };
  const keys = without.map(({ people: _, ...group }) => group);
  const hasCountries = policies.some(({ scope }) => scope.countryCodes.length > 0);
  const { countries, joined, codes } = countriesOf(companyId, hasCountries);
  const people = await db.query<RowOf<typeof user, (typeof PERSON_FIELDS)[number]>>(sql`
    with ${countries}
    select ${selectFields(user, PERSON_FIELDS)} from users ${joined}
     where users.company_id = ${companyId}::uuid and ${isThereOn()} and exists (
       select from json_to_recordset(${JSON.stringify(keys)}::text::json)
                as each ("departmentId" uuid, "bandId" uuid, "costCenter" text, "jobTitle" text, "workerType" text, "countryCodes" jsonb, id uuid)
        where users.department_id = "departmentId" and users.band_id = "bandId" and coalesce("costCenter" = users.cost_center, true)
          and coalesce("jobTitle" = users.job_title, true)
          and ("workerType" = users.worker_type or not ${policies.some(({ scope }) => scope.workerTypes.length > 0)})
          and ("countryCodes" = to_jsonb(${codes}) or not ${hasCountries})
          and (each.id = users.id or not ${policies.some(({ scope }) => scope.userIds.length > 0)}))
     order by users.name_folded collate "C", users.id limit ${NAMED_PEOPLE}::bigint`);
  return { total, people };
}
