import sql, { raw, type Sql } from 'sql-template-tag';

/** Returns a column with ids separated by spaces as a list. */
export const listOfIds = (column: string) => raw(`coalesce(to_json(string_to_array(${column}, ' ')), '[]')`);
const texts = (column: string) => raw(`coalesce(${column}, '[]')::json`);

/** Column with the scope of a policy. */
export const scopeColumn: Sql = sql`
  json_build_object('departmentIds', ${listOfIds('department_ids')}, 'bandIds', ${listOfIds('band_ids')}, 'userIds', ${listOfIds('user_ids')},
                    'costCenters', ${texts('cost_centers')}, 'jobTitles', ${texts('job_titles')},
                    'countryCodes', ${texts('country_codes')}, 'workerTypes', ${texts('worker_types')},
                    'conditions', coalesce(conditions, '{}')::json, 'from', applies_from::text, 'until', applies_until::text,
                    'priority', priority, 'active', active) as scope`;

/** Selects the people whom a list, a group or a role of the company's own names, as `user_id`. The group of a role has those who hold it there. */
export const namedPeople = (listed: Sql, group: Sql, companyId: Sql) => sql`
  ${listed}
   union all select user_id from company_group_members where group_id = ${group}
   union all select user_id from directory_group_members where group_id = ${group}
   union all select user_id from role_grants join own_roles on own_roles.id = role_id and own_roles.active
              where role_id = ${group} and role_grants.company_id = ${companyId}
   union all select held.user_id from directory_groups of_role join company_roles held using (company_id, role)
              where of_role.id = ${group}`;
