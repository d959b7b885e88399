import sql, { type Sql } from 'sql-template-tag';
import { comparable, hasEmail, hasKey } from '../../../audit/entity-sql.ts';
import type { Reader } from '../../../db/database.ts';
import { countOfCompany, oneOff } from '../../../db/sql/sql-fragments.ts';
import { user } from '../../../entities/user.ts';
import { type Person, personColumns } from '../../people/person-service.ts';
import { ScimError } from '../protocol/error.ts';
import { parseFilter } from '../protocol/filter.ts';
import type { Directory, ListRequest } from '../scim-operation.ts';
import { candidateIds, filterSql, isComparison } from './filter-sql.ts';
import {
  EXTERNAL_ID,
  idsByExternalId,
  isDeleted,
  isOfCompany,
  isSeenBy,
  type ScimColumns,
  type ScimUserRow,
  scimColumns,
  scimUserColumns,
  scimUsers,
  scimUsersOf,
  seenBy,
} from './user-row.ts';
import type { UserFields } from './user-schemas.ts';

/** Returns a person visible to the directory; undefined for anybody else. */
export async function findScimUser(
  db: Reader,
  { companyId, directoryId }: Pick<Directory, 'companyId' | 'directoryId'>,
  id: string,
): Promise<ScimUserRow | undefined> {
  const [found] = await db.query<ScimUserRow>(sql`
    select ${scimUserColumns(sql`${directoryId}::uuid`)} from ${scimUsersOf(sql`${directoryId}::uuid`)}
     where users.id = ${id}::uuid and ${isSeenBy(companyId)}`);
  return found;
}

/** A person with the data for the rules about people and for SCIM. */
export interface ScimPerson extends Person, ScimColumns {}

/** Returns a person of a company, even if deleted by its directory. */
export async function findScimPerson(
  db: Reader,
  { companyId, directoryId }: Directory,
  id: string,
): Promise<ScimPerson | undefined> {
  const [found] = await db.query<ScimPerson>(sql`
    select ${personColumns}, ${scimColumns(sql`${directoryId}::uuid`)} from ${scimUsersOf(sql`${directoryId}::uuid`)}
     where users.id = ${id}::uuid and ${isOfCompany(companyId)}`);
  return found;
}

/** Returns the ids of inactive people of a company who have, or had when they were deleted, a name, id or number; the best evidence first. */
export async function findFormerIds(
  db: Reader,
  { companyId, directoryId }: Directory,
  { email = '', externalId = '', employeeNumber = '' }: Pick<UserFields, 'email' | 'externalId' | 'employeeNumber'>,
): Promise<string[]> {
  const [, byNumber] = user.unique;
  const found = await db.query<{ id: string }>(sql`
    select users.id from (
      select users.id, 0 as rank, now() as deleted_at
        from (${idsByExternalId(externalId, companyId)}) named join ${scimUsersOf(sql`${directoryId}::uuid`)} on users.id = named.id
       where ${EXTERNAL_ID} = ${externalId}::text
       union all
      select id, 1, now() from users where ${hasKey(user, byNumber, [sql`${companyId}::uuid`, sql`${employeeNumber.trim()}::text`])}
       union all
      select id, 2, now() from users where ${hasEmail(sql`${email.trim()}::text`)}
       union all
      select user_id, 3, deleted_at from scim_users
       where company_id = ${companyId}::uuid and deleted_at is not null
         and ${comparable(sql`deleted_user_name`, true)} = ${comparable(sql`${email.trim()}::text`, true)}) found
      join users on users.id = found.id
     where not users.active and ${isOfCompany(companyId)}
     group by users.id order by min(rank), max(found.deleted_at) desc`);
  return found.map(({ id }) => id);
}

/** Returns the id of the newcomer who has got the address of a person; undefined where there is none. */
export async function findSuccessor(db: Reader, companyId: string, id: string): Promise<string | undefined> {
  const [found] = await db.query<{ id: string }>(sql`
    select successor_id as id from scim_users
     where user_id = ${id}::uuid and company_id = ${companyId}::uuid and deleted_at is not null and successor_id is not null`);
  return found?.id;
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
  { companyId, directoryId }: Pick<Directory, 'companyId' | 'directoryId'>,
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
  const tables = scimUsersOf(sql`${directoryId}::uuid`);
  const items = (keys: Sql) => sql`
    coalesce((select json_agg(item order by item.id) from (${keys}) page,
                     lateral (select ${scimUserColumns(sql`${directoryId}::uuid`)} from ${tables} where users.id = page.id limit 1) item), '[]') as items`;
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
          select users.id from ${tables} ${chosen.joined} where ${isSeen} and ${chosen.condition})
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
