import type { Reader } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import type { Scope } from '../../entities/api-key.ts';
import {
  type AccessRule,
  COMPANY_ROLES,
  opens,
  ROLE_NAMES,
  ROLES,
  type Role,
  SYSTEM_ROLES,
} from '../../entities/roles.ts';
import type { TokenOwner } from '../tokens/token-claims.ts';
import type { KeyCaller, KeyFinder } from './api-keys.ts';
import { findCallers } from './identity-queries.ts';
import { type Caller, companiesOf, holdsAnywhere, holdsPlatformRole } from './roles.ts';

/** Finds the present caller for each token owner, in the same order; undefined for an unknown owner. */
export type FindCallers<Found extends Caller> = (
  db: Reader,
  owners: readonly TokenOwner[],
) => Promise<readonly (Found | undefined)[]>;

/** Access without a token. */
export interface PublicAccess {
  readonly name: 'public';
  readonly who: string;
  /** Whether requests count towards the rate limit of the caller's address. */
  readonly isCounted: boolean;
  /** The access of a request with a token, or of one that asks for a company; absent: there is none. */
  readonly known?: CallerAccess;
}

/** Access with a token. Every operation has one access; none is open by default. */
export interface CallerAccess<Found extends Caller = Caller, Key extends KeyCaller = KeyCaller> {
  /** Column of the access table, see docs/security.md. */
  readonly name: 'self' | 'key' | AccessRule;
  /** Human-readable description of the admitted callers. */
  readonly who: string;
  /** Reads the callers; may read further data of them in the same statement. */
  readonly find: FindCallers<Found>;
  /** Reads keys with further data in the same statement. Absent: keys are read alone. */
  readonly keys?: KeyFinder<Key>;
  /**
   * Roles of which the caller must hold one: a platform role for every company, another in the requested company. A role of the company's own
   * with the rule of this name opens it too. Absent: none.
   */
  readonly roles?: readonly Role[];
}

export type Access = PublicAccess | CallerAccess;

export const anyone: PublicAccess = { name: 'public', who: 'anyone', isCounted: true };

/** Not rate-limited: health checks are frequent and must not be refused. */
export const publicUnmetered: PublicAccess = { name: 'public', who: 'anyone', isCounted: false };

/** Access of any active user to their own data. */
export function activeUser<Found extends Caller>(find: FindCallers<Found>): CallerAccess<Found> {
  return { name: 'self', who: 'any active user', find };
}

/** An active Super Admin or Platform RM. */
export const platformStaff = holderOf('platform');
/** Roles that may see a company's master data. */
export const companyStaff = holderOf('staff');
/** Roles that may see the people of a company. */
export const peopleStaff = holderOf('people');
/** Roles that administer a company and its people. */
export const administrators = holderOf('admin');
/** An active Super Admin. */
export const superAdmins = holderOf('superAdmin');
/** Roles that may see internal data of a company. */
export const corporateStaff = holderOf('corporate');
/** Roles that administer internal data of a company. */
export const corporateAdmins = holderOf('corporateAdmin');
/** The role of those who decide what others of a company hold: no role of its own opens it. */
export const companyAdmins = holderOf('companyAdmin');

/** Access of API keys only, with the scope of the operation. */
export const apiKeyOnly: CallerAccess = {
  name: 'key',
  who: 'an API key with that scope',
  find: findCallers,
  roles: [],
};

/** Like {@link apiKeyOnly}, but reads the requested data in the statement that finds the key. */
export function apiKeyWithLookup<Key extends KeyCaller>(keys: KeyFinder<Key>): CallerAccess<Caller, Key> {
  return { ...apiKeyOnly, keys };
}

/** Companies that a caller may access: all, all active ones, or those with these ids. */
export type CompanyScope = 'all' | 'active' | readonly string[];

/** Returns the companies that an access opens to a caller: by a company role, the active ones in which it is held. */
export function companyScopeOf({ name, roles }: CallerAccess, caller: Caller | KeyCaller): CompanyScope {
  if ('keyId' in caller) return caller.companyId === null ? 'active' : [caller.companyId];
  if (roles === undefined || holdsPlatformRole(caller, roles)) return 'all';
  return companiesOf(caller, roles, name);
}

