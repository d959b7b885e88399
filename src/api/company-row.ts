import sql from 'sql-template-tag';
import { selectFields } from '../audit/entity-sql.ts';
import { type CompanyScope, companyForbidden } from '../auth/callers/access.ts';
import type { Reader } from '../db/database.ts';
import { company } from '../entities/company.ts';
import type { RowOf } from '../entities/entity.ts';

const FIELDS = ['id', 'active', 'defaultDepartmentId', 'defaultBandId'] as const;

/**
 * Asserts that a requested company exists and is visible, where the caller's scope is not a list of companies.
 *
 * @throws ApiError `COMPANY_FORBIDDEN`
 */
export async function assertCompanyVisible(db: Reader, scope: CompanyScope, companyId: string): Promise<void> {
  if (scope !== 'all' && scope !== 'active') return;
  const { active } = await getCompanyOrForbid(db, companyId);
  if (scope === 'active' && !active) throw companyForbidden(['CORPORATE_ADMIN']);
}

/** Returns the company, active or not. @throws ApiError `COMPANY_FORBIDDEN` if there is none, so that unknown and foreign ids look alike */
export async function getCompanyOrForbid(
  db: Reader,
  id: string,
): Promise<RowOf<typeof company, (typeof FIELDS)[number]>> {
  const [found] = await db.query<RowOf<typeof company, (typeof FIELDS)[number]>>(sql`
    select ${selectFields(company, FIELDS)} from companies where id = ${id}`);
  if (found === undefined) throw companyForbidden(['CORPORATE_ADMIN']);
  return found;
}
