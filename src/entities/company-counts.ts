import sql, { raw, type Sql } from 'sql-template-tag';

/**
 * Returns SQL for the number of the company's rows, from the counter table (migrations/0008.do.company-counts.sql).
 * @param companyId in SQL
 */
export function countOfCompany(table: 'users' | 'bookings', companyId: Sql): Sql {
  return sql`
    select coalesce(sum(change), 0)::integer from company_counts
     where counted = ${raw(`'${table}'`)} and company_id = ${companyId}`;
}
