/** Platform-wide roles (`systemRoleMap` on the wire). */
export const SYSTEM_ROLES = ['SUPER_ADMIN', 'PLATFORM_RM'] as const;
/** Roles in a company (`companyRoles` on the wire). */
export const COMPANY_ROLES = ['CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE'] as const;
export const ROLES = [...SYSTEM_ROLES, ...COMPANY_ROLES] as const;

/** Display names. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  SUPER_ADMIN: 'Super Admin',
  PLATFORM_RM: 'Platform RM',
  CORPORATE_ADMIN: 'Corporate Admin',
  MANAGER: 'Manager',
  EMPLOYEE: 'Employee',
};

export type SystemRole = (typeof SYSTEM_ROLES)[number];
export type CompanyRole = (typeof COMPANY_ROLES)[number];
export type Role = (typeof ROLES)[number];
