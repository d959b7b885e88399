import sql from 'sql-template-tag';
import type { Reader } from '../db/database.ts';
import { apiErrors } from '../entities/api-error.ts';
import { readPhone } from '../entities/phone.ts';
import { fieldMessage } from '../entities/values.ts';


/**
 * Returns the values of a person with their telephone number in E.164, read in the forms of their company's country.
 *
 * @param field its name in a problem; null: what cannot be read stays as it is
 * @throws ApiError `INVALID_INPUT`
 */
export async function withPhone<Values extends { phone?: string | null | undefined }>(
  db: Reader,
  companyId: string,
  values: Values,
  field: string | null = 'phone',
): Promise<Values> {
  const { phone } = values;
  if (!phone) return values;
  let reading = readPhone(phone, null);
  if ('code' in reading && !phone.includes('+')) {
    const [company] = await db.query<{ country: string | null }>(sql`select country from companies where id = ${companyId}`);
    reading = readPhone(phone, company?.country ?? null);
  }
  if ('value' in reading) return { ...values, phone: reading.value };
  if (field === null) return values;
  throw apiErrors.invalidInput([{ field, code: reading.code, message: fieldMessage(field, reading.expected) }]);
}
