import { isDeepStrictEqual } from 'node:util';
import sql from 'sql-template-tag';
import {
  changedFields,
  checkItems,
  checkObject,
  checkOptional,
  checkValue,
  repeatedValues,
  throwIfInvalid,
} from '../../api/body.ts';
import type { Parts } from '../../api/crud.ts';
import { inScope } from '../../api/write-request.ts';
import { auditedDelete, auditedInsert, auditedUpdate, write } from '../../audit/audited-write.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import { type FieldProblem, problemOf } from '../../entities/api-error.ts';
import { approvalPolicyLevel } from '../../entities/approval-policy.ts';
import {
  allOf,
  type Checked,
  checkKnown,
  checkNewRow,
  invalid,
  mapValid,
  noProblems,
  type RawFields,
  valid,
} from '../../entities/check-fields.ts';
import type { RowOf } from '../../entities/entity.ts';
import { uuidList } from '../../entities/formed-values.ts';
import { role, roleKey } from '../../entities/held-role.ts';
import { cents } from '../../entities/money.ts';
import { type ApproverRole, isRelativeRole, NAMED_APPROVERS } from '../../entities/roles.ts';
import { user } from '../../entities/user.ts';
import { uuid } from '../../entities/values.ts';
import { type ApprovalPolicyDetail, MAX_APPROVERS, ROLE_WORDS } from './approval-policies-schemas.ts';
import { assertGroup, assertThere, listProblems } from './policy-checks.ts';

const GIVEN_FIELDS = ['level', 'roleRequired', 'minAmount', 'maxAmount', 'minApprovers', 'mode'] as const;
const LEVEL_FIELDS = [...GIVEN_FIELDS, 'part', 'userIds', 'groupId', 'roleId'] as const;
/** A level without its id and policy. */
type LevelContent = RowOf<typeof approvalPolicyLevel, (typeof LEVEL_FIELDS)[number]>;
/** A level in a request. `roleKey`: the key of the role of the company's own that is required, until its id is known. */
export type GivenLevel = LevelContent & { id?: string | undefined; roleKey?: string | undefined };

const MAX_LEVELS = 20;

const insert = auditedInsert(approvalPolicyLevel);
const update = auditedUpdate(approvalPolicyLevel, LEVEL_FIELDS);
const remove = auditedDelete(approvalPolicyLevel);

/** Checks the complete levels of a request: no level twice, and amounts that do not fall from one level to the next. */
export function checkLevels(given: unknown, isNew: boolean): Checked<readonly GivenLevel[]> {
  if (given === undefined) return valid([]);
  if (!Array.isArray(given)) return invalid(problemOf('levels', 'INVALID_TYPE', 'must be a list'));
  if (given.length > MAX_LEVELS)
    return invalid(problemOf('levels', 'TOO_LONG', `must have at most ${MAX_LEVELS} levels`));
  const checked = checkItems('levels', given, (item) => checkLevel(item, isNew));
  if (!checked.ok) return checked;
  const levels = withParts(checked.value);
  return mapValid(noProblems(...togetherWrong(levels)), () => levels);
}

/** Returns levels with the parts by which parallel ones of one number are told apart. */
function withParts<Level extends { level: number }>(levels: readonly Level[]): (Level & { part: number })[] {
  return levels.map((each, at) => {
    return { ...each, part: levels.slice(0, at + 1).filter(({ level }) => level === each.level).length };
  });
}

function checkLevel(given: RawFields, isNew: boolean): Checked<Omit<GivenLevel, 'part'>> {
  const known = [...(isNew ? [] : ['id']), ...GIVEN_FIELDS, 'approver'];
  const { roleRequired } = given;
  const isRole = given.approver === undefined || given.approver === null;
  const own = isRole && typeof roleRequired === 'string' ? roleKey.parse(roleRequired) : undefined;
  const key = own !== undefined && 'value' in own ? own.value : undefined;
  const checked = allOf(
    isNew ? valid(undefined) : checkOptional('id', approvalPolicyLevel.fields.id.kind, given),
    isRole
      ? valid({ ...NOBODY_NAMED, roleRequired: key === undefined ? roleRequired : 'ROLE' })
      : checkObject('approver', given.approver, APPROVERS, readApprover),
    checkKnown(given, known),
  );
  if (!checked.ok) return checked;
  const [id, { roleRequired: namedRole, ...named }] = checked.value;
  const row = checkNewRow(approvalPolicyLevel, GIVEN_FIELDS, { ...given, roleRequired: namedRole ?? undefined });
  if (!row.ok) return row;
  const content = row.value;
  const isAlone = isRelativeRole(content.roleRequired);
  return mapValid(
    noProblems(
      ...(isRole || roleRequired === undefined || roleRequired === null || roleRequired === namedRole ? [] : [TWO]),
      ...(isNamed(content.roleRequired) && isRole && key === undefined ? [NEEDS_APPROVER] : []),
      ...(isAlone && content.minApprovers > 1 ? [ONE_PERSON] : []),
      ...(content.maxAmount !== null && cents(content.maxAmount) < cents(content.minAmount) ? [BELOW_MIN] : []),
    ),
    () => ({ ...content, ...named, id, roleKey: key }),
  );
}

