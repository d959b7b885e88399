import sql from 'sql-template-tag';
import { selectFields } from '../audit/entity-sql.ts';
import { type CompanyScope, companyForbidden } from '../auth/callers/access.ts';
import type { Reader } from '../db/database.ts';
import { apiErrors } from '../entities/api-error.ts';
import { company } from '../entities/company.ts';
import type { RowOf } from '../entities/entity.ts';
import { homeCountry, readPhone } from '../entities/phone.ts';
import { fieldMessage } from '../entities/values.ts';

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

/** Returns the country in whose national forms a telephone number is read; null: there is none, or the number needs none. */
export async function phoneCountry(
  db: Reader,
  companyId: string,
  phone: string | null | undefined,
): Promise<string | null> {
  if (!phone || phone.includes('+')) return null;
  const [found] = await db.query<{ country: string | null }>(
    sql`select country from companies where id = ${companyId}`,
  );
  return homeCountry(found?.country);
}

/**
 * Returns the values of a person with their telephone number in E.164, read in the forms of their company's country.
 *
 * @param field its name in a problem
 * @throws ApiError `INVALID_INPUT`
 */
export async function withPhone<Values extends { phone?: string | null | undefined }>(
  db: Reader,
  companyId: string,
  values: Values,
  field = 'phone',
): Promise<Values> {
  const { phone } = values;
  if (!phone) return values;
  const reading = readPhone(phone, await phoneCountry(db, companyId, phone));
  if ('value' in reading) return { ...values, phone: reading.value };
  throw apiErrors.invalidInput([{ field, code: reading.code, message: fieldMessage(field, reading.expected) }]);
}
