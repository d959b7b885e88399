import sql, { raw, type Sql } from 'sql-template-tag';

/** How many rows of the table a company has, as the database keeps it (migrations/0008.do.company-counts.sql). @param companyId in SQL */
export function countOfCompany(table: 'users' | 'bookings', companyId: Sql): Sql {
  return sql`
    select coalesce(sum(change), 0)::integer from company_counts
     where counted = ${raw(`'${table}'`)} and company_id = ${companyId}`;
}