/** Returns whether a scope still has all companies of an earlier one. */
export function coversScope(had: CompanyScope, has: CompanyScope): boolean {
  if (typeof had === 'string' || typeof has === 'string') return had === has || has === 'all';
  return had.every((id) => has.includes(id));
}

/** @throws ApiError `ROLE_REQUIRED` if the caller holds none of the roles in any company, or `SCOPE_REQUIRED` if only API keys may call */
export function requireRole({ name, roles }: CallerAccess, caller: Caller): void {
  if (roles?.length === 0) throw new ApiError('SCOPE_REQUIRED', 'This needs an API key.');
  if (roles !== undefined && companiesOf(caller, [], name).length === 0) requireHolder(caller, roles);
}

/** Scope that lets an API key call an operation; `any`: every key may. */
export type OperationScope = Scope | 'any';

/** @throws ApiError `ROLE_REQUIRED` if the caller holds none of the roles in any company */
export function requireHolder(caller: Caller, roles: readonly Role[]): void {
  if (!holdsAnywhere(caller, roles)) throw new ApiError('ROLE_REQUIRED', `This needs the role ${formatRoles(roles)}.`);
}

/** A webhook receives the changes that its maker could read. */
const WEBHOOK_SCOPES: readonly Scope[] = ['webhooks.manage', 'events.read'];

/** @throws ApiError `SCOPE_REQUIRED` if the operation is closed to API keys, or the key lacks its scope */
export function requireScope(scope: OperationScope | undefined, { scopes }: Pick<KeyCaller, 'scopes'>): void {
  const needed = scope === 'webhooks.manage' ? WEBHOOK_SCOPES : scope === undefined || scope === 'any' ? [] : [scope];
  const missing = needed.find((one) => !scopes.includes(one));
  if (scope !== undefined && missing === undefined) return;
  const message =
    missing === undefined ? 'No API key may do this.' : `This needs an API key with the scope ${missing}.`;
  throw new ApiError('SCOPE_REQUIRED', message);
}

/** @throws ApiError `KEY_SUSPENDED` for a suspended key, unless the operation only reads or provisions people */
export function requireGoodStanding(
  { writes, provisions }: { writes?: boolean; provisions?: true },
  { isSuspended }: Pick<KeyCaller, 'isSuspended'>,
): void {
  if (isSuspended && writes && !provisions) throw keySuspended();
}

/** Returns the error for an API key whose creator has left, until an administrator confirms it. */
export function keySuspended(): ApiError {
  const message =
    'Whoever made this API key no longer administers the company: it reads and provisions ordinary people until an administrator confirms it.';
  return new ApiError('KEY_SUSPENDED', message);
}

/**
 * Asserts that a company is in scope. Foreign, deactivated and unknown companies get the same response, so that they cannot be told apart.
 * The log notes if the caller holds a role in the company but it is deactivated.
 *
 * @throws ApiError `COMPANY_FORBIDDEN`
 */
export function requireCompany(
  { roles = [] }: CallerAccess,
  caller: Caller | KeyCaller,
  scope: CompanyScope,
  companyId: string,
): void {
  if (scope === 'all' || scope === 'active' || scope.includes(companyId)) return;
  const held = 'keyId' in caller ? [] : caller.companyRoles;
  const isClosed = held.some((own) => own.companyId === companyId && !own.companyActive && roles.includes(own.role));
  throw companyForbidden(roles, isClosed ? 'company closed' : undefined);
}

/** Returns the error for a foreign or unknown company. @param roles of which one is needed there @param reason for the log alone */
export function companyForbidden(roles: readonly Role[], reason?: 'company closed'): ApiError {
  const inCompany = roles.filter((role) => COMPANY_ROLES.some((known) => known === role));
  return new ApiError('COMPANY_FORBIDDEN', `This needs the role ${formatRoles(inCompany)} in the company asked for.`, {
    ...(reason === undefined ? {} : { reason }),
  });
}

function holderOf(name: AccessRule): CallerAccess {
  const roles = ROLES.filter((role) => opens(role, name));
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
