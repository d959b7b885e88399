import type { Filter } from 'scim2-parse-filter';
import sql, { join, type Sql } from 'sql-template-tag';
import type { Reader } from '../../../db/database.ts';
import { derivedId, isoTimestamp } from '../../../db/sql/sql-fragments.ts';
import { isCanonicalUuid } from '../../../entities/characters.ts';
import { COMPANY_ROLES, type CompanyRole } from '../../../entities/roles.ts';
import { ScimError } from '../protocol/error.ts';
import type { Directory, ListRequest } from '../scim-operation.ts';
import { isSeenBy, scimUsers } from '../users/user-row.ts';
import { roleGroupName } from './role-groups.ts';

/** A group that a directory sees: one of its own, or one of the three that stand for roles. */
export interface Group {
  /** The id in SCIM. */
  id: string;
  /** The id of the row; null for a role that the directory has not changed yet. */
  rowId: string | null;
  role: CompanyRole | null;
  displayName: string;
  externalId: string | null;
  /** Changes whenever the members do. */
  membersVersion: string;
  createdAt: string;
  updatedAt: string;
}

/** Selects the groups that a directory sees as `groups`, without the versions of their members. */
function groupsSeenBy({ companyId, directoryId }: Directory): Sql {
  const lastChange = sql`
    select changed_at from audit_changes
     where entity = 'companyRole' and company_id = ${companyId}::uuid
       and coalesce(field_values -> 'role' ->> 1, field_values -> 'role' ->> 0) = fixed.role
     order by id desc limit 1`;
  return sql`(
    select ${derivedId(sql`companies.id::text`, sql`fixed.role`)} as id, directory_groups.id as row_id, fixed.role,
           ${roleGroupName(sql`fixed.role`)} as display_name, external_id,
           companies.created_at, greatest(companies.created_at, (${lastChange}), directory_groups.updated_at) as updated_at
      from json_array_elements_text(${JSON.stringify(COMPANY_ROLES)}::text::json) fixed (role)
      join companies on companies.id = ${companyId}::uuid
      left join directory_groups on directory_groups.role = fixed.role and api_key_id = ${directoryId}::uuid
     union all
    select id, id, null, display_name, external_id, created_at, updated_at
      from directory_groups where api_key_id = ${directoryId}::uuid and role is null) groups`;
}

/** Selects people who are visible to the directory, from `users`. @param held selects their ids as `user_id` */
function peopleAmong(companyId: string, held: Sql): Sql {
  return sql`(${held}) held join (${scimUsers}) on users.id = held.user_id where ${isSeenBy(companyId)}`;
}

const holders = (companyId: string, role: Sql) =>
  sql`select user_id from company_roles where company_id = ${companyId}::uuid and company_roles.role = ${role}`;
const members = (rowId: Sql) => sql`select user_id from directory_group_members where group_id = ${rowId}`;

/** Returns a page of the groups that a directory sees, by id, and the total. @param condition on `groups` */
async function selectGroups(
  db: Reader,
  directory: Directory,
  condition: Sql,
  { cursor, startIndex, count }: Pick<ListRequest, 'cursor' | 'startIndex' | 'count'>,
): Promise<{ items: Group[]; totalItems: number }> {
  const { companyId } = directory;
  const held = sql`${holders(companyId, sql`page.role`)} union all ${members(sql`page.row_id`)} and page.role is null`;
  const [page] = await db.query<{ items: Group[]; totalItems: number }>(sql`
    with found as materialized (select * from ${groupsSeenBy(directory)} where ${condition}),
    page as (select * from found where ${cursor ? sql`id > ${cursor}::uuid` : sql`true`}
              order by id limit ${count}::bigint offset ${startIndex - 1}::bigint)
    select (select count(*)::integer from found) as "totalItems", coalesce((select json_agg(item order by id) from (
      select id, row_id as "rowId", role, display_name as "displayName", external_id as "externalId",
             ${isoTimestamp(sql`created_at`)} as "createdAt", ${isoTimestamp(sql`updated_at`)} as "updatedAt",
             (select count(*) || ' ' || coalesce(sum(hashtextextended(users.id::text, 0)), 0)::text from ${peopleAmong(companyId, held)}) as "membersVersion"
        from page) item), '[]') as items`);
  return page ?? { items: [], totalItems: 0 };
}

