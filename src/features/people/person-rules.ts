import sql, { type Sql } from 'sql-template-tag';
import { worksOn } from '../../audit/entity-sql.ts';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import {
  administeredCompanies,
  type Caller,
  type HeldCompanyRole,
  isPlatformKey,
  isSuperAdmin,
} from '../../auth/callers/roles.ts';
import type { Transaction } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import { ApiError } from '../../entities/api-error.ts';
import { deletedUserName } from '../../entities/characters.ts';
import { cents, type DecimalString } from '../../entities/money.ts';
import { type Employment, SIGN_IN_FIELDS, user, WORK_FIELDS, works } from '../../entities/user.ts';

/** Caller who changes people. An API key administers its company, or all active ones, and is never a Super Admin. */
type Administrator = Caller | KeyCaller;

/** The part of a person that the rules check. */
type Roles = Pick<Caller, 'userId' | 'works' | 'systemRole' | 'companyRoles'> & { email?: string };

/** Fields that decide how a person signs in, and whether they can. */
const PROTECTED_FIELDS = [...SIGN_IN_FIELDS, ...WORK_FIELDS] as const;
/** Fields that decide what a person may do and spend. */
const LIMIT_FIELDS = ['approvalLimit', 'bandId', 'loyaltyPoints'] as const;
/** Fields of the row of a person that the rules check. */
export const RULED_FIELDS = [...PROTECTED_FIELDS, ...LIMIT_FIELDS].filter(
  (name) => name in user.fields,
) as (keyof typeof user.fields)[];

/** Returns whether somebody who works would no longer do so after these changes. */
export function stopsWorking(person: Employment, changes: Partial<Employment>): boolean {
  return works(person) && !works({ ...person, ...changes });
}

/** A rule that changes to a person would break. */
interface BrokenRule {
  code: 'PROTECTED_USER' | 'OWN_LIMIT';
  message: string;
  /** The first field that must not change. */
  field: string;
}

/**
 * Returns the first rule that these changes break; undefined where there is none. A Super Admin may change everything, and a key that
 * changes its creator is treated like that person.
 *
 * `PROTECTED_USER`: sign-in fields of a person with a platform role, or with a role in a company that the caller does not administer. Their own
 * company may deactivate them all the same.
 * `OWN_LIMIT`: one's own approval limit, band or loyalty points, directly or through one's API key.
 *
 * @param changes the fields that differ, with their new values
 */
export function findBrokenRule(
  caller: Administrator,
  person: Roles,
  changes: Readonly<Record<string, unknown>>,
): BrokenRule | undefined {
  if (mayAnything(caller)) return undefined;
  const signIn = PROTECTED_FIELDS.find(
    (name) =>
      name in changes &&
      !(name === 'workEmail' && isOwnAddress(person, changes)) &&
      !isLeaving(person, name, changes[name]),
  );
  if (signIn !== undefined && isProtectedFrom(caller, person)) {
    const message =
      'This person holds a platform role, or a role in another company: only a Super Admin may change how they sign in, their first or last day, or reactivate them.';
    return { code: 'PROTECTED_USER', message, field: signIn };
  }
  if (!isSelf(caller, person) || isActiveSuperAdmin(person)) return undefined;
  const limit = LIMIT_FIELDS.find((name) => name in changes);
  if (limit !== undefined) {
    const message = 'Nobody changes their own approval limit, band or loyalty points: ask another administrator.';
    return { code: 'OWN_LIMIT', message, field: limit };
  }
  if (changes.active !== true) return undefined;
  const message = 'An API key does not reactivate the person who made it: ask an administrator.';
  return { code: 'OWN_LIMIT', message, field: 'active' };
}

/** Returns whether a new work address is the one by which the person signs in anyway. */
function isOwnAddress({ email }: Roles, { workEmail }: Readonly<Record<string, unknown>>): boolean {
  return workEmail === null || String(workEmail).toLowerCase() === email?.toLowerCase();
}

/** Returns whether a value takes access away: a deactivation, or the address of somebody whom a directory deletes or a newcomer replaces. */
function isLeaving({ userId }: Roles, name: string, value: unknown): boolean {
  return name === 'active' ? value === false : name === 'email' && value === deletedUserName(userId);
}

