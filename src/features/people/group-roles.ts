import sql, { type Sql } from 'sql-template-tag';
import type { Author } from '../../api/write-request.ts';
import { auditedDelete, auditedInsert, write } from '../../audit/audited-write.ts';
import { mapsGroup } from '../../audit/entity-sql.ts';
import { isUsedDirectory } from '../../auth/callers/api-keys.ts';
import type { Reader, Transaction } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import { roleGrant } from '../../entities/held-role.ts';
import type { CompanyRole } from '../../entities/roles.ts';
import { changePeople } from './change-people.ts';
import { checkGift, grantCompanyRole, revokeCompanyRole } from './held-roles.ts';
import { findPeople, lockPeopleRows } from './person-service.ts';
import type { PersonDirectory, RoleSource } from './users-schemas.ts';

/*
 * What the groups of directories give people. A role that only groups give has the origin `groups`; it goes with the last of them. The
 * roles of administrators and imports have the origin `hand`, those in the attributes of a directory the origin `directory`.
 */

const addGrants = auditedInsert(roleGrant);
const removeGrants = auditedDelete(roleGrant);

/** Department and band that groups give a person. */
export interface GroupAssignment {
  departmentId?: string;
  bandId?: string;
}

const idList = (ids: readonly string[]): Sql =>
  sql`(select listed.id::uuid as id from json_array_elements_text(${JSON.stringify(ids)}::text::json) listed (id))`;

/**
 * Selects what groups give the people of a company: `user_id`, `group_id`, `group_name`, `api_key_id`, `role`, `role_id`, `department_id`, `band_id`.
 * The first row of a person decides on department and band.
 *
 * @param condition on `directory_group_members`
 * @param members where these are read; their people are looked up one by one (`offset 0`), as a new company has no statistics
 */
function grants(condition: Sql, members = sql`directory_group_members`): Sql {
  return sql`
    select directory_group_members.user_id, directory_groups.id as group_id, display_name as group_name, api_key_id, given.*
      from ${members}
      join directory_groups on directory_groups.id = directory_group_members.group_id
      join lateral (select company_id from users where id = directory_group_members.user_id offset 0) member
        on member.company_id = directory_groups.company_id
     cross join lateral (
             select directory_groups.role, null::uuid as role_id, null::uuid as department_id, null::uuid as band_id, null::integer as priority, null::uuid as id
              where directory_groups.role is not null
              union all
             select role, role_id, department_id, band_id, priority, id from group_mappings
              where ${mapsGroup(sql`directory_groups`)}) given
     where ${condition}`;
}

/** Returns department and band that groups give a person. */
export async function assignmentByGroups(db: Reader, userId: string): Promise<GroupAssignment> {
  const [found] = await db.query<{ departmentId: string | null; bandId: string | null }>(sql`
    with given as materialized (${grants(sql`directory_group_members.user_id = ${userId}::uuid`)})
    select (select department_id from given where department_id is not null order by priority, id limit 1) as "departmentId",
           (select band_id from given where band_id is not null order by priority, id limit 1) as "bandId"`);
  return withoutNull(found ?? {});
}

function withoutNull(assignment: { departmentId?: string | null; bandId?: string | null }): GroupAssignment {
  const { departmentId, bandId } = assignment;
  return { ...(departmentId ? { departmentId } : {}), ...(bandId ? { bandId } : {}) };
}

/** Leaves a role to the groups: unless one gives it, {@link applyGroups} takes it away. @param origin of the roles to leave */
export async function leaveToGroups(
  transaction: Transaction,
  companyId: string,
  userIds: readonly string[],
  { role, origin }: { role: CompanyRole; origin?: 'directory' },
): Promise<void> {
  await transaction.query(sql`
    update company_roles set origin = 'groups'
     where user_id in ${idList(userIds)} and company_id = ${companyId}::uuid and role = ${role}::text
       and ${origin === undefined ? sql`true` : sql`origin = ${origin}::text`}`);
}

/**
 * Notes who gives roles that are held, so that groups do not take them away.
 *
 * @param added roles of these that are new; of the others only those that groups alone gave are noted
 */
export async function noteOrigin(
  transaction: Transaction,
  { userId, companyId }: { userId: string; companyId: string },
  origin: 'hand' | 'directory',
  roles: readonly CompanyRole[],
  added = roles,
): Promise<void> {
  const listed = (some: readonly string[]) =>
    sql`(select json_array_elements_text(${JSON.stringify(some)}::text::json))`;
  await transaction.query(sql`
    update company_roles set origin = ${origin}::text
     where user_id = ${userId}::uuid and company_id = ${companyId}::uuid and role in ${listed(roles)}
       and (origin = 'groups' or role in ${listed(added)})`);
}

interface RoleDifference {
  userId: string;
  role: CompanyRole;
  isGiven: boolean;
}