/** Returns the group with that id, if the directory sees it. */
export async function findGroup(db: Reader, directory: Directory, id: string): Promise<Group | undefined> {
  const { items } = await selectGroups(db, directory, sql`id = ${id}::uuid`, { cursor: null, startIndex: 1, count: 1 });
  return items[0];
}

/** Returns a page of groups, by id; with a cursor one more, where there is one. @throws ApiError `invalidFilter` */
export function listGroups(
  db: Reader,
  directory: Directory,
  wanted: ListRequest,
  filter: Filter | undefined,
): Promise<{ items: Group[]; totalItems: number }> {
  const condition = filter === undefined ? sql`true` : conditionOf(filter);
  const count = wanted.cursor === undefined ? wanted.count : wanted.count + 1;
  return selectGroups(db, directory, condition, { ...wanted, count });
}

/** Conditions of a comparison by `eq`. */
const SEARCHED: Readonly<Record<string, (value: string) => Sql>> = {
  displayname: (value) => sql`lower_letters(display_name) = lower_letters(${value}::text)`,
  externalid: (value) => sql`external_id = ${value}::text`,
  id: (value) => sql`id::text = ${value}::text`,
  'members.value': (value) => {
    const member = sql`${isCanonicalUuid(value) ? value : null}::uuid`;
    return sql`case when role is null
      then exists (select from directory_group_members where group_id = row_id and user_id = ${member})
      else exists (select from company_roles join users on users.id = user_id and users.company_id = company_roles.company_id
                    where user_id = ${member} and company_roles.role = groups.role) end`;
  },
};

function conditionOf(filter: Filter): Sql {
  if (filter.op === 'and' || filter.op === 'or')
    return sql`(${join(filter.filters.map(conditionOf), ` ${filter.op} `)})`;
  const name = 'attrPath' in filter ? filter.attrPath.toLowerCase().replace(/^urn:.*:group:/, '') : '';
  // `members[value eq "…"]` means the same.
  if (filter.op === '[]' && name === 'members' && 'attrPath' in filter.valFilter) {
    return conditionOf({ ...filter.valFilter, attrPath: `members.${filter.valFilter.attrPath}` } as Filter);
  }
  const searched = name === 'members' ? 'members.value' : name;
  const condition = Object.hasOwn(SEARCHED, searched) ? SEARCHED[searched] : undefined;
  if (filter.op !== 'eq' || condition === undefined || typeof filter.compValue !== 'string') {
    const known = 'displayName, externalId, id and members.value';
    throw new ScimError('invalidFilter', `Groups are found by ${known}, each with eq and a text.`);
  }
  return condition(filter.compValue);
}

/** Members read per statement. */
const PAGE = 1_000;

/** Sub-attributes of a member, in SQL. */
const PARTS = {
  value: sql`users.id`,
  display: sql`trim(users.first_name || ' ' || users.last_name)`,
  type: sql`'User'`,
};
export type MemberPart = keyof typeof PARTS | '$ref';

/**
 * Streams the members of a group as JSON items separated by commas, ordered by id (keyset pagination), with one page in memory at a time.
 *
 * @param parts sub-attributes of each member
 */
export async function* readMembers(
  db: Reader,
  { companyId, base }: Directory,
  { rowId, role }: Group,
  parts: readonly MemberPart[],
): AsyncGenerator<string> {
  const columnFor = (part: MemberPart) => (part === '$ref' ? sql`${`${base}/Users/`}::text || users.id` : PARTS[part]);
  const pairs = parts.map((part) => sql`${part}::text, ${columnFor(part)}`);
  const object = pairs.length === 0 ? sql`'{}'::json` : sql`json_build_object(${join(pairs)})`;
  // The members of a role's group are those who hold the role, whoever gave it.
  const held = role === null ? members(sql`${rowId}::uuid`) : holders(companyId, sql`${role}::text`);
  for (let last: string | null = null, isFirst = true; ; isFirst = false) {
    const after: Sql = last === null ? sql`true` : sql`users.id > ${last}::uuid`;
    const [page]: { members: string | null; last: string | null; count: number }[] = await db.query(sql`
      select string_agg(member::text, ',' order by id) as members, max(id::text) as last, count(*)::integer as count
        from (select users.id, ${object} as member from ${peopleAmong(companyId, held)} and ${after} order by users.id limit ${PAGE}::integer) page`);
    if (!page?.members) return;
    yield isFirst ? page.members : `,${page.members}`;
    if (page.count < PAGE) return;
    last = page.last;
  }
}
