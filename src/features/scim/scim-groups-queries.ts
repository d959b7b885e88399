import { hash } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../../db/database.ts';
import { COMPANY_ROLES, type CompanyRole } from '../../entities/roles.ts';
import { seenBy } from './scim-users-queries.ts';

/** A role of a company, as a directory sees it. */
export interface Group {
  id: string;
  role: CompanyRole;
  displayName: string;
  externalId: string | null;
  /** Changes with its members. */
  membersVersion: string;
  /** By id; undefined where nobody asked. */
  members: { value: string; display: string }[] | undefined;
}

const NAMES: Readonly<Record<CompanyRole, string>> = {
  CORPORATE_ADMIN: 'Corporate Admins',
  MANAGER: 'Managers',
  EMPLOYEE: 'Employees',
};

/** The id of the group of a role: made of both, so that it is the same for ever (RFC 9562, section 5.8). */
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

/** The role whose group has that id in the company. */
export function roleOfGroup(companyId: string, id: string): CompanyRole | undefined {
  return COMPANY_ROLES.find((role) => groupId(companyId, role) === id);
}

/** Those who hold a role in their own company, and whom its directory sees. */
function holders(companyId: string, role: Sql): Sql {
  return sql`
    company_roles join users on users.id = company_roles.user_id
      left join scim_users on scim_users.user_id = users.id and scim_users.company_id = users.company_id
     where company_roles.company_id = ${companyId}::uuid and company_roles.role = ${role} and ${seenBy(companyId)}`;
}

/** The groups of a company, in the order of the roles. @param isWhole with their members */
export async function listGroups(db: Reader, companyId: string, isWhole: boolean): Promise<Group[]> {
  const members = isWhole
    ? sql`(select coalesce(json_agg(json_build_object('value', users.id, 'display', users.first_name || ' ' || users.last_name) order by users.id), '[]')
             from ${holders(companyId, sql`given.role`)})`
    : sql`null::json`;
  const found = await db.query<
    Pick<Group, 'role' | 'externalId' | 'membersVersion'> & { members: Group['members'] | null }
  >(sql`
    select given.role, external_id as "externalId", ${members} as members,
           (select count(*) || ' ' || coalesce(sum(hashtextextended(users.id::text, 0)), 0)::text
              from ${holders(companyId, sql`given.role`)}) as "membersVersion"
      from json_array_elements_text(${JSON.stringify(COMPANY_ROLES)}::text::json) with ordinality given (role, place)
           left join scim_groups on scim_groups.company_id = ${companyId}::uuid and scim_groups.role = given.role
     order by place`);
  return found.map((group) => ({
    ...group,
    id: groupId(companyId, group.role),
    displayName: NAMES[group.role],
    members: group.members ?? undefined,
  }));
}

/** Which of these ids are of people whom the directory sees. */
export async function knownPeople(db: Reader, companyId: string, ids: readonly string[]): Promise<Set<string>> {
  const found = await db.query<{ id: string }>(sql`
    select users.id from users
      left join scim_users on scim_users.user_id = users.id and scim_users.company_id = users.company_id
     where ${seenBy(companyId)} and users.id = any(array(select json_array_elements_text(${JSON.stringify(ids)}::text::json))::uuid[])`);
  return new Set(found.map(({ id }) => id));
}

/** The ids of the members of a group. */
export async function memberIds(db: Reader, companyId: string, role: CompanyRole): Promise<Set<string>> {
  const found = await db.query<{ id: string }>(sql`select users.id from ${holders(companyId, sql`${role}::text`)}`);
  return new Set(found.map(({ id }) => id));
}
