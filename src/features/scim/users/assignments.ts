import { randomUUID } from 'node:crypto';
import sql, { join, type Sql } from 'sql-template-tag';
import { auditedInsert, write } from '../../../audit/audited-write.ts';
import { hasEmail, hasKey } from '../../../audit/entity-sql.ts';
import type { Reader, Transaction } from '../../../db/database.ts';
import { type ApiError, apiErrors, problemOf } from '../../../entities/api-error.ts';
import { band } from '../../../entities/band.ts';
import { isCanonicalUuid } from '../../../entities/characters.ts';
import { department } from '../../../entities/department.ts';
import { user } from '../../../entities/user.ts';
import { assignmentOrDefaults } from '../../people/assignments.ts';
import type { GroupAssignment } from '../../people/group-roles.ts';
import type { Directory } from '../scim-operation.ts';
import type { UserChanges } from './user-changes.ts';
import { isSeenBy, scimUsers } from './user-row.ts';

const insertDepartment = auditedInsert(department);
const COST_CODE_LENGTH = 50;

/**
 * Returns the id of the company's department with that cost code (ignoring case) or name (ignoring case and accents), and creates it where
 * there is none.
 *
 * @throws ApiError `INVALID_INPUT` for a text that matches several departments
 */
async function departmentOf(transaction: Transaction, { companyId, actor }: Directory, name: string): Promise<string> {
  const known = await findDepartment(transaction, companyId, name);
  if (known !== undefined) return known;
  // Serialises concurrent requests that name the same new department: the second one finds it.
  await transaction.query(sql`select from companies where id = ${companyId}::uuid for no key update`);
  const madeMeanwhile = await findDepartment(transaction, companyId, name);
  if (madeMeanwhile !== undefined) return madeMeanwhile;
  const id = randomUUID();
  const costCode = await newCostCode(transaction, companyId, name, id);
  await write(transaction, insertDepartment([{ id, companyId, name, costCode, budget: '0.00' }], actor));
  return id;
}

async function findDepartment(db: Reader, companyId: string, named: string): Promise<string | undefined> {
  const [first, second] = await db.query<{ id: string; isKey: boolean }>(sql`
    select id, ${hasCostCode(companyId, named)} as "isKey" from departments
     where company_id = ${companyId}::uuid and (name_folded = fold(${named}::text) or ${hasCostCode(companyId, named)})
     order by "isKey" desc, id limit 2
       for key share`);
  if (first === undefined || first.isKey || second === undefined) return first?.id;
  throw invalidField('department', 'the cost code of one department, as more than one goes by this name');
}

/** Returns the truncated name; with a part of the id appended if that cost code is taken. */
async function newCostCode(db: Reader, companyId: string, name: string, id: string): Promise<string> {
  const cut = (length: number) => [...name].slice(0, length).join('').trim();
  const costCode = cut(COST_CODE_LENGTH);
  const [taken] = await db.query(sql`
    select from departments where ${hasCostCode(companyId, costCode)}`);
  return taken === undefined ? costCode : `${cut(COST_CODE_LENGTH - 9)}-${id.slice(0, 8)}`;
}

function hasCostCode(companyId: string, costCode: string): Sql {
  return hasKey(department, department.naturalKey, [sql`${companyId}::uuid`, sql`${costCode}::text`]);
}

/** Returns the id of the company's band with that code, ignoring case. @throws ApiError `INVALID_INPUT` */
async function bandOf(db: Reader, companyId: string, code: string): Promise<string> {
  const [found] = await db.query<{ id: string }>(sql`
    select id from employee_bands
     where ${hasKey(band, band.naturalKey, [sql`${companyId}::uuid`, sql`${code}::text`])}
       for key share`);
  if (found !== undefined) return found.id;
  throw invalidField('bandCode', 'the code of a band of the company');
}

/** The manager of a person as it is stored: linked, or as named until they come. */
export interface NamedManager {
  managerId?: string | null;
  managerValue?: string | null;
}

/** Returns the manager that a change names; nothing where it names none. */
export async function namedManager(
  db: Reader,
  { companyId, directoryId }: Pick<Directory, 'companyId' | 'directoryId'>,
  named: UserChanges['manager'],
): Promise<NamedManager> {
  if (named === undefined) return {};
  if (named === null) return { managerId: null, managerValue: null };
  const [, byNumber] = user.unique;
  const isCalled = [
    sql`users.id = ${isCanonicalUuid(named) ? named : null}::uuid`,
    sql`users.id = (select user_id from directory_people where directory_id = ${directoryId}::uuid and external_id = ${named}::text)`,
    sql`users.company_id = ${companyId}::uuid and users.external_id = ${named}::text`,
    hasKey(user, byNumber, [sql`${companyId}::uuid`, sql`${named}::text`]),
    hasEmail(sql`${named}::text`),
  ];
  const found = isCalled.map(
    (condition, rank) => sql`select users.id, ${rank}::integer as rank from users where ${condition}`,
  );
  const [first] = await db.query<{ id: string }>(sql`
    select users.id from (${join(found, ' union all ')}) found join (${scimUsers}) on users.id = found.id
     where ${isSeenBy(companyId)} order by rank limit 1`);
  return first === undefined ? { managerId: null, managerValue: named } : { managerId: first.id, managerValue: null };
}

function invalidField(field: string, expected: string): ApiError {
  return apiErrors.invalidInput([problemOf(field, 'INVALID_VALUE', `must be ${expected}`)]);
}

/** Returns the named department and band, or the company's defaults. @throws ApiError `INVALID_INPUT` where there are none */
export async function joinersAssignment(
  transaction: Transaction,
  directory: Directory,
  changes: UserChanges,
): Promise<{ departmentId: string; bandId: string }> {
  const named = await namedAssignment(transaction, directory, changes);
  const { departmentId, bandId } = await assignmentOrDefaults(transaction, directory.companyId, named);
  return { departmentId: departmentId ?? missingDefault('department'), bandId: bandId ?? missingDefault('bandCode') };
}

/**
 * Returns the ids of the department and band that are to be set: those that groups give, else those that are named.
 *
 * @throws ApiError `INVALID_INPUT`
 */
export async function namedAssignment(
  transaction: Transaction,
  directory: Directory,
  { department, bandCode }: UserChanges,
  given: GroupAssignment = {},
): Promise<{ departmentId?: string; bandId?: string }> {
  const { companyId } = directory;
  const departmentId =
    given.departmentId ??
    (department === null ? await defaultDepartment(transaction, companyId) : undefined) ??
    (department ? await departmentOf(transaction, directory, department) : undefined);
  const bandId = given.bandId ?? (bandCode === undefined ? undefined : await bandOf(transaction, companyId, bandCode));
  return { ...(departmentId === undefined ? {} : { departmentId }), ...(bandId === undefined ? {} : { bandId }) };
}

async function defaultDepartment(transaction: Transaction, companyId: string): Promise<string> {
  const { departmentId } = await assignmentOrDefaults(transaction, companyId, {});
  return departmentId ?? missingDefault('department');
}

function missingDefault(field: string): never {
  throw apiErrors.invalidInput([problemOf(field, 'REQUIRED', 'is required: the company has no default')]);
}
