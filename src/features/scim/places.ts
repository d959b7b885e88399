import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { checkValue, throwIfInvalid } from '../../api/body.ts';
import { auditedInsert } from '../../audit/audited-write.ts';
import type { Reader, Transaction } from '../../db/database.ts';
import { department } from '../../entities/department.ts';
import { apiErrors } from '../../lib/errors.ts';
import type { Directory } from './scim-directory.ts';

const insertDepartment = auditedInsert(department);
const COST_CODE_LENGTH = 50;

/**
 * The id of the company's department of that name, without regard to case and accents, or cost code. One that is not there is made.
 *
 * @throws ApiError `INVALID_INPUT` for a text that cannot be a name
 */
export async function departmentOf(
  transaction: Transaction,
  { companyId, actor }: Directory,
  said: string,
): Promise<string> {
  const { value: name = '', problems } = checkValue('department', department.fields.name.kind, said);
  throwIfInvalid(problems);
  const known = await findDepartment(transaction, companyId, name);
  if (known !== undefined) return known;
  // Two joiners of a department that is new to both make it once: the second waits for the first.
  await transaction.query(sql`select from companies where id = ${companyId}::uuid for no key update`);
  const madeMeanwhile = await findDepartment(transaction, companyId, name);
  if (madeMeanwhile !== undefined) return madeMeanwhile;
  const id = randomUUID();
  const costCode = [...name].slice(0, COST_CODE_LENGTH).join('').trim();
  await transaction.query(sql`
    with ${insertDepartment([{ id, companyId, name, costCode, budget: '0.00' }], actor)} select from written`);
  return id;
}

async function findDepartment(db: Reader, companyId: string, name: string): Promise<string | undefined> {
  const [found] = await db.query<{ id: string }>(sql`
    select id from departments
     where company_id = ${companyId}::uuid and (name_folded = fold(${name}::text) or cost_code = ${name}::text)
     order by name_folded = fold(${name}::text) desc, name = ${name}::text desc, id limit 1
       for key share`);
  return found?.id;
}

/** The id of the company's band of that code. @throws ApiError `INVALID_INPUT` */
export async function bandOf(db: Reader, companyId: string, code: string): Promise<string> {
  const [found] = await db.query<{ id: string }>(sql`
    select id from employee_bands where company_id = ${companyId}::uuid and code = ${code.trim()}::text order by id limit 1
       for key share`);
  if (found !== undefined) return found.id;
  const message = 'bandCode must be the code of a band of the company.';
  throw apiErrors.invalidInput([{ field: 'bandCode', code: 'INVALID_VALUE', message }]);
}
