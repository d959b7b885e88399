import type { Reader } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import type { Scope } from '../../entities/api-key.ts';
import { COMPANY_ROLES, ROLE_NAMES, type Role, SYSTEM_ROLES } from '../../entities/roles.ts';
import type { TokenOwner } from '../tokens/token-claims.ts';
import type { KeyCaller, KeyFinder } from './api-keys.ts';
import { findCallers } from './caller-queries.ts';
import { type Caller, companiesOf, holdsAnywhere, holdsPlatformRole } from './roles.ts';

/** Finds who the owner of each token is and what they may do now, in the order of the owners; undefined for an unknown one. */
export type FindCallers<Found extends Caller> = (
  db: Reader,
  owners: readonly TokenOwner[],
) => Promise<readonly (Found | undefined)[]>;

/** Anyone may call it, without a token. */
export interface PublicAccess {
  readonly name: 'public';
  readonly who: string;
  /** Whether its requests count towards the limit of the caller's address. */
  readonly isCounted: boolean;
}

/** Who of those with a token may call an operation. Every operation has one access, and none is open by default. */
export interface CallerAccess<Found extends Caller = Caller, Key extends KeyCaller = KeyCaller> {
  /** The column of the table of who may do what, see docs/security.md. */
  readonly name:
    | 'self'
    | 'platform'
    | 'corporate'
    | 'staff'
    | 'superAdmin'
    | 'people'
    | 'admin'
    | 'corporateAdmin'
    | 'key';
  /** Whom it lets in, for people. */
  readonly who: string;
  /** The callers themselves are read by it: it may read more of them in the same statement. */
  readonly find: FindCallers<Found>;
  /** Reads more of keys in the same statement. Absent: keys are read alone. */
  readonly keys?: KeyFinder<Key>;
  /** One of them the caller must hold: a platform-wide one for every company, another in the company that is asked for. Absent: none. */
  readonly roles?: readonly Role[];
}

export type Access = PublicAccess | CallerAccess;

export const anyone: PublicAccess = { name: 'public', who: 'anyone', isCounted: true };

/** What watches over the service asks often, and is not to be refused. */
export const publicUnmetered: PublicAccess = { name: 'public', who: 'anyone', isCounted: false };

/** Any active user, about themselves. */
export function activeUser<Found extends Caller>(find: FindCallers<Found>): CallerAccess<Found> {
  return { name: 'self', who: 'any active user', find };
}

/** An active Super Admin or Platform RM. */
export const platformStaff = holderOf('platform', ['SUPER_ADMIN', 'PLATFORM_RM']);
/** Who may see a company as such. */
export const companyStaff = holderOf('staff', ['SUPER_ADMIN', 'PLATFORM_RM', 'CORPORATE_ADMIN', 'MANAGER']);
/** Who may see the people of a company. */
export const peopleStaff = holderOf('people', ['SUPER_ADMIN', 'CORPORATE_ADMIN', 'MANAGER']);
/** Who looks after a company and its people. */
export const administrators = holderOf('admin', ['SUPER_ADMIN', 'CORPORATE_ADMIN']);
/** An active Super Admin. */
export const superAdmins = holderOf('superAdmin', ['SUPER_ADMIN']);
/** Who may see what is a company's own affair. */
export const corporateStaff = holderOf('corporate', ['CORPORATE_ADMIN', 'MANAGER']);
/** Who looks after what is a company's own affair. */
export const corporateAdmins = holderOf('corporateAdmin', ['CORPORATE_ADMIN']);

/** API keys alone, with the scope of the operation. */
export const apiKeyOnly: CallerAccess = {
  name: 'key',
  who: 'an API key with that scope',
  find: findCallers,
  roles: [],
};

/** The same, reading what they ask for with them. */
export function apiKeyWithLookup<Key extends KeyCaller>(keys: KeyFinder<Key>): CallerAccess<Caller, Key> {
  return { ...apiKeyOnly, keys };
}

/** The companies of which a caller may see or change something: all, all that are active, or those with these ids. */
export type CompanyScope = 'all' | 'active' | readonly string[];

/** The companies to which an operation of this access lets the caller: for a role in a company this one, where it is active. */
export function companyScopeOf({ roles }: CallerAccess, caller: Caller | KeyCaller): CompanyScope {
  if ('keyId' in caller) return caller.companyId === null ? 'active' : [caller.companyId];
  if (roles === undefined || holdsPlatformRole(caller, roles)) return 'all';
  return companiesOf(caller, roles);
}

/** @throws ApiError `ROLE_REQUIRED`, or `SCOPE_REQUIRED` where it is for keys alone, where the caller may not call the operation, whatever they ask for */
export function requireRole({ roles }: CallerAccess, caller: Caller): void {
  if (roles === undefined || holdsAnywhere(caller, roles)) return;
  if (roles.length === 0) throw new ApiError('SCOPE_REQUIRED', 'This needs an API key.');
  throw new ApiError('ROLE_REQUIRED', `This needs the role ${formatRoles(roles)}.`);
}

/** @throws ApiError `SCOPE_REQUIRED` where no key may call an operation, or this one has not the scope that opens it */
export function requireScope(scope: Scope | undefined, { scopes }: Pick<KeyCaller, 'scopes'>): void {
  if (scope !== undefined && scopes.includes(scope)) return;
  const message = scope === undefined ? 'No API key may do this.' : `This needs an API key with the scope ${scope}.`;
  throw new ApiError('SCOPE_REQUIRED', message);
}

/**
 * A company that is foreign, deactivated or does not exist gets the same answer, from the caller's roles alone: nothing tells them apart. The log says
 * where the caller holds a role in it and it is closed.
 *
 * @throws ApiError `COMPANY_FORBIDDEN`
 */
export function requireCompany(
  { roles = [] }: CallerAccess,
  caller: Caller | KeyCaller,
  reach: CompanyScope,
  companyId: string,
): void {
  if (reach === 'all' || reach === 'active' || reach.includes(companyId)) return;
  const held = 'keyId' in caller ? [] : caller.companyRoles;
  const isClosed = held.some((own) => own.companyId === companyId && !own.companyActive && roles.includes(own.role));
  throw companyForbidden(roles, isClosed ? 'company closed' : undefined);
}

/** Of a company that is foreign, or that does not exist. @param roles of which one is needed there @param reason for the log alone */
export function companyForbidden(roles: readonly Role[], reason?: 'company closed'): ApiError {
  const inCompany = roles.filter((role) => COMPANY_ROLES.some((known) => known === role));
  return new ApiError('COMPANY_FORBIDDEN', `This needs the role ${formatRoles(inCompany)} in the company asked for.`, {
    ...(reason === undefined ? {} : { reason }),
  });
}

function holderOf(name: CallerAccess['name'], roles: readonly Role[]): CallerAccess {
  const platform = roles.filter((role) => SYSTEM_ROLES.some((known) => known === role));
  const inCompany = roles.filter((role) => !platform.includes(role));
  const who = [
    platform.map((role) => ROLE_NAMES[role]).join(', '),
    inCompany.length === 0 ? '' : `${formatRoles(inCompany)} of that company`,
  ];
  return { name, who: who.filter((part) => part !== '').join(', '), find: findCallers, roles };
}

function formatRoles(roles: readonly Role[]): string {
  return roles
    .map((role) => ROLE_NAMES[role])
    .join(', ')
    .replace(/, ([^,]+)$/, ' or $1');
}
