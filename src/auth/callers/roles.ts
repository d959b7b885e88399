import type { CompanyRole, Role, SystemRole } from '../../entities/roles.ts';
import type { KeyCaller } from './api-keys.ts';

export interface HeldCompanyRole {
  id: string;
  companyId: string;
  role: CompanyRole;
  /** Whether the company is active. Roles in an inactive company are listed but grant nothing. */
  companyActive: boolean;
}

/** The authenticated user, as currently stored. */
export interface Caller {
  userId: string;
  active: boolean;
  /** Whether they are active and within the dates of their employment; refused otherwise. */
  works: boolean;
  systemRole: { role: SystemRole; active: boolean } | null;
  companyRoles: readonly HeldCompanyRole[];
  /** Whose provider signed them in: that of the platform, of their company, or of one where they are a guest, whose rights count alone. */
  signedInBy: 'platform' | 'home' | 'host';
}

/** Returns the effective roles, sorted and distinct: the active system role and the company roles. */
export function rolesOf({ systemRole, companyRoles }: Pick<Caller, 'systemRole' | 'companyRoles'>): Role[] {
  const roles = new Set<Role>(companyRoles.map(({ role }) => role));
  if (systemRole?.active) roles.add(systemRole.role);
  return [...roles].sort();
}

/** Returns whether the caller is an active Super Admin, which no API key is. */
export function isSuperAdmin(caller: Pick<Caller, 'systemRole'> | KeyCaller): boolean {
  return 'systemRole' in caller && holdsPlatformRole(caller, ['SUPER_ADMIN']);
}

/** Returns whether the caller holds one of these as an active platform role. */
export function holdsPlatformRole({ systemRole }: Pick<Caller, 'systemRole'>, roles: readonly Role[]): boolean {
  return systemRole?.active === true && roles.includes(systemRole.role);
}

/** Returns whether the caller holds one of these roles, platform-wide or in any company. */
export function holdsAnywhere(caller: Caller, roles: readonly Role[]): boolean {
  return holdsPlatformRole(caller, roles) || caller.companyRoles.some(({ role }) => roles.includes(role));
}

/** Returns the active companies in which the caller holds one of these roles. */
export function companiesOf({ companyRoles }: Pick<Caller, 'companyRoles'>, roles: readonly Role[]): string[] {
  const held = companyRoles.filter(({ role, companyActive }) => companyActive && roles.includes(role));
  return [...new Set(held.map(({ companyId }) => companyId))];
}

/** Returns the active companies in which the caller is a Corporate Admin. */
export function administeredCompanies(caller: Pick<Caller, 'companyRoles'>): string[] {
  return companiesOf(caller, ['CORPORATE_ADMIN']);
}

/** Returns whether the caller is an API key of the platform, which may do in every active company what others may do in theirs. */
export function isPlatformKey(caller: Caller | KeyCaller): boolean {
  return 'keyId' in caller && caller.companyId === null;
}

/** Returns whether a caller is this person, and may act for themselves: the provider of another company signs in nobody for that. */
export function isThemselves(caller: Caller | KeyCaller, userId: string | undefined): boolean {
  return 'userId' in caller && caller.signedInBy !== 'host' && caller.userId === userId;
}
