import sql from 'sql-template-tag';
import type { Author } from '../../api/write-request.ts';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedDelete, auditedInsert, auditedUpdate, write } from '../../audit/audited-write.ts';
import { keySuspended } from '../../auth/callers/access.ts';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import type { Caller } from '../../auth/callers/roles.ts';
import type { Reader, Transaction, Writer } from '../../db/database.ts';
import type { NewRowOf } from '../../entities/entity.ts';
import { companyRole, systemRole } from '../../entities/held-role.ts';
import { cents, type DecimalString } from '../../entities/money.ts';
import type { CompanyRole, SystemRole } from '../../entities/roles.ts';
import { scimUser } from '../../entities/scim-user.ts';
import { type Employment, SIGN_IN_FIELDS, user, works } from '../../entities/user.ts';
import { assertNotLastAdmin, checkGrantRules } from './person-rules.ts';
import type { Person } from './person-service.ts';

const insertRoles = auditedInsert(companyRole);
const removeCompanyRoles = auditedDelete(companyRole);
const insertSystemRole = auditedInsert(systemRole);
const updateSystemRole = auditedUpdate(systemRole, ['role', 'active']);
const removeSystemRole = auditedDelete(systemRole);

/** Adds roles that are not held yet. */
export async function addRoles(
  db: Writer,
  actor: Actor,
  roles: readonly NewRowOf<typeof companyRole>[],
): Promise<void> {
  if (roles.length > 0) await write(db, insertRoles(roles, actor));
}

/** Grants locked people a role in a company; no-op for those who hold it. @throws ApiError `OWN_LIMIT`, `KEY_SUSPENDED` */
export async function grantCompanyRole(
  transaction: Transaction,
  { actor, caller }: Author,
  people: readonly Person[],
  role: CompanyRole,
  companyId: string,
): Promise<void> {
  const others = people.filter((person) => heldRoles(person, role, companyId).length === 0);
  checkGrantRules(caller, others, companyId);
  if (others.length > 0) await checkGift(transaction, caller, { changes: {}, roles: [role] });
  const roles = others.map(({ id: userId }) => ({ userId, companyId, role }));
  await addRoles(transaction, actor, roles);
}

/** Revokes a role in a company from locked people; no-op for those who do not hold it. @throws ApiError `LAST_ADMIN`, `KEY_SUSPENDED` */
export async function revokeCompanyRole(
  transaction: Transaction,
  { actor, caller }: Author,
  people: readonly Person[],
  role: CompanyRole,
  companyId: string,
): Promise<void> {
  const held = people.flatMap((person) => heldRoles(person, role, companyId));
  if (held.length === 0) return;
  await checkGift(transaction, caller, { changes: {}, roles: [role] });
  await assertNotLastAdmin(transaction, caller, people, { role, companyId });
  const ids = held.map(({ id }) => id);
  await write(transaction, removeCompanyRoles(ids, actor));
}

function heldRoles({ companyRoles }: Person, role: CompanyRole, companyId: string): Person['companyRoles'] {
  return companyRoles.filter((held) => held.role === role && held.companyId === companyId);
}

/** Grants a locked person a platform role, replacing the one they hold. @throws ApiError `LAST_ADMIN` */
export async function grantSystemRole(
  transaction: Transaction,
  { actor, caller }: Author,
  person: Person,
  role: SystemRole,
): Promise<void> {
  const { id, systemRole: held } = person;
  if (held?.active && held.role === role) return;
  if (held === null) {
    await write(transaction, insertSystemRole([{ userId: id, role, active: true }], actor));
    return;
  }
  await assertNotLastAdmin(transaction, caller, [person], { role: held.role });
  await write(transaction, updateSystemRole({ id, patch: { role, active: true }, actor }));
}

/** Revokes a platform role from a locked person; no-op where they do not hold it. @throws ApiError `LAST_ADMIN` */
export async function revokeSystemRole(
  transaction: Transaction,
  { actor, caller }: Author,
  person: Person,
  role: SystemRole,
): Promise<void> {
  if (person.systemRole?.role !== role) return;
  await assertNotLastAdmin(transaction, caller, [person], { role });
  await write(transaction, removeSystemRole([person.id], actor));
}

/** What a caller is about to write of a person. */
interface Gift {
  /** The person as they are; absent for a new one. */
  person?: Pick<Caller, 'systemRole' | 'companyRoles' | 'ownRoles'> &
    Employment & { companyId: string; approvalLimit: DecimalString; bandId: string };
  /** The fields that differ, or those of a new person, with what a directory knows. */
  changes: Partial<Employment> & { approvalLimit?: DecimalString; bandId?: string };
  roles?: readonly string[];
}

/** The fields of people that a suspended key may write; limits only as far as they do not rise. */
const PROVISIONED: ReadonlySet<string> = new Set([
  ...['id', 'email', 'firstName', 'lastName', 'companyId', 'departmentId', 'managerId', 'active', 'externalId'],
  ...Object.entries(user.fields).flatMap(([name, field]) => ('describes' in field ? [name] : [])),
  ...Object.keys(scimUser.fields),
]);

/**
 * Checks that a suspended API key only provisions ordinary people: those who hold no role but EMPLOYEE in their own company. It raises no
 * limit, and lets nobody in who has one.
 *
 * @param caller undefined at the command line
 * @throws ApiError `KEY_SUSPENDED`
 */
export async function checkGift(db: Reader, caller: Caller | KeyCaller | undefined, gift: Gift): Promise<void> {
  if (caller === undefined || !('keyId' in caller) || !caller.isSuspended) return;
  if (!(await isProvisioning(db, gift))) throw keySuspended();
}

async function isProvisioning(db: Reader, { person, changes, roles = [] }: Gift): Promise<boolean> {
  const names = Object.keys(changes);
  if (roles.some((role) => role !== 'EMPLOYEE')) return false;
  if (names.length === 0) return true;
  if (person !== undefined && !isOrdinary(person)) return false;
  if (person !== undefined && cents(person.approvalLimit) > 0 && works({ ...person, ...changes })) {
    if (!works(person) || SIGN_IN_FIELDS.some((name) => name in changes)) return false;
  }
  const { approvalLimit, bandId, ...others } = changes;
  if (approvalLimit !== undefined && cents(approvalLimit) > cents(person?.approvalLimit ?? '0.00')) return false;
  if (bandId !== undefined && (await hasHigherLimits(db, bandId, person?.bandId))) return false;
  return Object.entries(others).every(([name, value]) => PROVISIONED.has(name) || (person === undefined && !value));
}

function isOrdinary({ systemRole, companyRoles, ownRoles = [], companyId }: NonNullable<Gift['person']>): boolean {
  if (systemRole !== null || ownRoles.length > 0) return false;
  return companyRoles.every((held) => held.role === 'EMPLOYEE' && held.companyId === companyId);
}

/** Returns whether a band has a higher limit than another one. @param than absent: the default of the band's company */
async function hasHigherLimits(db: Reader, bandId: string, than: string | undefined): Promise<boolean> {
  const higher = await db.query(sql`
    select from employee_bands band join companies on companies.id = band.company_id
      left join employee_bands other on other.id = coalesce(${than ?? null}::uuid, companies.default_band_id)
     where band.id = ${bandId}
       and (band.auto_approval_limit > coalesce(other.auto_approval_limit, 0)
            or (other.max_booking_limit is not null and coalesce(band.max_booking_limit > other.max_booking_limit, true)))`);
  return higher.length > 0;
}
