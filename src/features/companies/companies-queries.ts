import sql from 'sql-template-tag';
import type { Executor } from '../../db/database.ts';
import { selectPage } from '../../db/select-page.ts';
import { allOf, contains } from '../../db/sql-fragments.ts';
import type { Page, PageRequest } from '../../http/pagination.ts';

export interface CompanyRow {
  id: string;
  name: string;
  legalName: string;
  gstin: string;
  creditLimit: string;
  creditDays: number;
  active: boolean;
  userCount: number;
  bookingCount: number;
}

/** One page of the companies, by name. */
export function listCompanies(
  db: Executor,
  filter: { search?: string; activeOnly?: boolean },
  page: PageRequest,
): Promise<Page<CompanyRow>> {
  return selectPage<CompanyRow>(
    db,
    {
      columns: sql`
        id, name, legal_name as "legalName", gstin, credit_limit::text as "creditLimit", credit_days as "creditDays", active,
        (select count(*)::integer from users where users.company_id = companies.id) as "userCount",
        (select count(*)::integer from bookings where bookings.company_id = companies.id) as "bookingCount"`,
      from: sql`companies`,
      where: allOf([contains(sql`search_text`, filter.search), filter.activeOnly === true ? sql`active` : undefined]),
      orderBy: sql`name_folded collate "C", id`,
    },
    page,
  );
}
