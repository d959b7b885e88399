import sql, { type Sql } from 'sql-template-tag';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedUpdate, write } from '../../audit/audited-write.ts';
import type { Writer } from '../../db/database.ts';
import { scimUser } from '../../entities/scim-user.ts';
import { user } from '../../entities/user.ts';

const updateManager = auditedUpdate(user, ['managerId']);
const updateNamed = auditedUpdate(scimUser, ['managerValue']);

/** Selects one person, as the newcomer of {@link linkManagers}. */
export const onePerson = (id: string): Sql => sql`select ${id}::uuid as id`;

/**
 * Links people whose manager a directory has named before they came. A link that would form a circle is left out.
 *
 * @param came selects the ids of people who are new, or have got another id, number or address
 */
export async function linkManagers(db: Writer, actor: Actor, companyId: string, came: Sql): Promise<void> {
  const links = await db.query<{ id: string; managerId: string }>(sql`
    with recursive links as materialized (
      select distinct on (waiting.user_id) waiting.user_id as id, above.id as manager_id
        from (${came}) came join users above on above.id = came.id
       cross join lateral (values (above.id::text), (above.external_id), (above.employee_number), (above.email)) named (value)
        join scim_users waiting on waiting.company_id = above.company_id and waiting.manager_value is not null
             and lower_letters(waiting.manager_value) = lower_letters(named.value)
        join users on users.id = waiting.user_id and users.company_id = above.company_id and users.manager_id is null
       where exists (select from scim_users where company_id = ${companyId}::uuid and manager_value is not null)
       order by waiting.user_id, above.id),
    chain (start, id) as (
      select manager_id, manager_id from links
       union
      select chain.start, users.manager_id from chain join users on users.id = chain.id where users.manager_id is not null)
    select id, manager_id as "managerId" from links
     where not exists (select from chain where chain.start = links.manager_id and chain.id = links.id) order by id`);
  for (const { id, managerId } of links) {
    await write(db, updateManager({ id, patch: { managerId }, actor }));
    await write(db, updateNamed({ id, patch: { managerValue: null }, actor }));
  }
}