/**
 * Gives people of a company the roles, department and band that groups give them, and takes away the roles that no group gives any more.
 *
 * @param userIds absent: everybody whom groups concern
 * @throws ApiError of the rules about people
 */
export async function applyGroups(
  transaction: Transaction,
  author: Author,
  companyId: string,
  userIds?: readonly string[],
): Promise<void> {
  const ids = userIds ?? (await concernedByGroups(transaction, companyId));
  if (ids.length === 0) return;
  await lockPeopleRows(transaction, ids, sql`users.company_id is not distinct from ${companyId}::uuid`);
  const people = idList(ids);
  const members = sql`${people} people cross join lateral (
    select * from directory_group_members where user_id = people.id offset 0) directory_group_members`;
  const given = sql`given as materialized (${grants(sql`directory_groups.company_id = ${companyId}::uuid`, members)})`;
  const roles = await transaction.query<RoleDifference>(sql`
    with ${given},
    held as materialized (
      select user_id, role, origin from company_roles where user_id in ${people} and company_id = ${companyId}::uuid)
    select user_id as "userId", role, true as "isGiven"
      from (select user_id, role from given where role is not null except select user_id, role from held) added
     union all
    select user_id, role, false
      from (select user_id, role from held where origin = 'groups' except select user_id, role from given) lost`);
  const moves = await transaction.query<{ userId: string; departmentId: string | null; bandId: string | null }>(sql`
    with ${given},
    assigned as (
      select user_id, (array_agg(department_id order by priority, id) filter (where department_id is not null))[1] as department_id,
             (array_agg(band_id order by priority, id) filter (where band_id is not null))[1] as band_id
        from given group by user_id)
    select user_id as "userId", assigned.department_id as "departmentId", assigned.band_id as "bandId"
      from assigned join users on users.id = user_id
     where assigned.department_id <> users.department_id or assigned.band_id <> users.band_id`);
  const changing = await findPeople(transaction, [...new Set([...roles, ...moves].map(({ userId }) => userId))]);
  const peopleOf = (some: readonly { userId: string }[]) => some.flatMap(({ userId }) => changing.get(userId) ?? []);
  for (const role of new Set(roles.map((each) => each.role))) {
    const of = (isGiven: boolean) => roles.filter((each) => each.role === role && each.isGiven === isGiven);
    await grantCompanyRole(transaction, author, peopleOf(of(true)), role, companyId);
    const granted = of(true).map(({ userId }) => userId);
    if (granted.length > 0) await leaveToGroups(transaction, companyId, granted, { role });
    await revokeCompanyRole(transaction, author, peopleOf(of(false)), role, companyId);
  }
  const changes = moves.flatMap(({ userId, ...assignment }) => {
    const person = changing.get(userId);
    return person === undefined ? [] : [{ person, patch: withoutNull(assignment) }];
  });
  await changePeople(transaction, author, changes);
  await applyOwnRoles(transaction, author, companyId, people, given);
}

/** Gives people the roles of the company's own that groups give them, and takes away those that only groups gave. @param given expression of {@link grants} */
async function applyOwnRoles(
  transaction: Transaction,
  { actor, caller }: Author,
  companyId: string,
  people: Sql,
  given: Sql,
): Promise<void> {
  const held = sql`held as materialized (
    select id, user_id, role_id, origin from role_grants where user_id in ${people} and company_id = ${companyId}::uuid)`;
  const found = await transaction.query<{ id: string | null; userId: string; roleId: string }>(sql`
    with ${given}, ${held}
    select held.id, coalesce(given.user_id, held.user_id) as "userId", coalesce(given.role_id, held.role_id) as "roleId"
      from (select distinct user_id, role_id from given where role_id is not null) given
      full join held on held.user_id = given.user_id and held.role_id = given.role_id
     where held.id is null or given.user_id is null and held.origin = 'groups'
     order by 2, 3`);
  const lost = found.flatMap(({ id }) => id ?? []);
  const added = found.filter(({ id }) => id === null).map(({ userId, roleId }) => ({ userId, roleId, companyId }));
  if (lost.length > 0) await write(transaction, removeGrants(lost, actor));
  if (added.length === 0) return;
  await checkGift(transaction, caller, { changes: {}, roles: ['ROLE'] });
  await write(transaction, addGrants(added, actor));
  await transaction.query(sql`
    update role_grants set origin = 'groups' from json_to_recordset(${JSON.stringify(added)}::text::json) as each ("userId" uuid, "roleId" uuid)
     where user_id = "userId" and role_id = "roleId"`);
}

