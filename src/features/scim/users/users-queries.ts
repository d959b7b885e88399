import sql, { type Sql } from 'sql-template-tag';
import { comparable, hasEmail } from '../../../audit/entity-sql.ts';
import type { Reader } from '../../../db/database.ts';
import { countOfCompany, oneOff } from '../../../db/sql/sql-fragments.ts';
import { type Person, personColumns } from '../../people/person-service.ts';
import { ScimError } from '../protocol/error.ts';
import { parseFilter } from '../protocol/filter.ts';
import type { Directory, ListRequest } from '../scim-operation.ts';
import { candidateIds, filterSql, isComparison } from './filter-sql.ts';
import {
  isDeleted,
  isOfCompany,
  isSeenBy,
  type ScimColumns,
  type ScimUserRow,
  scimColumns,
  scimUserColumns,
  scimUsers,
  seenBy,
} from './user-row.ts';

/** Returns a person visible to the directory; undefined for anybody else. */
export async function findScimUser(
  db: Reader,
  { companyId, keyId }: Pick<Directory, 'companyId' | 'keyId'>,
  id: string,
): Promise<ScimUserRow | undefined> {
  const [found] = await db.query<ScimUserRow>(sql`
    select ${scimUserColumns(sql`${keyId}::uuid`)} from ${scimUsers} where users.id = ${id}::uuid and ${isSeenBy(companyId)}`);
  return found;
}

/** A person with the data for the rules about people and for SCIM. */
export interface ScimPerson extends Person, ScimColumns {}

/** Returns a person of a company, even if deleted by its directory. */
export async function findScimPerson(
  db: Reader,
  { companyId, keyId }: Directory,
  id: string,
): Promise<ScimPerson | undefined> {
  const [found] = await db.query<ScimPerson>(sql`
    select ${personColumns}, ${scimColumns(sql`${keyId}::uuid`)} from ${scimUsers}
     where users.id = ${id}::uuid and ${isOfCompany(companyId)}`);
  return found;
}

/** A person who has a `userName`, or had it when the company's directory deleted them. */
export interface NamedUser {
  id: string;
  companyId: string;
  isDeleted: boolean;
}

/** Returns the person of any company with a `userName`; where there is none, the last one with it whom the company's directory deleted. */
export async function findByUserName(db: Reader, companyId: string, userName: string): Promise<NamedUser | undefined> {
  const [found] = await db.query<NamedUser>(sql`
    select users.id, users.company_id as "companyId", coalesce(${isDeleted}, false) as "isDeleted"
      from ${scimUsers} where ${hasEmail(sql`${userName}::text`)}
    union all (
    select users.id, users.company_id, true from ${scimUsers}
     where scim_users.company_id = ${companyId}::uuid and ${isDeleted}
       and ${comparable(sql`deleted_user_name`, true)} = ${comparable(sql`${userName}::text`, true)}
     order by deleted_at desc limit 1)
     limit 1`);
  return found;
}

/** A page of people, and the total. */
export interface ScimUserPage {
  items: ScimUserRow[];
  totalItems: number;
}

/** Maximum people of a company for which a filter without an index may scan all of them. */
const MAX_SCANNED = 10_000;

/** Returns a page of the people visible to a directory, by id; with a cursor one more, where there is one. @throws ApiError `invalidFilter`, `tooMany` */
export async function listScimUsers(
  db: Reader,
  { companyId, keyId }: Pick<Directory, 'companyId' | 'keyId'>,
  { filter: text, startIndex, cursor, count }: ListRequest,
): Promise<ScimUserPage> {
  const filter = text === undefined ? undefined : parseFilter(text);
  const chosen = filter === undefined ? undefined : filterSql(filter);
  const ids = filter === undefined ? undefined : candidateIds(filter, companyId);
  const people = countOfCompany('users', sql`${companyId}::uuid`);
  // `people` is materialized: it is evaluated once, before the scan.
  const isSeen = ids
    ? sql`${isSeenBy(companyId)} and users.id in (${ids})`
    : sql`${seenBy(companyId)} and (select number from people) <= ${MAX_SCANNED}::integer`;
  const limit = sql`limit ${cursor === undefined ? count : count + 1}::bigint offset ${startIndex - 1}::bigint`;
  const after = cursor ? sql`users.id > ${cursor}::uuid` : sql`true`;
  const items = (keys: Sql) => sql`
    coalesce((select json_agg(item order by item.id) from (${keys}) page,
                     lateral (select ${scimUserColumns(sql`${keyId}::uuid`)} from ${scimUsers} where users.id = page.id limit 1) item), '[]') as items`;
  // With a filter, one scan yields both the page and the total; without one, the total is derived from the stored count.
  const statement =
    chosen === undefined
      ? sql`
        select (${people}) - (
                 select count(*)::integer from scim_users join users on users.id = scim_users.user_id
                  where scim_users.company_id = ${companyId}::uuid and users.company_id = scim_users.company_id
                    and ${isDeleted}) as "totalItems",
               ${items(sql`select users.id from ${scimUsers} where ${seenBy(companyId)} and ${after} order by users.id ${limit}`)}`
      : sql`
        with people as materialized (select (${people}) as number),
        hits as materialized (
          select users.id from ${scimUsers} ${chosen.joined} where ${isSeen} and ${chosen.condition})
        select (select number from people) as people, (select count(*)::integer from hits) as "totalItems", ${items(sql`select id from hits users where ${after} order by id ${limit}`)}`;
  const [found] = await db.query<ScimUserPage & { people?: number }>(
    filter === undefined || isComparison(filter) ? statement : oneOff(statement),
  );
  if (ids === undefined && (found?.people ?? 0) > MAX_SCANNED) {
    const advice = 'Ask for userName, externalId or id with eq.';
    throw new ScimError(
      'tooMany',
      `In a company of more than ${MAX_SCANNED} people no index answers this filter. ${advice}`,
    );
  }
  return found ?? { items: [], totalItems: 0 };
}
