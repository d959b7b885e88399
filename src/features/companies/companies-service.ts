import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { changedFields } from '../../api/body.ts';
import { withPhone } from '../../api/company-row.ts';
import { checkCustomFields, showFields } from '../../api/custom-fields.ts';
import { checkReferences } from '../../api/hierarchy.ts';
import {
  alreadyExists,
  inScope,
  mapConflicts,
  retryOnUniqueViolation,
  type WriteRequest,
} from '../../api/write-request.ts';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedInsert, auditedUpdate, write } from '../../audit/audited-write.ts';
import { isPlatformKey, isSuperAdmin } from '../../auth/callers/roles.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { ApiError, problemOf } from '../../entities/api-error.ts';
import { band } from '../../entities/band.ts';
import { company } from '../../entities/company.ts';
import { department } from '../../entities/department.ts';
import { user } from '../../entities/user.ts';
import { checkIfMatch } from '../../http/response/entity-tag.ts';
import type { addFirstAdmin, FirstAssignment } from '../people/add-people.ts';
import { type CompanySettings, completed, findCompany } from './companies-queries.ts';
import {
  COMPANY_FIELDS,
  type CompanyDetail,
  type CompanyPatch,
  type CompanyRow,
  type FirstAdmin,
  type NewCompany,
  OWN_COMPANY_FIELDS,
} from './companies-schemas.ts';

const insertCompany = auditedInsert(company);
const insertDepartment = auditedInsert(department);
const insertBand = auditedInsert(band);
const update = auditedUpdate(company, COMPANY_FIELDS);

/** The default department and band of a new company. */
const FIRST_DEPARTMENT = { name: 'General', costCode: 'GENERAL', budget: null } as const;
const FIRST_BAND = { name: 'Default', code: 'DEFAULT', autoApprovalLimit: '0.00' } as const;

/** What adds people: given from outside, so that companies do not depend on the rules about people. */
export interface AdminSource {
  addFirstAdmin: typeof addFirstAdmin;
}

/**
 * Adds a company with its first department and band, and its first administrator if sent. Idempotent: an existing one with the same content
 * is left unchanged.
 *
 * @throws ApiError `ALREADY_EXISTS` for an id, GSTIN or e-mail address already in use
 */
export async function createCompany(
  db: Database,
  { actor, caller }: WriteRequest,
  sent: NewCompany,
  { timeZone, defaultCurrency, addFirstAdmin }: CompanySettings & AdminSource,
): Promise<CompanyDetail> {
  if ('keyId' in caller && !isPlatformKey(caller)) {
    throw new ApiError('SCOPE_REQUIRED', 'A company is created by an API key of the platform.');
  }
  const write = () =>
    db.transaction(async (transaction) => {
      const own = { id: sent.id, isNew: true, stored: null, given: sent.fields };
      const [fields = null] = await checkCustomFields(transaction, company, { caller, companyId: sent.id }, [own]);
      const given = { ...sent, fields };
      const { firstAdmin, ...others } = given;
      const added = await addCompany(transaction, actor, { ...others, timeZone: given.timeZone ?? timeZone });
      if (added && firstAdmin) await addFirstAdmin(transaction, actor, added, firstAdmin);
      if (!added && !(await isSame(transaction, given))) throw alreadyExists(company, ['id']);
      const made = completed(await findCompany(transaction, given.id, 'all'), defaultCurrency);
      await showFields(transaction, company, caller, [made]);
      return made;
    });
  const ofAdmin = (field: string) => `firstAdmin.${field}`;
  return mapConflicts(company, () => mapConflicts(user, () => retryOnUniqueViolation(write), ofAdmin));
}

/** Adds a company with its first department and band. @returns these; undefined, with nothing added, if a company of that id exists */
export async function addCompany(
  transaction: Transaction,
  actor: Actor,
  fields: Omit<NewCompany, 'firstAdmin'>,
): Promise<FirstAssignment | undefined> {
  const [companyId, departmentId, bandId] = [fields.id, randomUUID(), randomUUID()];
  const row = { ...fields, defaultDepartmentId: departmentId, defaultBandId: bandId, active: true };
  // Company and defaults refer to each other.
  await transaction.query(sql`set constraints companies_default_department, companies_default_band deferred`);
  const [added] = await transaction.query(sql`with ${insertCompany([row], actor)} select id from written`);
  if (added === undefined) return undefined;
  await write(transaction, insertDepartment([{ id: departmentId, companyId, ...FIRST_DEPARTMENT }], actor));
  await write(transaction, insertBand([{ id: bandId, companyId, ...FIRST_BAND }], actor));
  return { companyId, departmentId, bandId };
}

