/** Roles that hold platform-wide (`systemRoleMap` on the wire). */
export const SYSTEM_ROLES = ['SUPER_ADMIN', 'PLATFORM_RM'] as const;
/** Roles that are held in a company (`companyRoles` on the wire). */
export const COMPANY_ROLES = ['CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE'] as const;

export type SystemRole = (typeof SYSTEM_ROLES)[number];
export type CompanyRole = (typeof COMPANY_ROLES)[number];
export type Role = SystemRole | CompanyRole;

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

/** PlatformAccess: an active Super Admin or Platform RM. */
export function hasPlatformAccess({ systemRole }: Caller): boolean {
  return systemRole?.active === true;
}

/** An active Super Admin. */
export function isSuperAdmin({ systemRole }: Caller): boolean {
  return systemRole?.active === true && systemRole.role === 'SUPER_ADMIN';
}

/** The active companies in which the caller is a Corporate Admin. */
export function administeredCompanies({ companyRoles }: Caller): string[] {
  const held = companyRoles.filter(({ role, companyActive }) => role === 'CORPORATE_ADMIN' && companyActive);
  return held.map(({ companyId }) => companyId);
}

/** CorporateAccess anywhere: a Corporate Admin or Manager of whatever company. */
export function hasCorporateAccess({ companyRoles }: Caller): boolean {
  return companyRoles.some(({ role }) => isCorporate(role));
}

/** CorporateAccess in this very company, which must be active. */
export function hasCorporateAccessTo({ companyRoles }: Caller, companyId: string): boolean {
  return companyRoles.some((held) => held.companyId === companyId && held.companyActive && isCorporate(held.role));
}

function isCorporate(role: CompanyRole): boolean {
  return role === 'CORPORATE_ADMIN' || role === 'MANAGER';
}
