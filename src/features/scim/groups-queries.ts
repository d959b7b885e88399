import { hash } from 'node:crypto';
import sql, { join, type Sql } from 'sql-template-tag';
import type { Reader } from '../../db/database.ts';
import { isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { COMPANY_ROLES, type CompanyRole } from '../../entities/roles.ts';
import { isSeenBy, scimUsers } from './user-row.ts';

/** A role of a company as a SCIM group. */
export interface Group {
  id: string;
  role: CompanyRole;
  displayName: string;
  externalId: string | null;
  /** Changes whenever the members do. */
  membersVersion: string;
  createdAt: string;
  updatedAt: string;
}

const NAMES: Readonly<Record<CompanyRole, string>> = {
  CORPORATE_ADMIN: 'Corporate Admins',
  MANAGER: 'Managers',
  EMPLOYEE: 'Employees',
};

/** Returns the stable id of a role's group, derived from company and role (UUID version 8: RFC 9562, section 5.8). */
export function groupId(companyId: string, role: CompanyRole): string {
  const digits = hash('sha256', `${companyId} ${role}`, 'hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

/** Returns the role whose group has that id in the company. */
export function roleOfGroup(companyId: string, id: string): CompanyRole | undefined {
  return COMPANY_ROLES.find((role) => groupId(companyId, role) === id);
}

/** Returns the role whose group has that name, ignoring case. */
export function roleOfName(name: string): CompanyRole | undefined {
  return COMPANY_ROLES.find((role) => NAMES[role].toLowerCase() === name.trim().toLowerCase());
}

/** Selects the people who hold a role in their own company and are visible to its directory. */
function holders(companyId: string, role: Sql): Sql {
  return sql`
    company_roles join (${scimUsers}) on users.id = company_roles.user_id
     where company_roles.company_id = ${companyId}::uuid and company_roles.role = ${role} and ${isSeenBy(companyId)}`;
}

/** Returns the groups of a company, in the order of the roles. */
export async function listGroups(db: Reader, companyId: string): Promise<Group[]> {
  const lastChange = sql`
    select changed_at from audit_changes
     where entity = 'companyRole' and company_id = ${companyId}::uuid
       and coalesce(field_values -> 'role' ->> 1, field_values -> 'role' ->> 0) = given.role
     order by id desc limit 1`;
  const found = await db.query<Omit<Group, 'id' | 'displayName'>>(sql`
    select given.role, external_id as "externalId",
           (select count(*) || ' ' || coalesce(sum(hashtextextended(users.id::text, 0)), 0)::text
              from ${holders(companyId, sql`given.role`)}) as "membersVersion",
           ${isoTimestamp(sql`companies.created_at`)} as "createdAt",
           ${isoTimestamp(sql`greatest(companies.created_at, (${lastChange}))`)} as "updatedAt"
      from json_array_elements_text(${JSON.stringify(COMPANY_ROLES)}::text::json) with ordinality given (role, number)
           join companies on companies.id = ${companyId}::uuid
           left join scim_groups on scim_groups.company_id = ${companyId}::uuid and scim_groups.role = given.role
     order by number`);
  return found.map((group) => ({ ...group, id: groupId(companyId, group.role), displayName: NAMES[group.role] }));
}

/** Members read per statement. */
const PAGE = 1_000;

/** Sub-attributes of a member, in SQL. */
const PARTS = {
  value: sql`users.id`,
  display: sql`users.first_name || ' ' || users.last_name`,
  type: sql`'User'`,
};
export type MemberPart = keyof typeof PARTS | '$ref';

/**
 * Streams the members of a group as JSON items separated by commas, ordered by id (keyset pagination), with one page in memory at a time.
 *
 * @param parts sub-attributes of each member
 * @param base base URL of the users
 */
export async function* readMembers(
  db: Reader,
  companyId: string,
  role: CompanyRole,
  parts: readonly MemberPart[],
  base: string,
): AsyncGenerator<string> {
  const pairs = parts.map(
    (part) => sql`${part}::text, ${part === '$ref' ? sql`${base}::text || users.id` : PARTS[part]}`,
  );
  const object = pairs.length === 0 ? sql`'{}'::json` : sql`json_build_object(${join(pairs)})`;
  for (let last: string | null = null, isFirst = true; ; isFirst = false) {
    const after: Sql = last === null ? sql`true` : sql`company_roles.user_id > ${last}::uuid`;
    const [page]: { members: string | null; last: string | null; count: number }[] = await db.query(sql`
      select string_agg(member::text, ',' order by id) as members, max(id::text) as last, count(*)::integer as count
        from (select users.id, ${object} as member from ${holders(companyId, sql`${role}::text`)} and ${after}
               order by company_roles.user_id limit ${PAGE}::integer) page`);
    if (!page?.members) return;
    yield isFirst ? page.members : `,${page.members}`;
    if (page.count < PAGE) return;
    last = page.last;
  }
}

/** Effective changes of members. */
export interface MemberChange {
  granted: string[];
  revoked: string[];
  /** Whether the request names anybody who is not visible to the directory. */
  hasStrangers: boolean;
}

/**
 * Compares the present members of a group with the wanted ones.
 *
 * @param wanted ids of members, including present ones
 * @param unwanted ids to remove; undefined: all present members who are not wanted
 */
export async function compareMembers(
  db: Reader,
  companyId: string,
  role: CompanyRole,
  wanted: readonly string[],
  unwanted: readonly string[] | undefined,
): Promise<MemberChange> {
  const ids = (list: readonly string[]) =>
    sql`select distinct id::uuid from json_array_elements_text(${JSON.stringify(list)}::text::json) listed (id)`;
  const [found] = await db.query<{ granted: string; revoked: string; hasStrangers: boolean }>(sql`
    with wanted as materialized (${ids(wanted)}),
         known as materialized (
           select wanted.id from wanted, lateral (select from ${scimUsers}
            where users.id = wanted.id and ${isSeenBy(companyId)} limit 1) person),
         present as materialized (select users.id from ${holders(companyId, sql`${role}::text`)})
    select coalesce((select string_agg(id::text, ',') from known where id not in (select id from present)), '') as granted,
           coalesce((select string_agg(id::text, ',') from present
                      where id not in (select id from wanted)
                        and ${unwanted === undefined ? sql`true` : sql`id in (${ids(unwanted)})`}), '') as revoked,
           (select count(*) from wanted) > (select count(*) from known) as "hasStrangers"`);
  const listed = (text = '') => (text === '' ? [] : text.split(','));
  return {
    granted: listed(found?.granted),
    revoked: listed(found?.revoked),
    hasStrangers: found?.hasStrangers ?? false,
  };
}
