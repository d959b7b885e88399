import sql from 'sql-template-tag';
import { type Static, Type } from 'typebox';
import { jsonOfFields, todayOf, worksOn } from '../../audit/entity-sql.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import { approvalPolicy } from '../../entities/approval-policy.ts';
import { department } from '../../entities/department.ts';
import { answeredFields } from '../../entities/field-schemas.ts';
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
    keys: Type.Integer({ description: 'Number of API keys in use for which they answer', examples: [1] }),
    substitutes: Type.Integer({
      description: 'Number of people whose substitute they are, today or later',
      examples: [0],
    }),
  },
  { title: 'Leaves', description: 'What is left without the person, in the companies in scope' },
);
export type LeavesView = Static<typeof LeavesView>;

/** Returns what a person leaves behind, before or after they leave. */
export async function findLeaves(db: Reader, userId: string, scope: CompanyScope): Promise<LeavesView> {
  const today = sql`(select ${todayOf('users')} from users where id = ${userId}::uuid)`;
  const [found] = await db.query<Omit<LeavesView, 'policies'>>(sql`
    select (select count(*)::integer from users where manager_id = ${userId}::uuid and ${worksOn()}) as people,
           coalesce((select json_agg(${jsonOfFields(department, ['id', 'name'])} order by name_folded collate "C", id)
                       from departments where head_id = ${userId}::uuid), '[]') as departments,
           (select count(*)::integer from api_keys where ${keysAnsweredBy([userId], scope)}) as keys,
           (select count(distinct id)::integer from (
             select id from users where substitute_id = ${userId}::uuid and substitute_until >= ${today}
             union all select user_id from substitutions where substitute_id = ${userId}::uuid and last_day >= ${today}) away) as substitutes`);
  if (found === undefined) throw new TypeError('A selection without a table has one row');
  return { ...found, policies: await policiesLeftBy(db, userId, scope) };
}