const APPROVERS = ['chain', 'costCenterOwner', 'userIds', 'groupId', 'roleId'] as const;
const NOBODY_NAMED = { userIds: null, groupId: null, roleId: null };
const TWO = problemOf('approver', 'INVALID_VALUE', 'must be absent where there is a roleRequired');
const NEEDS_APPROVER = problemOf('approver', 'REQUIRED', 'is required for this roleRequired');
const ONE_PERSON = problemOf('minApprovers', 'OUT_OF_RANGE', 'must be 1 for a role that one person has');
const BELOW_MIN = problemOf('maxAmount', 'OUT_OF_RANGE', 'must not be below minAmount');
const ONE_OF = problemOf(
  'chain',
  'INVALID_VALUE',
  `must be the only one of ${APPROVERS.join(', ')}, or another one of these`,
);

const isNamed = (role: ApproverRole) => NAMED_APPROVERS.some((named) => named === role);

/** Reads who approves if it is not a role. */
function readApprover(
  given: RawFields,
): Checked<{ roleRequired: ApproverRole } & Pick<LevelContent, 'userIds' | 'groupId' | 'roleId'>> {
  const [name, ...others] = APPROVERS.filter((each) => given[each] !== undefined);
  if (name === undefined || others.length > 0) return invalid(ONE_OF);
  if (name === 'userIds') {
    const people = given.userIds;
    const problems = listProblems('userIds', people, uuid, MAX_APPROVERS);
    const isNobody = Array.isArray(people) && people.length === 0;
    if (isNobody) problems.push(problemOf('userIds', 'TOO_SHORT', 'must have at least one id'));
    return mapValid(noProblems(...problems), () => {
      const read = uuidList.check((people as string[]).join(' '));
      return { ...NOBODY_NAMED, roleRequired: 'USERS', userIds: 'value' in read ? read.value : null };
    });
  }
  if (name === 'groupId' || name === 'roleId') {
    const roleRequired = name === 'groupId' ? 'GROUP' : 'ROLE';
    return mapValid(checkValue(name, uuid, given[name]), (id) => ({ ...NOBODY_NAMED, roleRequired, [name]: id }));
  }
  const isTrue = given[name] === true || given[name] === 'true';
  const roleRequired = name === 'chain' ? 'MANAGEMENT_CHAIN' : 'COST_CENTER_OWNER';
  return mapValid(noProblems(...(isTrue ? [] : [problemOf(name, 'INVALID_VALUE', 'must be true')])), () => {
    return { ...NOBODY_NAMED, roleRequired };
  });
}

function togetherWrong(levels: readonly GivenLevel[]): FieldProblem[] {
  const problems = repeatedValues('levels', 'id', levels);
  for (const [place, { level, minAmount, ...content }] of levels.entries()) {
    const isSame = (other: GivenLevel) =>
      other.level === level &&
      (['roleRequired', 'userIds', 'groupId', 'roleId', 'roleKey'] as const).every(
        (name) => other[name] === content[name],
      );
    if (levels.slice(0, place).some(isSame)) {
      problems.push(
        problemOf(`levels[${place}].level`, 'DUPLICATE', 'is that of another level with the same approver'),
      );
    }
    const before = levels
      .filter((other) => other.level < level)
      .sort((a, b) => b.level - a.level || (cents(a.minAmount) < cents(b.minAmount) ? 1 : -1))[0];
    if (before === undefined || cents(minAmount) >= cents(before.minAmount)) continue;
    const expected = `must be at least ${before.minAmount}, that of level ${before.level}`;
    problems.push(problemOf(`levels[${place}].minAmount`, 'OUT_OF_RANGE', expected));
  }
  return problems;
}

/**
 * Returns levels with the ids of the roles that they require by key.
 *
 * @param policy a new one has a company; one out of scope is left to the write, which refuses it
 * @throws ApiError `INVALID_INPUT` for a key of no role of the company
 */
