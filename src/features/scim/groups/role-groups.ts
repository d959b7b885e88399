import sql, { type Sql } from 'sql-template-tag';
import { derivedId } from '../../../db/sql/sql-fragments.ts';
import { COMPANY_ROLES, type CompanyRole } from '../../../entities/roles.ts';

/** Groups that every directory sees: the people who hold a role in the company. */
const ROLE_GROUPS: Readonly<Record<CompanyRole, string>> = {
  CORPORATE_ADMIN: 'Corporate Admins',
  MANAGER: 'Managers',
  EMPLOYEE: 'Employees',
};

/** Name of a role's group, in SQL. */
export function roleGroupName(role: Sql): Sql {
  return sql`(${JSON.stringify(ROLE_GROUPS)}::text::json ->> ${role})`;
}

/** Returns the name of the role's group that has a name, ignoring case. */
export function roleOfName(name: string): CompanyRole | undefined {
  return COMPANY_ROLES.find((role) => ROLE_GROUPS[role].toLowerCase() === name.trim().toLowerCase());
}

/** Returns the groups of a person as a JSON list, for a statement on `users`. @param directoryId in SQL */
export function groupsOfUser(directoryId: Sql): Sql {
  return sql`
    (select coalesce(json_agg(json_build_object('value', id, 'display', name, 'type', 'direct') order by name), '[]')
       from (select directory_groups.id, display_name as name
               from directory_group_members join directory_groups on directory_groups.id = group_id
              where directory_group_members.user_id = users.id and api_key_id = ${directoryId} and role is null
              union all
             select ${derivedId(sql`company_id::text`, sql`role`)}, ${roleGroupName(sql`role`)}
               from company_roles held where held.user_id = users.id and held.company_id = users.company_id) mine)`;
}