/**
 * Checks whether the caller may grant people a role in a company. An API key grants its creator only what they could grant themselves:
 * they must still be active and administer the company.
 *
 * @param people those who do not hold the role yet
 * @throws ApiError `OWN_LIMIT`
 */
export function checkGrantRules(caller: Administrator, people: readonly Roles[], companyId: string): void {
  if ('userId' in caller) return;
  const maker = people.find((person) => isSelf(caller, person));
  if (maker === undefined || isActiveSuperAdmin(maker)) return;
  if (maker.works && administeredCompanies(maker).includes(companyId)) return;
  throw new ApiError('OWN_LIMIT', 'An API key gives the person who made it no role: ask an administrator.');
}

/**
 * Checks whether the caller may change the limits of a band: nobody may raise those of their own band.
 *
 * @param band the present limits; the row is locked
 * @param changes the fields that differ, with their new values
 * @throws ApiError `OWN_LIMIT`
 */
export async function checkBandLimits(
  transaction: Transaction,
  caller: Administrator,
  band: BandLimits & { id: string },
  changes: Partial<BandLimits>,
): Promise<void> {
  if (mayAnything(caller) || !raisesLimits(band, changes)) return;
  const self = 'userId' in caller ? caller.userId : caller.createdBy;
  const [own] = await transaction.query(sql`
    select from users where id = ${self}::uuid and band_id = ${band.id} and not exists (
      select from system_roles held where held.user_id = users.id and held.role = 'SUPER_ADMIN' and held.active)`);
  if (own === undefined) return;
  throw new ApiError('OWN_LIMIT', 'Nobody raises the limits of their own band: ask another administrator.');
}

/** Amounts as decimal strings; a `maxBookingLimit` of null means unlimited. */
interface BandLimits {
  autoApprovalLimit: DecimalString;
  maxBookingLimit: DecimalString | null;
}

function raisesLimits(band: BandLimits, { autoApprovalLimit, maxBookingLimit }: Partial<BandLimits>): boolean {
  if (autoApprovalLimit !== undefined && cents(autoApprovalLimit) > cents(band.autoApprovalLimit)) return true;
  if (maxBookingLimit === undefined || band.maxBookingLimit === null) return false;
  return maxBookingLimit === null || cents(maxBookingLimit) > cents(band.maxBookingLimit);
}

/**
 * Returns the SQL condition that these rules may forbid a change of a person: of all others they forbid none.
 *
 * @param person alias of `users`
 */
export function mayBeForbidden(caller: Administrator, person: Sql): Sql {
  return sql`(
    ${person}.id = ${anyOf(selvesOf(caller))} or exists (select from system_roles held where held.user_id = ${person}.id)
    or exists (select from company_roles held where held.user_id = ${person}.id
                and (held.role = 'CORPORATE_ADMIN' or held.company_id <> ${person}.company_id)))`;
}

/** Returns the ids of the caller, or of those who answer for the calling API key. */
function selvesOf(caller: Administrator): string[] {
  return 'userId' in caller ? [caller.userId] : [caller.createdBy, caller.confirmedBy].filter((id) => id !== null);
}

function isSelf(caller: Administrator, { userId }: Roles): boolean {
  return selvesOf(caller).includes(userId);
}

function isActiveSuperAdmin(person: Roles): boolean {
  return person.works && isSuperAdmin(person);
}

function mayAnything(caller: Administrator): boolean {
  return 'userId' in caller && isSuperAdmin(caller);
}

function administeredBy(caller: Administrator): readonly string[] {
  if ('userId' in caller) return administeredCompanies(caller);
  return caller.companyId === null ? [] : [caller.companyId];
}

function isProtectedFrom(caller: Administrator, { systemRole, companyRoles }: Roles): boolean {
  const administered = administeredBy(caller);
  const isForeign = ({ companyId, companyActive }: HeldCompanyRole) =>
    isPlatformKey(caller) ? !companyActive : !administered.includes(companyId);
  return systemRole?.active === true || companyRoles.some(isForeign);
}

