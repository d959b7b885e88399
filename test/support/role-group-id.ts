import { hash } from 'node:crypto';

/** Returns the id of a role's group in SCIM, which is made of company and role. */
export function roleGroupId(companyId: string, role: string): string {
  const digits = hash('sha256', `${companyId} ${role}`, 'hex');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}