/** Whether a stored company equals what a create would produce: itself, its defaults and its administrator. */
async function isSame(db: Reader, { firstAdmin: sent, ...given }: NewCompany): Promise<boolean> {
  const present = await findCompany(db, given.id, 'all');
  const { country, timeZone } = present;
  const fields = { ...given, country: given.country ?? country, timeZone: given.timeZone ?? timeZone };
  if (!present.active || Object.keys(changedFields(fields, present)).length > 0) return false;
  const firstAdmin = sent && (await withPhone(db, given.id, sent, 'firstAdmin.phone'));
  const [found] = await db.query<{ hasDefaults: boolean; admins: (FirstAdmin & object)[] }>(sql`
    select exists (select from departments
                    where id = ${present.defaultDepartmentId}::uuid and cost_code = ${FIRST_DEPARTMENT.costCode})
       and exists (select from employee_bands where id = ${present.defaultBandId}::uuid and code = ${FIRST_BAND.code})
             as "hasDefaults",
           (select coalesce(json_agg(json_build_object(
                     'email', email, 'firstName', first_name, 'lastName', last_name, 'phone', phone)), '[]')
              from company_roles join users on users.id = company_roles.user_id
             where company_roles.company_id = ${fields.id} and role = 'CORPORATE_ADMIN') as admins`);
  const admins = found?.admins ?? [];
  const isFirst = (admin: FirstAdmin) => Object.keys(changedFields(admin, firstAdmin ?? {})).length === 0;
  const hasAdmin = firstAdmin ? admins.some(isFirst) : admins.length === 0;
  return found?.hasDefaults === true && hasAdmin;
}

/**
 * Updates fields of a company in scope; its own Corporate Admins may change only some of them.
 *
 * @throws ApiError `NOT_FOUND`, `INVALID_INPUT` for a default of another company, `FIELD_FORBIDDEN`, `PRECONDITION_FAILED`,
 * `ALREADY_EXISTS`, `IN_USE`
 */
export function updateCompany(
  db: Database,
  { caller, scope, actor, ifMatch }: WriteRequest,
  { id, patch: sent }: { id: string; patch: CompanyPatch },
  defaultCurrency: string,
): Promise<CompanyDetail> {
  return mapConflicts(company, () =>
    db.transaction(async (transaction) => {
      // Locks in a separate statement, so that the next one sees what concurrent transactions have committed. Closing a company waits
      // for the writes of its administrators, which hold a key share of it.
      await transaction.query(sql`
        select from companies where id = ${id} and ${inScope(scope, sql`companies.id`)}
           ${sent.active === undefined ? sql`for no key update` : sql`for update`}`);
      const present = await findCompany(transaction, id, scope);
      const { fields: given, ...patch } = sent;
      const own = { id, isNew: false, stored: present.fields, given };
      const [fields] = await checkCustomFields(transaction, company, { caller, companyId: id }, [own]);
      const changes: CompanyPatch = { ...changedFields(patch, present), ...(fields === undefined ? {} : { fields }) };
      if (changes.currency === completed(present, defaultCurrency).currency) delete changes.currency;
      await checkReferences(transaction, company, [department, band], id, changes);
      if (!isSuperAdmin(caller) && !isPlatformKey(caller)) refuseForeignFields(changes);
      refuseUsed(changes, present);
      if (changes.active === false && 'keyId' in caller) await assertNotOperators(transaction, id);
      checkIfMatch(ifMatch, completed(present, defaultCurrency), company.noun);
      if (Object.keys(changes).length > 0) {
        await write(transaction, update({ id, patch: changes, actor }));
      }
      const changed = completed(await findCompany(transaction, id, 'all'), defaultCurrency);
      await showFields(transaction, company, caller, [changed]);
      return changed;
    }),
  );
}

/** @throws ApiError `IN_USE` for another currency of what is booked, or other days of what is closed */
function refuseUsed({ currency, timeZone }: CompanyPatch, { _count, closedTo }: CompanyRow): void {
  if (currency !== undefined && _count.bookings > 0) {
    throw new ApiError('IN_USE', 'The currency of a company with bookings does not change.');
  }
  if (timeZone !== undefined && closedTo !== null) {
    throw new ApiError('IN_USE', 'The time zone of a company with a closed period does not change.');
  }
}

/** @throws ApiError `FIELD_FORBIDDEN` for the company of those who run the platform: a key could not open it again */
async function assertNotOperators(transaction: Transaction, id: string): Promise<void> {
  const [staff] = await transaction.query(sql`
    select from system_roles join users on users.id = system_roles.user_id
     where users.company_id = ${id}::uuid and system_roles.active limit 1`);
  if (staff !== undefined) throw fieldsForbidden(['active']);
}

function refuseForeignFields(changes: CompanyPatch): void {
  const foreign = Object.keys(changes).filter((field) => !OWN_COMPANY_FIELDS.includes(field));
  if (foreign.length > 0) throw fieldsForbidden(foreign);
}

function fieldsForbidden(fields: readonly string[]): ApiError {
  const problems = fields.map((field) => problemOf(field, 'FIELD_FORBIDDEN', 'is changed by a Super Admin alone'));
  return new ApiError('FIELD_FORBIDDEN', problems.map(({ message }) => message).join(' '), { problems });
}
