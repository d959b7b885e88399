import sql, { type Sql } from 'sql-template-tag';
import { inScope, notFound } from '../../api/write-request.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../../db/sql/select-page.ts';
import { allOf, byName, containsByIndex, isoTimestamp, isUpdatedSince } from '../../db/sql/sql-fragments.ts';
import { company } from '../../entities/company.ts';
import { countOfCompany } from '../../entities/company-counts.ts';
import { type CompanyDetail, type CompanyView, FURTHER_FIELDS, LISTED_FIELDS } from './companies-schemas.ts';

const counts: Sql = sql`
  json_build_object(
    'users', (${countOfCompany('users', sql`companies.id`)}),
    'bookings', (${countOfCompany('bookings', sql`companies.id`)})) as "_count"`;

/** Settings of the service that complete companies. */
export interface CompanySettings {
  /** Currency of companies without one of their own. */
  defaultCurrency: string;
}

/** Returns a company as it is shown: with a currency. */
export function completed(found: CompanyDetail, defaultCurrency: string): CompanyDetail {
  return { ...found, currency: found.currency ?? defaultCurrency };
}

/** Returns one company with all its fields as they are stored. @throws ApiError `NOT_FOUND` if it does not exist or is out of scope */
export async function findCompany(db: Reader, id: string, scope: CompanyScope): Promise<CompanyDetail> {
  const [found] = await db.query<CompanyDetail>(sql`
    select ${selectFields(company, [...LISTED_FIELDS, ...FURTHER_FIELDS])},
           ${isoTimestamp(sql`created_at`)} as "createdAt", ${isoTimestamp(sql`updated_at`)} as "updatedAt", ${counts}
      from companies where id = ${id} and ${inScope(scope, sql`companies.id`)}`);
  if (found === undefined) throw notFound(company.noun);
  return found;
}

/** Returns one page of the companies in scope, by name. */
export function listCompanies(
  db: Reader,
  filter: { search?: string; updatedSince?: string; activeOnly?: boolean; scope?: CompanyScope },
  page: PageRequest,
): Promise<Page<CompanyView>> {
  const { scope = 'all' } = filter;
  const isVisible = scope === 'all' ? undefined : scope === 'active' ? sql`active` : inScope(scope, sql`companies.id`);
  const search = containsByIndex(sql`search_text`, filter.search);
  return selectPage<CompanyView>(
    db,
    {
      columns: sql`${selectFields(company, LISTED_FIELDS)}, ${counts}`,
      from: sql`companies`,
      where: allOf([
        isVisible,
        search,
        filter.activeOnly === true ? sql`active` : undefined,
        isUpdatedSince(filter.updatedSince),
      ]),
      orderBy: byName(filter.search),
      gathered: search && sql`id, name_folded`,
    },
    page,
  );
}
