import type { Filter } from 'scim2-parse-filter';
import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../../db/database.ts';
import { oneOff } from '../../db/sql/one-off.ts';
import { isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { countOfCompany } from '../../domain/company-counts.ts';
import type { RowOf } from '../../domain/entity.ts';
import { hasEmail, selectFields } from '../../domain/entity-sql.ts';
import type { CompanyRole } from '../../domain/roles.ts';
import { scimUser } from '../../domain/scim-user.ts';
import { user } from '../../domain/user.ts';
import { filterCondition, isComparison, LAST_MODIFIED } from './scim-filter.ts';

const USER_FIELDS = [
  ...['id', 'email', 'firstName', 'lastName', 'phone', 'clientType', 'approvalLimit', 'dateOfBirth', 'gender'],
  ...['addressLine1', 'addressLine2', 'pincode', 'active'],
] as const;
const SCIM_FIELDS = ['externalId', 'workEmail', 'phoneType', 'deletedAt'] as const;

/** A person with all that SCIM tells of them. */
export interface ScimUserRow
  extends RowOf<typeof user, (typeof USER_FIELDS)[number]>,
    RowOf<typeof scimUser, (typeof SCIM_FIELDS)[number]> {
  department: string;
  bandCode: string;
  /** In their company, by name. */
  roles: CompanyRole[];
  createdAt: string;
  updatedAt: string;
}

/** A row of a company that the person has left says nothing any more. */
const PEOPLE: Sql = sql`
  users left join scim_users on scim_users.user_id = users.id and scim_users.company_id = users.company_id`;

const columns: Sql = sql`
  ${selectFields(user, USER_FIELDS)}, ${selectFields(scimUser, SCIM_FIELDS)},
  (select name from departments where departments.id = users.department_id) as department,
  (select code from employee_bands where employee_bands.id = users.band_id) as "bandCode",
  array(select role from company_roles
         where company_roles.user_id = users.id and company_roles.company_id = users.company_id order by role) as roles,
  ${isoTimestamp(sql`users.created_at`)} as "createdAt", ${isoTimestamp(LAST_MODIFIED)} as "updatedAt"`;

/** Those whom the directory of a company sees: its people, but for those it deleted. */
export function seenBy(companyId: string | Sql): Sql {
  return sql`users.company_id = ${companyId}::uuid and scim_users.deleted_at is null`;
}

/** A person of the company, deleted by the directory or not; undefined for anybody else. @param condition on `users` and `scim_users` */
export async function findScimUser(db: Reader, companyId: string, condition: Sql): Promise<ScimUserRow | undefined> {
  const [found] = await db.query<{ row: ScimUserRow }>(sql`
    select to_json(item) as row
      from (select ${columns} from ${PEOPLE} where users.company_id = ${companyId}::uuid and ${condition}) item`);
  return found?.row;
}

/** Whom a directory asks for by the name that they sign in by. */
export interface UserNameInCompany {
  companyId: string;
  userName: string;
}

/** Those whom directories see by these names, in their order, in one round trip; undefined for nobody. */
export async function findScimUsersByName(
  db: Reader,
  wanted: readonly UserNameInCompany[],
): Promise<(ScimUserRow | undefined)[]> {
  const found = await db.query<{ place: number; row: ScimUserRow }>(sql`
    select place, to_json(item) as row
      from json_to_recordset(${JSON.stringify(wanted.map((one, place) => ({ ...one, place })))}::text::json)
             wanted (place integer, "companyId" uuid, "userName" text),
           lateral (select ${columns} from ${PEOPLE}
                     where ${seenBy(sql`wanted."companyId"`)} and ${hasEmail(sql`wanted."userName"`)}) item`);
  const rows = new Map(found.map(({ place, row }) => [place, row]));
  return wanted.map((_, place) => rows.get(place));
}

/** Whom somebody signs in as by this address, of whatever company. */
export async function findByUserName(
  db: Reader,
  userName: string,
): Promise<{ id: string; companyId: string } | undefined> {
  const [found] = await db.query<{ id: string; companyId: string }>(sql`
    select id, company_id as "companyId" from users where ${hasEmail(sql`${userName}::text`)}`);
  return found;
}

/** Some people, and how many there are in all. */
export interface ScimUserPage {
  items: ScimUserRow[];
  totalItems: number;
}

/** Some of the people whom a directory sees, by name. @param startIndex from 1 */
export async function listScimUsers(
  db: Reader,
  companyId: string,
  { filter, startIndex, count }: { filter: Filter | undefined; startIndex: number; count: number },
): Promise<ScimUserPage> {
  const page = sql`order by name_folded collate "C", id limit ${count}::bigint offset ${startIndex - 1}::bigint`;
  const items = (keys: Sql) => sql`
    coalesce((select json_agg(item) from (${keys}) page,
                     lateral (select ${columns} from ${PEOPLE} where users.id = page.id limit 1) item), '[]') as items`;
  // Each person is looked at once by a filter, and everybody's count is kept.
  const statement =
    filter === undefined
      ? sql`
        select (${countOfCompany('users', sql`${companyId}::uuid`)}) - (
                 select count(*)::integer from scim_users join users on users.id = scim_users.user_id
                  where scim_users.company_id = ${companyId}::uuid and users.company_id = scim_users.company_id
                    and scim_users.deleted_at is not null) as "totalItems",
               ${items(sql`select users.id, name_folded from ${PEOPLE} where ${seenBy(companyId)} ${page}`)}`
      : sql`
        with hits as materialized (
          select users.id, name_folded from ${PEOPLE} where ${seenBy(companyId)} and ${filterCondition(filter)})
        select (select count(*)::integer from hits) as "totalItems", ${items(sql`select id from hits ${page}`)}`;
  const [found] = await db.query<ScimUserPage>(
    filter === undefined || isComparison(filter) ? statement : oneOff(statement),
  );
  return found ?? { items: [], totalItems: 0 };
}
