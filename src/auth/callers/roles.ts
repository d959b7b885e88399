import {
  type AccessRule,
  type CompanyRole,
  GRANTABLE_RULES,
  type Role,
  RULES_OF,
  type SystemRole,
} from '../../entities/roles.ts';
import type { KeyCaller } from './api-keys.ts';

export interface HeldCompanyRole {
  id: string;
  companyId: string;
  role: CompanyRole;
  /** Whether the company is active. Roles in an inactive company are listed but grant nothing. */
  companyActive: boolean;
}

/** What roles of their own company give a person. */
export interface OwnRole {
  companyId: string;
  /** Separated by spaces. */
  rules: string;
}

/** The authenticated user, as currently stored. */
export interface Caller {
  userId: string;
  active: boolean;
  /** Whether they are active and within the dates of their employment; refused otherwise. */
  works: boolean;
  systemRole: { role: SystemRole; active: boolean } | null;
  companyRoles: readonly HeldCompanyRole[];
  /** Active roles of their own company, while it is active; absent: none. */
  ownRoles?: readonly OwnRole[];
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

/** Returns the active companies in which the caller holds one of these roles, or a role of the company's own with a rule. */
export function companiesOf(
  { companyRoles, ownRoles = [] }: Pick<Caller, 'companyRoles' | 'ownRoles'>,
  roles: readonly Role[],
  rule?: string,
): string[] {
  const held = companyRoles.filter(({ role, companyActive }) => companyActive && roles.includes(role));
  const isOpened = GRANTABLE_RULES.some((each) => each === rule);
  const own = ownRoles.filter(({ rules }) => isOpened && rules.split(' ').some((each) => each === rule));
  return [...new Set([...held, ...own].map(({ companyId }) => companyId))];
}

/** Returns what a caller may do in a company, or because of a platform role: nobody gives more. */
export function rulesIn(caller: Caller, companyId: string): Set<AccessRule> {
  const { systemRole, companyRoles } = caller;
  const fixed = companyRoles
    .filter((held) => held.companyActive && held.companyId === companyId)
    .map(({ role }) => role);
  const held = [...(systemRole?.active ? [systemRole.role] : []), ...fixed].flatMap((role) => [...RULES_OF[role]]);
  const own = GRANTABLE_RULES.filter((rule) => companiesOf(caller, [], rule).includes(companyId));
  return new Set<AccessRule>([...held, ...own]);
}

/** Returns those of these rules that a caller does not hold in a company, and so does not give. Keys that give roles could give every one. */
export function rulesBeyond(caller: Caller | KeyCaller, companyId: string, rules: readonly AccessRule[]): AccessRule[] {
  if ('keyId' in caller) return [];
  const held = rulesIn(caller, companyId);
  return rules.filter((rule) => !held.has(rule));
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
