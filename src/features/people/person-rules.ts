import sql, { type Sql } from 'sql-template-tag';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import { administeredCompanies, type Caller, isSuperAdmin } from '../../auth/callers/roles.ts';
import type { Transaction } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import { cents, type DecimalString } from '../../entities/money.ts';

/** Who changes people. An API key administers its company, and is no Super Admin. */
type Administrator = Caller | KeyCaller;

/** What the rules look at. */
type Roles = Pick<Caller, 'userId' | 'active' | 'systemRole' | 'companyRoles'>;

/** The fields by which somebody signs in, or is kept from it. */
const SIGN_IN_FIELDS = ['email', 'active'] as const;
/** What a person may do and spend. */
const LIMIT_FIELDS = ['approvalLimit', 'bandId'] as const;

/** A rule that changes of a person break. */
interface BrokenRule {
  code: 'PROTECTED_USER' | 'OWN_LIMIT';
  message: string;
  /** The field that must not change, the first one of several. */
  field: string;
}

/**
 * Finds what keeps the caller from making these changes of a person: `PROTECTED_USER` for how somebody signs in who holds a platform role, or a
 * role in a company that the caller does not administer; `OWN_LIMIT` for whoever gives themselves more, or has their key give it. A Super Admin
 * may do both. A key that changes the person who made it follows the rules of that person.
 *
 * @param changes the fields that differ, with their new values
 */
export function findBrokenRule(
  caller: Administrator,
  person: Roles,
  changes: Readonly<Record<string, unknown>>,
): BrokenRule | undefined {
  if (mayAnything(caller)) return undefined;
  const signIn = SIGN_IN_FIELDS.find((name) => name in changes);
  if (signIn !== undefined && isProtectedFrom(caller, person)) {
    const message =
      'This person holds a platform role, or a role in another company: only a Super Admin may change their e-mail address or deactivate them.';
    return { code: 'PROTECTED_USER', message, field: signIn };
  }
  if (!isSelf(caller, person) || isActiveSuperAdmin(person)) return undefined;
  const limit = LIMIT_FIELDS.find((name) => name in changes);
  if (limit !== undefined) {
    const message = 'Nobody changes their own approval limit or band: ask another administrator.';
    return { code: 'OWN_LIMIT', message, field: limit };
  }
  if (changes.active !== true) return undefined;
  const message = 'An API key does not reactivate the person who made it: ask an administrator.';
  return { code: 'OWN_LIMIT', message, field: 'active' };
}

/**
 * Checks whether the caller may give people a role in a company. A key gives the person who made it none that they could not give
 * themselves: they are still active, and still administer the company.
 *
 * @param people those who do not hold the role yet
 * @throws ApiError `OWN_LIMIT`
 */
export function checkGrantRules(caller: Administrator, people: readonly Roles[], companyId: string): void {
  if ('userId' in caller) return;
  const maker = people.find((person) => isSelf(caller, person));
  if (maker === undefined || isActiveSuperAdmin(maker)) return;
  if (maker.active && administeredCompanies(maker).includes(companyId)) return;
  throw new ApiError('OWN_LIMIT', 'An API key gives the person who made it no role: ask an administrator.');
}

/**
 * Checks whether the caller may change the limits of a band: nobody raises those of their own.
 *
 * @param band as it is, locked
 * @param changes the fields that differ, with their new values
 * @throws ApiError `OWN_LIMIT`
 */
export async function checkBandLimits(
  transaction: Transaction,
  caller: Caller,
  band: BandLimits & { id: string },
  changes: Partial<BandLimits>,
): Promise<void> {
  if (mayAnything(caller) || !raisesLimits(band, changes)) return;
  const [own] = await transaction.query(sql`select from users where id = ${caller.userId} and band_id = ${band.id}`);
  if (own === undefined) return;
  throw new ApiError('OWN_LIMIT', 'Nobody raises the limits of their own band: ask another administrator.');
}

/** Amounts as decimal strings; a `maxBookingLimit` of null is no limit. */
interface BandLimits {
  autoApprovalLimit: DecimalString;
  maxBookingLimit: DecimalString | null;
}

function raisesLimits(band: BandLimits, { autoApprovalLimit, maxBookingLimit }: Partial<BandLimits>): boolean {
  if (autoApprovalLimit !== undefined && cents(autoApprovalLimit) > cents(band.autoApprovalLimit)) return true;
  if (maxBookingLimit === undefined || band.maxBookingLimit === null) return false;
  return maxBookingLimit === null || cents(maxBookingLimit) > cents(band.maxBookingLimit);
}

/** Whether the person is the caller, or who made the key that calls. */
function isSelf(caller: Administrator, { userId }: Roles): boolean {
  return userId === ('userId' in caller ? caller.userId : caller.createdBy);
}

function isActiveSuperAdmin(person: Roles): boolean {
  return person.active && isSuperAdmin(person);
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
  return systemRole?.active === true || companyRoles.some(({ companyId }) => !administered.includes(companyId));
}

/**
 * Checks, before people are deactivated or lose a role, that somebody else stays who can run each company, and the platform.
 *
 * @param caller undefined: somebody at the command line
 * @param people whose rows are locked
 * @param losing the role that is lost, where it is one alone; a company's with its id
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

/** People who cannot leave, as nobody else would stay in their place. */
export interface LastAdmins {
  message: string;
  userIds: readonly string[];
}

/**
 * Finds who is among the last that can run a company, or the platform. Locks the companies' rows until the transaction ends, so that two who
 * remove each other come one after the other.
 *
 * @param caller undefined: somebody at the command line
 * @param people who leave all at once, each with the roles that they lose
 */
export async function findLastAdmins(
  transaction: Transaction,
  caller: Administrator | undefined,
  people: readonly Roles[],
): Promise<LastAdmins[]> {
  const leaving = people.filter(({ active }) => active);
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
     where system_roles.role = 'SUPER_ADMIN' and system_roles.active and users.active and ${isAnotherThan(leaving)}
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
       and users.active and ${isAnotherThan(leaving)} limit 1`);
  return other !== undefined;
}