async function concernedByGroups(db: Reader, companyId: string): Promise<string[]> {
  const found = await db.query<{ id: string }>(sql`
    select user_id as id from directory_group_members join directory_groups on directory_groups.id = group_id
     where company_id = ${companyId}::uuid
     union
    select user_id from company_roles where company_id = ${companyId}::uuid and origin = 'groups'
     union
    select user_id from role_grants where company_id = ${companyId}::uuid and origin = 'groups'`);
  return found.map(({ id }) => id);
}

/**
 * Checks that no group of a directory in use gives somebody a role; takes them out of the groups of former directories that do.
 *
 * @throws ApiError `MANAGED_BY_DIRECTORY`
 */
export async function assertNotManaged(
  transaction: Transaction,
  userId: string,
  role: CompanyRole | { roleId: string },
  companyId: string,
): Promise<void> {
  const isRole = typeof role === 'string' ? sql`given.role = ${role}::text` : sql`given.role_id = ${role.roleId}::uuid`;
  const of = sql`directory_group_members.user_id = ${userId}::uuid and directory_groups.company_id = ${companyId}::uuid`;
  const groups = await transaction.query<{ id: string; name: string; isManaged: boolean }>(sql`
    select group_id as id, group_name as name, ${isUsedDirectory(sql`given.api_key_id`)} as "isManaged"
      from (${grants(of)}) given where ${isRole} order by 2`);
  const names = groups.filter(({ isManaged }) => isManaged).map(({ name }) => name);
  if (names.length > 0) {
    const message = `A directory gives this role by its group ${names.join(', ')}: take the person out of the group there.`;
    throw new ApiError('MANAGED_BY_DIRECTORY', message);
  }
  await transaction.query(sql`
    delete from directory_group_members
     where user_id = ${userId}::uuid and group_id in ${idList(groups.map(({ id }) => id))}`);
}

/**
 * Selects the roles that staged rows would take from people though groups give them: `line`, `user_id`, `role` or `role_id`, `group_id`,
 * `group_name`, `is_managed` by a directory in use.
 *
 * @param rows parenthesised query of `line`, `id`, `roles` and `own_roles`, each an array or null
 */
export function rolesTakenFromGroups(rows: Sql, companyId: string): Sql {
  return sql`
    select s.line, given.user_id, given.role, given.role_id, given.group_id, given.group_name, ${isUsedDirectory(sql`given.api_key_id`)} as is_managed
      from ${rows} s join (${grants(sql`directory_groups.company_id = ${companyId}::uuid`)}) given on given.user_id = s.id
     where given.role <> all (s.roles) or given.role_id::text <> all (s.own_roles)`;
}

/** Returns the directory in use that keeps a person up to date; null where there is none. */
export async function findDirectory(db: Reader, userId: string): Promise<PersonDirectory | null> {
  const [found] = await db.query<PersonDirectory>(sql`
    select directories.id, directories.name from scim_users
      join users on users.id = scim_users.user_id and users.company_id = scim_users.company_id
      join directories on directories.id = scim_users.api_key_id
     where user_id = ${userId}::uuid and (deleted_at is null or users.active) and ${isUsedDirectory(sql`scim_users.api_key_id`)}`);
  return found ?? null;
}

/**
 * Returns who gives a person these roles, and those of a company's own, by role, then company.
 *
 * @param held roles by the ids of their rows
 * @param companyId of the person, if the caller sees what they hold there
 */
export async function listRoleSources(
  db: Reader,
  userId: string,
  { companyRoles, companyId }: { companyRoles: readonly { id: string }[]; companyId: string | null },
): Promise<RoleSource[]> {
  const groupsOf = (isGiven: Sql) => sql`
    coalesce((select json_agg(json_build_object('id', group_id, 'name', group_name) order by group_name, group_id)
                from (select distinct group_id, group_name from given
                        join users on users.id = given.user_id
                       where ${isGiven} and users.company_id = held.company_id) named),
             '[]')`;
  const ids = JSON.stringify(companyRoles.map(({ id }) => id));
  const found = await db.query<{ source: RoleSource }>(sql`
    with given as materialized (${grants(sql`directory_group_members.user_id = ${userId}::uuid`)}),
    held as (
      select company_id, role, null::uuid as role_id, origin, ${groupsOf(sql`given.role = held.role`)} as groups
        from company_roles held
       where user_id = ${userId}::uuid and id in (select json_array_elements_text(${ids}::text::json))
       union all
      select held.company_id, own_roles.key, own_roles.id, origin, ${groupsOf(sql`given.role_id = held.role_id`)}
        from role_grants held join own_roles on own_roles.id = held.role_id
       where user_id = ${userId}::uuid and held.company_id = ${companyId}::uuid)
    select json_strip_nulls(json_build_object('companyId', company_id, 'role', role, 'roleId', role_id,
                                              'byHand', origin <> 'groups', 'groups', groups)) as source
      from held order by role, company_id`);
  return found.map(({ source }) => source);
}