/**
 * Checks, before people are deactivated or lose a role, that each company and the platform keep an active administrator.
 *
 * @param caller undefined at the command line
 * @param people their rows are locked
 * @param losing the one role that is lost, with the id of its company; absent: all of them
 * @throws ApiError `LAST_ADMIN`
 */
export async function assertNotLastAdmin(
  transaction: Transaction,
  caller: Administrator | undefined,
  people: readonly Roles[],
  losing?: { role: string; companyId?: string | undefined },
): Promise<void> {
  const isLost = ({ role, companyId }: { role: string; companyId?: string }) =>
    losing === undefined || (losing.role === role && (losing.companyId ?? companyId) === companyId);
  const [last] = await findLastAdmins(
    transaction,
    caller,
    people.map((person) => ({
      ...person,
      systemRole: person.systemRole && isLost(person.systemRole) ? person.systemRole : null,
      companyRoles: person.companyRoles.filter(isLost),
    })),
  );
  if (last !== undefined) throw new ApiError('LAST_ADMIN', last.message);
}

/** People who are the last active administrators, and therefore must stay. */
export interface LastAdmins {
  message: string;
  userIds: readonly string[];
}

/**
 * Returns those whose leaving takes the last active administrator from a company or the platform. Locks the companies' rows until the
 * transaction ends, which serialises two admins who remove each other.
 *
 * @param caller undefined at the command line
 * @param people those who leave together, each with the roles that they lose
 */
export async function findLastAdmins(
  transaction: Transaction,
  caller: Administrator | undefined,
  people: readonly Roles[],
): Promise<LastAdmins[]> {
  const leaving = people.filter((person) => person.works);
  const found: LastAdmins[] = [];
  const idsOf = (some: readonly Roles[]) => some.map(({ userId }) => userId);
  const supers = leaving.filter(({ systemRole }) => systemRole?.active && systemRole.role === 'SUPER_ADMIN');
  if (supers.length > 0 && !(await hasOtherSuperAdmin(transaction, supers))) {
    found.push({
      message: 'This is the last active Super Admin: give somebody else the role first.',
      userIds: idsOf(supers),
    });
  }
  if (caller && mayAnything(caller)) return found;
  const isAdminOf = (companyId: string) => (person: Roles) =>
    person.companyRoles.some((held) => held.role === 'CORPORATE_ADMIN' && held.companyId === companyId);
  const companies = leaving.flatMap(({ companyRoles }) => companyRoles).map(({ companyId }) => companyId);
  for (const companyId of [...new Set(companies)].sort()) {
    const admins = leaving.filter(isAdminOf(companyId));
    if (admins.length === 0 || (await hasOtherCorporateAdmin(transaction, admins, companyId))) continue;
    found.push({
      message: 'This is the last active Corporate Admin of the company: give somebody else the role first.',
      userIds: idsOf(admins),
    });
  }
  return found;
}

function isAnotherThan(people: readonly Roles[]): Sql {
  const ids = JSON.stringify(people.map(({ userId }) => userId));
  return sql`users.id not in (select id::uuid from json_array_elements_text(${ids}::text::json) leaving (id))`;
}

async function hasOtherSuperAdmin(transaction: Transaction, leaving: readonly Roles[]): Promise<boolean> {
  await transaction.query(sql`
    select from system_roles where role = 'SUPER_ADMIN' order by user_id for update`);
  const [other] = await transaction.query(sql`
    select from system_roles join users on users.id = system_roles.user_id
     where system_roles.role = 'SUPER_ADMIN' and system_roles.active and ${worksOn()} and ${isAnotherThan(leaving)}
     limit 1`);
  return other !== undefined;
}

async function hasOtherCorporateAdmin(
  transaction: Transaction,
  leaving: readonly Roles[],
  companyId: string,
): Promise<boolean> {
  await transaction.query(sql`select from companies where id = ${companyId} for no key update`);
  const [other] = await transaction.query(sql`
    select from company_roles join users on users.id = company_roles.user_id
     where company_roles.company_id = ${companyId} and company_roles.role = 'CORPORATE_ADMIN'
       and ${worksOn()} and ${isAnotherThan(leaving)} limit 1`);
  return other !== undefined;
}
