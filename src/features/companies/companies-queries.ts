import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { TIMES } from '../../api/list-schemas.ts';
import type { OwnConditions } from '../../api/own-filter.ts';
import { inScope, notFound } from '../../api/write-request.ts';
import { selectFields, todayOf } from '../../audit/entity-sql.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../../db/sql/select-page.ts';
import {
  allOf,
  byName,
  containsByIndex,
  countOfCompany,
  isUpdatedSince,
  orderedBy,
  SORTED_BY_NAME,
  timeColumns,
} from '../../db/sql/sql-fragments.ts';
import { BRAND_FIELDS, company } from '../../entities/company.ts';
import {
  type CompanyDetail,
  type CompanyListInput,
  type CompanyRow,
  type CompanyView,
  FURTHER_FIELDS,
  type HeadCount,
  LISTED_FIELDS,
} from './companies-schemas.ts';
import { CREDIT_USED, IS_OVER_CREDIT, OVER_CREDIT_SINCE } from './credit.ts';

const counts: Sql = sql`
  json_build_object(
    'users', (${countOfCompany('users', sql`companies.id`)}),
    'bookings', (${countOfCompany('bookings', sql`companies.id`)})) as "_count"`;

/** Settings of the service that complete companies. */
export interface CompanySettings {
  /** Currency of companies without one of their own. */
  defaultCurrency: string;
  /** Time zone of companies that are created without one. */
  timeZone: string;
}

/** Returns a company as it is shown: with a currency. */
export function completed({ fields: _, ...found }: CompanyRow, defaultCurrency: string): CompanyDetail {
  const shown = { ...found, currency: found.currency ?? defaultCurrency };
  for (const name of BRAND_FIELDS) delete (shown as Partial<CompanyRow>)[name];
  return shown;
}

/** Returns one company with all its fields as they are stored. @throws ApiError `NOT_FOUND` if it does not exist or is out of scope */
export async function findCompany(db: Reader, id: string, scope: CompanyScope): Promise<CompanyRow> {
  const [found] = await db.query<CompanyRow>(sql`
    select ${selectFields(company, [...LISTED_FIELDS, ...FURTHER_FIELDS, ...BRAND_FIELDS, 'fields'])},
           ${counts}${timeColumns('companies', [], TIMES)}, ${CREDIT_USED}::text as "creditUsed"
      from companies where id = ${id} and ${inScope(scope, sql`companies.id`)}`);
  if (found === undefined) throw notFound(company.noun);
  return found;
}

/** Returns the day since when a company is over its credit limit; null if it is not. */
export async function findOverCreditSince(db: Reader, id: string): Promise<string | null> {
  const [found] = await db.query<{ since: string | null }>(
    sql`select ${OVER_CREDIT_SINCE} as since from companies where id = ${id}::uuid`,
  );
  return found?.since ?? null;
}

/** Returns how many people worked in a company at the end of each of the last twelve months. */
export function listHeadCounts(db: Reader, companyId: string): Promise<HeadCount[]> {
  return db.query<HeadCount>(sql`
    with here as (select time_zone as zone, ${todayOf('companies', 'id')} as today from companies where id = ${companyId}::uuid),
    stays as (
      select coalesce(start_date, (created_at at time zone zone)::date) as began,
             least(end_date + 1, case when not active then coalesce(
               (select (max(changed_at) at time zone zone)::date from audit_changes
                 where audit_changes.user_id = users.id and entity = 'user' and 'active' = any(fields)),
               (updated_at at time zone zone)::date) end) as ended
        from users, here where company_id = ${companyId}::uuid),
    moves as (
      select began as day, 1 as change from stays union all
      select greatest(began, ended), -1 from stays where ended is not null),
    changes as (
      select date_trunc('month', day::timestamp) as month, sum(change) as change from moves, here where day <= today group by 1)
    select to_char(months.month, 'YYYY-MM') as month,
           coalesce((select sum(change) from changes where changes.month <= months.month), 0)::integer as people
      from here, generate_series(date_trunc('month', today::timestamp) - interval '11 months',
                                 date_trunc('month', today::timestamp), interval '1 month') months (month)
     order by months.month`);
}

/** Sort keys by the name of the field. */
const SORTED_BY = {
  ...SORTED_BY_NAME,
  creditLimit: { by: sql`credit_limit`, type: 'numeric' },
  creditDays: { by: sql`credit_days`, type: 'bigint' },
} as const;

/** Returns one page of the companies in scope, by name unless they are sorted. */
export function listCompanies(
  db: Reader,
  filter: Omit<CompanyListInput, keyof PageRequest> &
    Partial<CompanySettings> & { scope?: CompanyScope; own?: OwnConditions },
  page: PageRequest,
): Promise<Page<CompanyView>> {
  const { scope = 'all' } = filter;
  const isVisible = scope === 'all' ? undefined : scope === 'active' ? sql`active` : inScope(scope, sql`companies.id`);
  const search = containsByIndex(sql`search_text`, filter.search);
  const included = (name: string, column: Sql) =>
    filter.include?.includes(name) ? sql`, ${column} as ${raw(`"${name}"`)}` : empty;
  const currency = sql`coalesce(companies.currency, ${filter.defaultCurrency ?? null}::text)`;
  return selectPage<CompanyView>(
    db,
    {
      columns: sql`${selectFields(company, LISTED_FIELDS)}, ${counts}${included('currency', currency)}${included('externalId', sql`external_key`)}${included('creditUsed', sql`${CREDIT_USED}::text`)}${filter.include?.includes('brand') ? sql`, ${selectFields(company, BRAND_FIELDS)}` : empty}${timeColumns('companies', [], filter.include ?? [])}`,
      from: sql`companies`,
      where: allOf([
        isVisible,
        search,
        filter.activeOnly === true ? sql`active` : undefined,
        filter.inactiveOnly === true ? sql`not active` : undefined,
        filter.overCredit === true ? IS_OVER_CREDIT : undefined,
        isUpdatedSince(filter.updatedSince),
        filter.externalId === undefined ? undefined : sql`external_key = ${filter.externalId}::text`,
        ...(filter.own?.where ?? []),
      ]),
      orderBy:
        filter.own?.orderBy ?? (filter.sort === undefined ? byName(filter.search) : orderedBy(SORTED_BY, filter.sort)),
      gathered:
        search &&
        sql`id, name_folded${filter.own?.orderBy === undefined ? empty : sql`, fields`}${filter.sort === undefined ? empty : sql`, credit_limit, credit_days, updated_at`}`,
    },
    page,
  );
}
