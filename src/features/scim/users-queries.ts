import sql, { type Sql } from 'sql-template-tag';
import { comparable, hasEmail } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { oneOff } from '../../db/sql/one-off.ts';
import { countOfCompany } from '../../entities/company-counts.ts';
import { type Person, personColumns } from '../people/people.ts';
import { candidateIds, filterSql, isComparison } from './filter-sql.ts';
import { parseFilter } from './filter-syntax.ts';
import { ScimError } from './scim-error.ts';
import type { ListRequest } from './scim-request.ts';
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

/** Finds a person whom the directory of a company sees; undefined for anybody else. */
export async function findScimUser(db: Reader, companyId: string, id: string): Promise<ScimUserRow | undefined> {
  const [found] = await db.query<ScimUserRow>(sql`
    select ${scimUserColumns} from ${scimUsers} where users.id = ${id}::uuid and ${isSeenBy(companyId)}`);
  return found;
}

/** A person as the rules about people, and a directory, see them. */
export interface ScimPerson extends Person, ScimColumns {}

/** Finds a person of a company, deleted by its directory or not. */
export async function findScimPerson(db: Reader, companyId: string, id: string): Promise<ScimPerson | undefined> {
  const [found] = await db.query<ScimPerson>(sql`
    select ${personColumns}, ${scimColumns} from ${scimUsers}
     where users.id = ${id}::uuid and ${isOfCompany(companyId)}`);
  return found;
}

/** Somebody who has a `userName`, or had it when the directory of the company deleted them. */
export interface NamedUser {
  id: string;
  companyId: string;
  isDeleted: boolean;
}

/** Finds who has a `userName`, of whatever company; where nobody has, whom the company's directory deleted last by it. */
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
  const chosen = filter === undefined ? undefined : filterSql(filter);
  const ids = filter === undefined ? undefined : candidateIds(filter, companyId);
  const people = countOfCompany('users', sql`${companyId}::uuid`);
  // Materialized: it is looked at once, before people are.
  const isSeen = ids
    ? sql`${isSeenBy(companyId)} and users.id in (${ids})`
    : sql`${seenBy(companyId)} and (select number from people) <= ${MAX_SCANNED}::integer`;
  const page = sql`order by name_folded collate "C", id limit ${count}::bigint offset ${startIndex - 1}::bigint`;
  const items = (keys: Sql) => sql`
    coalesce((select json_agg(item) from (${keys}) page,
                     lateral (select ${scimUserColumns} from ${scimUsers} where users.id = page.id limit 1) item), '[]') as items`;
  // Each person is looked at once by a filter, and everybody's count is kept.
  const statement =
    chosen === undefined
      ? sql`
        select (${people}) - (
                 select count(*)::integer from scim_users join users on users.id = scim_users.user_id
                  where scim_users.company_id = ${companyId}::uuid and users.company_id = scim_users.company_id
                    and ${isDeleted}) as "totalItems",
               ${items(sql`select users.id, name_folded from ${scimUsers} where ${seenBy(companyId)} ${page}`)}`
      : sql`
        with people as materialized (select (${people}) as number),
        hits as materialized (
          select users.id, name_folded from ${scimUsers} ${chosen.joined} where ${isSeen} and ${chosen.condition})
        select (select number from people) as people, (select count(*)::integer from hits) as "totalItems", ${items(sql`select id from hits ${page}`)}`;
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
