import sql, { type Sql } from 'sql-template-tag';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import { administeredCompanies, type Caller, isSuperAdmin } from '../../auth/callers/roles.ts';
import type { Transaction } from '../../db/database.ts';
import { ApiError } from '../../lib/errors.ts';

/** Who changes people: a key administers its company, and is no Super Admin. */
type Administrator = Caller | KeyCaller;

/** What the rules look at. */
type Roles = Pick<Caller, 'userId' | 'active' | 'systemRole' | 'companyRoles'>;

/** The fields by which somebody signs in, or is kept from it. */
const OF_SIGNING_IN = ['email', 'active'] as const;
/** What a person may do and spend. */
const OF_OWN_LIMIT = ['approvalLimit', 'bandId'] as const;

/**
 * Whether the caller may make these changes of a person.
 *
 * @throws ApiError `PROTECTED_USER` for how somebody signs in who holds a platform role, or a role in a company that the caller does
 *   not administer; `OWN_LIMIT` for a Corporate Admin who gives themselves more. A Super Admin may do both.
 */
export function checkPersonRules(
  caller: Administrator,
  person: Roles,
  changes: Readonly<Record<string, unknown>>,
): void {
  if (mayAnything(caller)) return;
  if (OF_SIGNING_IN.some((name) => name in changes) && isProtectedFrom(caller, person)) {
    throw new ApiError(
      'PROTECTED_USER',
      'This person holds a platform role, or a role in another company: only a Super Admin may change their e-mail address or deactivate them.',
    );
  }
  if ('userId' in caller && person.userId === caller.userId && OF_OWN_LIMIT.some((name) => name in changes)) {
    throw new ApiError('OWN_LIMIT', 'Nobody changes their own approval limit or band: ask another administrator.');
  }
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
 * Before people are deactivated, or lose a role: somebody else stays who can run each company, and the platform. The companies' rows
 * stay locked until the transaction ends, so that two who remove each other come one after the other.
 *
 * @param people whose rows are locked
 * @param losing the role that is lost, where it is one alone; a company's with its id
 * @throws ApiError `LAST_ADMIN`
 */
export async function assertNotLastAdmin(
  transaction: Transaction,
  caller: Administrator,
  people: readonly Roles[],
  losing?: { role: string; companyId?: string | undefined },
): Promise<void> {
  const leaving = people.filter(({ active }) => active);
  const isLosing = (role: string) => losing === undefined || losing.role === role;
  const isSuper = leaving.some(({ systemRole }) => systemRole?.active && systemRole.role === 'SUPER_ADMIN');
  if (isSuper && isLosing('SUPER_ADMIN')) await assertNotLastSuperAdmin(transaction, leaving);
  if (mayAnything(caller) || !isLosing('CORPORATE_ADMIN')) return;
  const companies = leaving
    .flatMap(({ companyRoles }) => companyRoles)
    .filter(({ role, companyId }) => role === 'CORPORATE_ADMIN' && (losing?.companyId ?? companyId) === companyId)
    .map(({ companyId }) => companyId);
  for (const companyId of [...new Set(companies)].sort()) await keepACorporateAdmin(transaction, leaving, companyId);
}

function isAnotherThan(people: readonly Roles[]): Sql {
  const ids = JSON.stringify(people.map(({ userId }) => userId));
  return sql`users.id not in (select id::uuid from json_array_elements_text(${ids}::text::json) leaving (id))`;
}

async function assertNotLastSuperAdmin(transaction: Transaction, leaving: readonly Roles[]): Promise<void> {
  await transaction.query(sql`
    select from system_roles where role = 'SUPER_ADMIN' order by user_id for update`);
  const [other] = await transaction.query(sql`
    select from system_roles join users on users.id = system_roles.user_id
     where system_roles.role = 'SUPER_ADMIN' and system_roles.active and users.active and ${isAnotherThan(leaving)}
     limit 1`);
  if (other !== undefined) return;
  throw new ApiError('LAST_ADMIN', 'This is the last active Super Admin: give somebody else the role first.');
}

async function keepACorporateAdmin(
  transaction: Transaction,
  leaving: readonly Roles[],
  companyId: string,
): Promise<void> {
  await transaction.query(sql`select from companies where id = ${companyId} for no key update`);
  const [other] = await transaction.query(sql`
    select from company_roles join users on users.id = company_roles.user_id
     where company_roles.company_id = ${companyId} and company_roles.role = 'CORPORATE_ADMIN'
       and users.active and ${isAnotherThan(leaving)} limit 1`);
  if (other !== undefined) return;
  throw new ApiError(
    'LAST_ADMIN',
    'This is the last active Corporate Admin of the company: give somebody else the role first.',
  );
}
