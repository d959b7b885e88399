import sql, { join, raw } from 'sql-template-tag';
import { type Static, Type } from 'typebox';
import { jsonOfFields, todayOf, worksOn } from '../../audit/entity-sql.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import { approvalPolicy } from '../../entities/approval-policy.ts';
import { department } from '../../entities/department.ts';
import type { AuditedEntity } from '../../entities/entity.ts';
import { answeredFields } from '../../entities/field-schemas.ts';
import { user } from '../../entities/user.ts';
import { keysAnsweredBy } from '../api-keys/keys-made.ts';
import { policiesLeftBy } from '../approval-policies/approval-policies.ts';

const named = (entity: typeof department | typeof approvalPolicy) =>
  Type.Object({ id: answeredFields(entity, ['id']).id, name: answeredFields(entity, ['name']).name });

/** What a person leaves behind. */
export const LeavesView = Type.Object(
  {
    people: Type.Integer({ description: 'Number of working people that they manage', examples: [4] }),
    departments: Type.Array(named(department), { description: 'The departments that they head, by name' }),
    policies: Type.Array(named(approvalPolicy), {
      description: 'The active policies by which less can be approved without them, by name; the first 100',
    }),
    approves: Type.Array(named(approvalPolicy), {
      description: 'The policies that name them as an approver, of a level or by default, by name',
    }),
    keys: Type.Integer({ description: 'Number of API keys in use for which they answer', examples: [1] }),
    substitutes: Type.Integer({
      description: 'Number of people whose substitute they are, today or later',
      examples: [0],
    }),
    others: Type.Array(
      Type.Object({
        entity: Type.String({ examples: ['costCenter'] }),
        field: Type.String({ examples: ['ownerId'] }),
        count: Type.Integer({ examples: [1] }),
      }),
      { description: 'The numbers of other rows of the company that refer to the person, by entity and field' },
    ),
  },
  { title: 'Leaves', description: 'What is left without the person, in the companies in scope' },
);
export type LeavesView = Static<typeof LeavesView>;

/** References with a part of their own in the view. */
const COUNTED = [
  ...['user.managerId', 'user.substituteId', 'substitution.substituteId', 'department.headId'],
  'approvalPolicyLevel.userIds',
];

/** Counts the rows that refer to a person of their company, and are not about the person. */
function countOthers(db: Reader, userId: string, entities: readonly AuditedEntity[]): Promise<LeavesView['others']> {
  const counts = entities
    .filter(({ name }) => name !== approvalPolicy.name)
    .flatMap(({ name, table, fields, auditSubject }) =>
      Object.entries(fields).flatMap(([field, { column, references, ofSameCompany, lists, rows }]) => {
        if (auditSubject?.user === field || COUNTED.includes(`${name}.${field}`)) return [];
        const isListed = lists === user.name && rows !== undefined;
        if (!isListed && !(references === user.name && ofSameCompany)) return [];
        const [from, id] = isListed ? [rows.table, rows.value] : [table, column];
        return sql`
          select ${name}::text as entity, ${field}::text as field, count(*)::integer as count
            from ${raw(from)} where ${raw(id)} = ${userId}::uuid`;
      }),
    );
  return db.query(sql`select * from (${join(counts, ' union all ')}) others where count > 0 order by entity, field`);
}

/** Returns what a person leaves behind, before or after they leave. @param entities every one: some may refer to the person */
export async function findLeaves(
  db: Reader,
  userId: string,
  scope: CompanyScope,
  entities: readonly AuditedEntity[],
): Promise<LeavesView> {
  const today = sql`(select ${todayOf('users')} from users where id = ${userId}::uuid)`;
  const [found] = await db.query<Omit<LeavesView, 'policies' | 'others'>>(sql`
    select (select count(*)::integer from users where manager_id = ${userId}::uuid and ${worksOn()}) as people,
           coalesce((select json_agg(${jsonOfFields(department, ['id', 'name'])} order by name_folded collate "C", id)
                       from departments where head_id = ${userId}::uuid), '[]') as departments,
           coalesce((select json_agg(${jsonOfFields(approvalPolicy, ['id', 'name'])} order by name_folded collate "C", id)
                       from approval_policies where id in (
                         select policy_id from approval_policy_defaults where user_id = ${userId}::uuid
                         union all select policy_id from approval_policy_levels level
                           join approval_policy_level_people named on named.level_id = level.id
                          where named.user_id = ${userId}::uuid)), '[]') as approves,
           (select count(*)::integer from api_keys where ${keysAnsweredBy([userId], scope)}) as keys,
           (select count(distinct id)::integer from (
             select id from users where substitute_id = ${userId}::uuid and substitute_until >= ${today}
             union all select user_id from substitutions where substitute_id = ${userId}::uuid and last_day >= ${today}) away) as substitutes`);
  if (found === undefined) throw new TypeError('A selection without a table has one row');
  const others = await countOthers(db, userId, entities);
  return { ...found, policies: await policiesLeftBy(db, userId, scope), others };
}
