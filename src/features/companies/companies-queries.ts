import sql, { raw, type Sql } from 'sql-template-tag';
import type { Executor } from '../../db/database.ts';
import { selectPage } from '../../db/select-page.ts';
import { allOf, containsByIndex } from '../../db/sql-fragments.ts';
import type { Page, PageRequest } from '../../http/pagination.ts';
import type { CompanyView } from './companies-schemas.ts';

/** One page of the companies, by name, as the list shows them. */
export function listCompanies(
  db: Executor,
  filter: { search?: string; activeOnly?: boolean },
  page: PageRequest,
): Promise<Page<CompanyView>> {
  const search = containsByIndex(sql`search_text`, filter.search);
  return selectPage<CompanyView>(
    db,
    {
      columns: sql`
        id, name, legal_name as "legalName", gstin, credit_limit::text as "creditLimit", credit_days as "creditDays", active,
        json_build_object(
          'users', ${countOf('users')},
          'bookings', ${countOf('bookings')}) as "_count"`,
      from: sql`companies`,
      where: allOf([search, filter.activeOnly === true ? sql`active` : undefined]),
      orderBy: sql`name_folded collate "C", id`,
      gathered: search && sql`id, name_folded`,
    },
    page,
  );
}

/** How many rows of the table a company has, as the database keeps it (see migrations/0008.do.company-counts.sql). */
function countOf(table: 'users' | 'bookings'): Sql {
  return sql`(
    select coalesce(sum(change), 0)::bigint from company_counts
     where counted = ${raw(`'${table}'`)} and company_id = companies.id)`;
}
