import type { CompanyRole, Role, SystemRole } from '../../entities/roles.ts';

export interface HeldCompanyRole {
  id: string;
  companyId: string;
  role: CompanyRole;
  /** Whether the company is active: the roles in one that is not are shown, and open nothing. */
  companyActive: boolean;
}

/** The authenticated principal, as the database has it at this moment. */
export interface Caller {
  userId: string;
  active: boolean;
  systemRole: { role: SystemRole; active: boolean } | null;
  companyRoles: readonly HeldCompanyRole[];
}

/** The roles that count: the active system role and the company roles, sorted, each once. */
export function rolesOf({ systemRole, companyRoles }: Pick<Caller, 'systemRole' | 'companyRoles'>): Role[] {
  const roles = new Set<Role>(companyRoles.map(({ role }) => role));
  if (systemRole?.active) roles.add(systemRole.role);
  return [...roles].sort();
}

/** An active Super Admin. */
export function isSuperAdmin(caller: Pick<Caller, 'systemRole'>): boolean {
  return holdsPlatformRole(caller, ['SUPER_ADMIN']);
}

/** Whether the caller holds one of these roles platform-wide, and it is active. */
export function holdsPlatformRole({ systemRole }: Pick<Caller, 'systemRole'>, roles: readonly Role[]): boolean {
  return systemRole?.active === true && roles.includes(systemRole.role);
}

/** Whether the caller holds one of these roles at all: platform-wide, or in whatever company. */
export function holdsAnywhere(caller: Caller, roles: readonly Role[]): boolean {
  return holdsPlatformRole(caller, roles) || caller.companyRoles.some(({ role }) => roles.includes(role));
}

/** The active companies in which the caller holds one of these roles. */
export function companiesOf({ companyRoles }: Caller, roles: readonly Role[]): string[] {
  const held = companyRoles.filter(({ role, companyActive }) => companyActive && roles.includes(role));
  return [...new Set(held.map(({ companyId }) => companyId))];
}

/** The active companies in which the caller is a Corporate Admin. */
export function administeredCompanies(caller: Caller): string[] {
  return companiesOf(caller, ['CORPORATE_ADMIN']);
}
