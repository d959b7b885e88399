/** Platform-wide roles (`systemRoleMap` on the wire). */
export const SYSTEM_ROLES = ['SUPER_ADMIN', 'PLATFORM_RM'] as const;
/** Roles in a company (`companyRoles` on the wire). */
export const COMPANY_ROLES = ['CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE'] as const;
export const ROLES = [...SYSTEM_ROLES, ...COMPANY_ROLES] as const;

/**
 * What each fixed role opens: the columns of the table of who may do what (docs/security.md). `audit` opens the trail of a company, and
 * `companyAdmin` what gives roles to others.
 */
export const RULES_OF = {
  SUPER_ADMIN: ['platform', 'superAdmin', 'staff', 'people', 'admin', 'audit'],
  PLATFORM_RM: ['platform', 'staff'],
  CORPORATE_ADMIN: ['staff', 'people', 'admin', 'corporate', 'corporateAdmin', 'companyAdmin', 'audit'],
  MANAGER: ['staff', 'people', 'corporate'],
  EMPLOYEE: [],
} as const satisfies Readonly<Record<(typeof ROLES)[number], readonly string[]>>;
export type AccessRule = (typeof RULES_OF)[keyof typeof RULES_OF][number];
export const ACCESS_RULES: readonly AccessRule[] = [...new Set(Object.values(RULES_OF).flat())];
/** Rules that roles of one's own may give. Whoever has `admin` or `companyAdmin` could take every other one. */
export const GRANTABLE_RULES = [
  'staff',
  'people',
  'corporate',
  'corporateAdmin',
  'audit',
] as const satisfies readonly AccessRule[];

/** Roles that somebody has for a particular person; of the line of managers, as many as authority needs. */
export const RELATIVE_ROLES = [
  'LINE_MANAGER',
  'SECOND_LINE_MANAGER',
  'DEPARTMENT_HEAD',
  'MANAGEMENT_CHAIN',
  'COST_CENTER_OWNER',
] as const;
/** What stands for the people, the group or the role of the company's own that a level names. */
export const NAMED_APPROVERS = ['USERS', 'GROUP', 'ROLE'] as const;
/** Roles that a level of an approval policy can require. */
export const APPROVER_ROLES = [...ROLES, ...RELATIVE_ROLES, ...NAMED_APPROVERS] as const;

/** Display names. */
export const ROLE_NAMES: Readonly<Record<ApproverRole, string>> = {
  SUPER_ADMIN: 'Super Admin',
  PLATFORM_RM: 'Platform RM',
  CORPORATE_ADMIN: 'Corporate Admin',
  MANAGER: 'Manager',
  EMPLOYEE: 'Employee',
  LINE_MANAGER: 'Line manager',
  SECOND_LINE_MANAGER: 'Second line manager',
  DEPARTMENT_HEAD: 'Head of department',
  MANAGEMENT_CHAIN: 'Line of managers',
  COST_CENTER_OWNER: 'Owner of the cost centre',
  USERS: 'Named people',
  GROUP: 'Members of a group',
  ROLE: 'Holders of a role of the company’s own',
};

export type SystemRole = (typeof SYSTEM_ROLES)[number];
export type CompanyRole = (typeof COMPANY_ROLES)[number];
export type Role = (typeof ROLES)[number];
export type RelativeRole = (typeof RELATIVE_ROLES)[number];
export type ApproverRole = (typeof APPROVER_ROLES)[number];

export function isCompanyRole(role: string): role is CompanyRole {
  return COMPANY_ROLES.some((known) => known === role);
}

/** Returns whether a fixed role opens what a rule stands for. */
export function opens(role: Role, rule: string): boolean {
  return RULES_OF[role].some((each: AccessRule) => each === rule);
}

/** Returns whether a role is one in relation to the person who books: who has it differs from booking to booking. */
export function isRelativeRole(role: string): role is RelativeRole {
  return RELATIVE_ROLES.some((known) => known === role);
}
