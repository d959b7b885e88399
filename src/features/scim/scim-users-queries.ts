import sql, { type Sql } from 'sql-template-tag';
import { hasEmail, selectFields } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { oneOff } from '../../db/sql/one-off.ts';
import { isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { countOfCompany } from '../../entities/company-counts.ts';
import type { RowOf } from '../../entities/entity.ts';
import type { CompanyRole } from '../../entities/roles.ts';
import { scimUser } from '../../entities/scim-user.ts';
import { user } from '../../entities/user.ts';
import { parseFilter } from './filter-syntax.ts';
import { scimFault } from './scim-errors.ts';
import { candidateIds, filterCondition, isComparison, LAST_MODIFIED } from './scim-filter.ts';
import type { ListRequest } from './scim-input.ts';

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

/** What a {@link ScimUserRow} is selected from. A row of a company that the person has left says nothing any more. */
export const scimUsers: Sql = sql`
  users left join scim_users on scim_users.user_id = users.id and scim_users.company_id = users.company_id`;

/** The columns of a {@link ScimUserRow}. */
export const scimUserColumns: Sql = sql`
  ${selectFields(user, USER_FIELDS)}, ${selectFields(scimUser, SCIM_FIELDS)},
  (select name from departments where departments.id = users.department_id) as department,
  (select code from employee_bands where employee_bands.id = users.band_id) as "bandCode",
  to_json(array(select role from company_roles
                 where company_roles.user_id = users.id and company_roles.company_id = users.company_id
                 order by role)) as roles,
  ${isoTimestamp(sql`users.created_at`)} as "createdAt", ${isoTimestamp(LAST_MODIFIED)} as "updatedAt"`;

/** Those whom the directory of a company sees: its people, but for those it deleted. */
export function seenBy(companyId: string | Sql): Sql {
  return sql`users.company_id = ${companyId}::uuid and scim_users.deleted_at is null`;
}

/** A person of the company, deleted by the directory or not; undefined for anybody else. @param condition on `users` and `scim_users` */
export async function findScimUser(db: Reader, companyId: string, condition: Sql): Promise<ScimUserRow | undefined> {
  const [found] = await db.query<ScimUserRow>(sql`
    select ${scimUserColumns} from ${scimUsers} where users.company_id = ${companyId}::uuid and ${condition}`);
  return found;
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

/** People of a company up to which a filter may look at each of them. */
const MAX_SCANNED = 10_000;

/** Some of the people whom a directory sees, by name. @param startIndex from 1 @throws ApiError `invalidFilter`, `tooMany` */
export async function listScimUsers(
  db: Reader,
  companyId: string,
  { filter: text, startIndex, count }: Pick<ListRequest, 'filter' | 'startIndex' | 'count'>,
): Promise<ScimUserPage> {
  const filter = text === undefined ? undefined : parseFilter(text);
  const condition = filter === undefined ? undefined : filterCondition(filter);
  const ids = filter === undefined ? undefined : candidateIds(filter, companyId);
  const people = countOfCompany('users', sql`${companyId}::uuid`);
  // Materialized: it is looked at once, before people are.
  const isFew = ids ? sql`users.id in (${ids})` : sql`(select number from people) <= ${MAX_SCANNED}::integer`;
  const page = sql`order by name_folded collate "C", id limit ${count}::bigint offset ${startIndex - 1}::bigint`;
  const items = (keys: Sql) => sql`
    coalesce((select json_agg(item) from (${keys}) page,
                     lateral (select ${scimUserColumns} from ${scimUsers} where users.id = page.id limit 1) item), '[]') as items`;
  // Each person is looked at once by a filter, and everybody's count is kept.
  const statement =
    condition === undefined
      ? sql`
        select (${people}) - (
                 select count(*)::integer from scim_users join users on users.id = scim_users.user_id
                  where scim_users.company_id = ${companyId}::uuid and users.company_id = scim_users.company_id
                    and scim_users.deleted_at is not null) as "totalItems",
               ${items(sql`select users.id, name_folded from ${scimUsers} where ${seenBy(companyId)} ${page}`)}`
      : sql`
        with people as materialized (select (${people}) as number),
        hits as materialized (
          select users.id, name_folded from ${scimUsers} where ${seenBy(companyId)} and ${isFew} and ${condition})
        select (select number from people) as people, (select count(*)::integer from hits) as "totalItems", ${items(sql`select id from hits ${page}`)}`;
  const [found] = await db.query<ScimUserPage & { people?: number }>(
    filter === undefined || isComparison(filter) ? statement : oneOff(statement),
  );
  if (ids === undefined && (found?.people ?? 0) > MAX_SCANNED) {
    const advice = 'Ask for userName, externalId or id with eq.';
    throw scimFault(
      'tooMany',
      `In a company of more than ${MAX_SCANNED} people no index answers this filter. ${advice}`,
    );
  }
  return found ?? { items: [], totalItems: 0 };
}