export async function withRoleIds(
  db: Reader,
  scope: CompanyScope,
  policy: { id: string; companyId?: string },
  levels: readonly GivenLevel[],
): Promise<readonly GivenLevel[]> {
  if (levels.every((level) => level.roleKey === undefined)) return levels;
  const { id, companyId = null } = policy;
  const [found] = await db.query<{ roles: Record<string, string> }>(sql`
    select coalesce((select json_object_agg(key, own_roles.id) from own_roles
                      where own_roles.company_id is null or own_roles.company_id = companies.id), '{}') as roles
      from companies
     where companies.id = coalesce(${companyId}::uuid, (select company_id from approval_policies where id = ${id}))
       and ${inScope(scope, sql`companies.id`)}`);
  if (found === undefined) return levels;
  const unknown = levels.flatMap((level, place) =>
    level.roleKey === undefined || found.roles[level.roleKey]
      ? []
      : [problemOf(`levels[${place}].roleRequired`, 'INVALID_VALUE', `must be a role: ${ROLE_WORDS}`)],
  );
  throwIfInvalid(unknown);
  return levels.map((level) =>
    level.roleKey === undefined ? level : { ...level, roleId: found.roles[level.roleKey] ?? null },
  );
}

/** The levels as parts of their policy: those sent with an id keep it, and so do those with unchanged content. */
export const policyLevels: Parts<ApprovalPolicyDetail, GivenLevel> = {
  areSame(given, { levels }) {
    const ascending = [...given].sort((a, b) => a.level - b.level || a.part - b.part);
    return isDeepStrictEqual(ascending.map(contentOf), storedOf(levels).map(contentOf));
  },

  async replace(transaction, policyId, present, wanted, actor) {
    const stored = storedOf(present?.levels ?? []);
    const [policy] = await transaction.query<{ companyId: string }>(sql`
      select company_id as "companyId" from approval_policies where id = ${policyId}`);
    for (const [place, { userIds, groupId, roleId }] of wanted.entries()) {
      const at = `levels[${place}].approver`;
      const companyId = policy?.companyId ?? '';
      await assertThere(transaction, companyId, `${at}.userIds`, user, userIds?.split(' ') ?? []);
      await assertGroup(transaction, companyId, `${at}.groupId`, groupId);
      await assertThere(transaction, companyId, `${at}.roleId`, role, roleId === null ? [] : [roleId]);
    }
    const unknown = wanted.flatMap(({ id }, place) =>
      id === undefined || stored.some((level) => level.id === id)
        ? []
        : [problemOf(`levels[${place}].id`, 'INVALID_VALUE', 'must be the id of a level of this policy')],
    );
    throwIfInvalid(unknown);
    const named = new Set(wanted.map(({ id }) => id));
    const free = stored.filter(({ id }) => !named.has(id));
    const kept = wanted.map((level): GivenLevel => {
      const same = free.find((one) => isDeepStrictEqual(contentOf(one), contentOf(level)));
      return level.id === undefined ? { ...level, id: same?.id } : level;
    });
    const keptIds = new Set(kept.map(({ id }) => id));
    const gone = stored.filter(({ id }) => !keptIds.has(id)).map(({ id }) => id);
    // Two levels may swap their numbers.
    await transaction.query(sql`set constraints approval_policy_levels_policy_id_level_key deferred`);
    if (gone.length > 0) await write(transaction, remove(gone, actor));
    for (const { id, ...content } of kept) {
      const level = stored.find((one) => one.id === id);
      const patch = level && changedFields(content, level);
      if (id === undefined || patch === undefined || Object.keys(patch).length === 0) continue;
      await write(transaction, update({ id, patch, actor }));
    }
    const added = kept.filter(({ id }) => id === undefined);
    const rows = added.map((level) => ({ ...contentOf(level), id: null, policyId }));
    if (rows.length > 0) await write(transaction, insert(rows, actor));
  },

  async removeAll(transaction, { levels }, actor) {
    const ids = levels.map(({ id }) => id);
    if (ids.length > 0) await write(transaction, remove(ids, actor));
  },
};

function contentOf(level: LevelContent): LevelContent {
  return Object.fromEntries(LEVEL_FIELDS.map((name) => [name, level[name]])) as LevelContent;
}

/** Returns the levels of an answer as they are stored. */
function storedOf(levels: ApprovalPolicyDetail['levels']): (LevelContent & { id: string })[] {
  return withParts(levels).map(({ approver, maxAmount = null, minApprovers = 1, mode = 'ANY', ...level }) => {
    return {
      ...level,
      maxAmount,
      minApprovers,
      mode,
      userIds: approver?.userIds?.join(' ') || null,
      groupId: approver?.groupId ?? null,
      roleId: approver?.roleId ?? null,
    };
  });
}
