import sql, { type Sql } from 'sql-template-tag';
import { crud } from '../../api/crud.ts';
import { jsonOfFields, mapsGroup, selectFields } from '../../audit/entity-sql.ts';
import { isCurrentKey, isKeyOfDirectory } from '../../auth/callers/api-keys.ts';
import type { Reader } from '../../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../../db/sql/select-page.ts';
import { BY_ID, contains, isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { apiKey } from '../../entities/api-key.ts';
import { directory } from '../../entities/directory.ts';
import { signInConnection } from '../../entities/sign-in-connection.ts';
import {
  DIRECTORY_FIELDS,
  type DirectoryDetail,
  type DirectoryGroupListInput,
  type DirectoryGroupView,
  type DirectoryView,
  KEY_FIELDS,
  SHOWN_FIELDS,
} from './directories-schemas.ts';

const own = isKeyOfDirectory(sql`directories.id`);
const latest = (column: Sql) =>
  sql`(select ${column} from api_keys where ${own} and ${isCurrentKey} order by created_at desc, id limit 1)`;
const lastRequest = sql`(select ${isoTimestamp(sql`max(last_used_at)`)} from api_keys where ${own})`;
const isLinked = sql`scim_users.api_key_id = directories.id and (deleted_at is null or users.active)`;
const people = sql`
  scim_users join users on users.id = scim_users.user_id and users.company_id = scim_users.company_id where ${isLinked}`;

const mapsItsGroup = sql`
  exists (select from directory_groups own
           where own.api_key_id = directories.id
             and (own.id = group_mappings.group_id
                  or (group_mappings.company_id = own.company_id and lower_letters(group_mappings.group_name) = lower_letters(own.display_name))))`;

/** Selects the roles that a directory gives: `id`, `user_id`, `role`, `origin`. @param id of the directory */
export function rolesGivenBy(id: Sql, companyId: Sql): Sql {
  return sql`
    select held.id, held.user_id, held.role, held.origin from company_roles held
     where held.company_id = ${companyId}
       and ((held.origin = 'directory' and exists (
              select from scim_users linked where linked.user_id = held.user_id and linked.api_key_id = ${id}))
         or (held.origin = 'groups' and exists (
              select from directory_group_members join directory_groups given on given.id = group_id
               where directory_group_members.user_id = held.user_id and given.api_key_id = ${id}
                 and (given.role = held.role or exists (
                   select from group_mappings where group_mappings.role = held.role and ${mapsGroup(sql`given`)})))))`;
}

const shown: Sql = sql`
  ${selectFields(directory, SHOWN_FIELDS)},
  coalesce((select json_agg((${jsonOfFields(apiKey, KEY_FIELDS)}::jsonb
                              || jsonb_build_object('lastUsedAt', ${isoTimestamp(sql`last_used_at`)})) order by created_at desc, id)
              from api_keys where ${own} and ${isCurrentKey}), '[]') as keys,
  ${lastRequest} as "lastRequestAt", ${lastRequest} as "lastUsedAt",
  coalesce(${latest(sql`prefix`)}, '') as prefix, ${latest(isoTimestamp(sql`expires_at`))} as "expiresAt"`;
const counts: Sql = sql`
  'users', (select count(*)::integer from ${people}),
  'groups', (select count(*)::integer from directory_groups where api_key_id = directories.id and role is null)`;

/** Changes of a key, the newest, among which values that were left out are looked for. */
const LOOKED_AT = 1_000;
/** Each key reports what was left out once: of the same reports of several, former ones too, the latest counts. */
const leftOut: Sql = sql`
  coalesce((select json_agg(one order by one.at desc) from (
    select ${isoTimestamp(sql`max(changed_at)`)} as at, user_id as "userId",
           (select json_object_agg(key, value ->> 1) from jsonb_each(field_values)) as values
      from api_keys cross join lateral (
        select * from audit_changes where actor_id = api_keys.id order by position desc nulls first, id desc limit ${LOOKED_AT}::integer) told
     where ${own} and told.action = 'refused' and told.company_id = directories.company_id
     group by user_id, field_values order by max(changed_at) desc limit 20) one), '[]')`;

/** The directories of a company. */
export const directories = crud<
  typeof directory,
  (typeof DIRECTORY_FIELDS)[number],
  DirectoryDetail,
  never,
  DirectoryView
>({
  entity: directory,
  targets: [signInConnection],
  columns: sql`
    ${shown}, ${leftOut} as "leftOut",
    json_build_object(${counts},
      'mappings', (select count(*)::integer from group_mappings where company_id = directories.company_id and ${mapsItsGroup}),
      'roles', (select count(*)::integer from (${rolesGivenBy(sql`directories.id`, sql`directories.company_id`)}) given)) as "_count"`,
  listed: {
    columns: () => sql`${shown}, json_build_object(${counts}) as "_count"`,
    orderBy: [{ by: sql`lower_letters(name) collate "C"`, type: 'text' }, BY_ID],
  },
  writable: DIRECTORY_FIELDS,
});

/** Returns a page of the groups of the directories of a company, by name. */
export function listDirectoryGroups(
  db: Reader,
  { companyId, directoryId, search }: DirectoryGroupListInput,
  request: PageRequest,
): Promise<Page<DirectoryGroupView>> {
  const columns = sql`
    id, display_name as name,
    (select ${jsonOfFields(directory, ['id', 'name'])} from directories where directories.id = api_key_id) as directory,
    json_build_object(
      'users', (select count(*)::integer from directory_group_members where group_id = directory_groups.id),
      'mappings', (select count(*)::integer from group_mappings
                    where ${mapsGroup(sql`directory_groups`)})) as "_count"`;
  const where = sql`
    company_id = ${companyId}::uuid and role is null
    and ${directoryId === undefined ? sql`true` : sql`api_key_id = ${directoryId}::uuid`}
    and ${contains(sql`fold(display_name)`, search) ?? sql`true`}`;
  const orderBy = [{ by: sql`fold(display_name) collate "C"`, type: 'text' as const }, BY_ID];
  return selectPage<DirectoryGroupView>(db, { columns, from: sql`directory_groups`, where, orderBy }, request);
}
