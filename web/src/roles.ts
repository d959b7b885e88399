import { t } from './translate.ts';

const ROLE_NAMES: Readonly<Record<string, string>> = {
  SUPER_ADMIN: t('Super Admin'),
  PLATFORM_RM: t('Platform RM'),
  CORPORATE_ADMIN: t('Corporate Admin'),
  MANAGER: t('Manager'),
  EMPLOYEE: t('Employee'),
  LINE_MANAGER: t('Line manager'),
  SECOND_LINE_MANAGER: t('Second line manager'),
  DEPARTMENT_HEAD: t('Head of department'),
  MANAGEMENT_CHAIN: t('Line of managers'),
  COST_CENTER_OWNER: t('Owner of the cost centre'),
  USERS: t('Named people'),
  GROUP: t('Members of a group'),
  ROLE: t('Holders of an own role'),
};

const RULE_NAMES: Readonly<Record<string, string>> = {
  staff: t('sees the company, its legal entities and roles'),
  people: t('sees the people'),
  corporate: t('sees departments, bands, policies, bookings and spending'),
  corporateAdmin: t('changes departments, bands and policies'),
  audit: t('sees the history'),
};

/** Returns what an access rule opens, in words. */
export function ruleName(rule: string): string {
  return RULE_NAMES[rule] ?? rule;
}

/** Returns the display name of a role; an unknown role as it is. */
export function roleName(role: string): string {
  return ROLE_NAMES[role] ?? role;
}

export function roleNames(roles: readonly string[]): string {
  return roles.length === 0 ? t('no role') : roles.map(roleName).join(', ');
}

/** Returns the notice after a role was given or taken. */
export function roleChanged(role: string, isGiven: boolean): string {
  return isGiven ? t('{role} role added.', { role }) : t('{role} role removed.', { role });
}
