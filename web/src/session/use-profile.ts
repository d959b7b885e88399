import { useQuery } from '@tanstack/react-query';
import type { Person } from '../api/types.ts';
import { type OwnProfile, profileKey, useSession } from './session.tsx';

/** Returns the query of the signed-in user's profile, with its version. */
export function useProfile() {
  const { client, isSignedIn, userId } = useSession();
  return useQuery<OwnProfile>({
    queryKey: profileKey(userId),
    queryFn: ({ signal }) => client.profile(signal),
    enabled: isSignedIn,
  });
}

export function hasPlatformAccess({ systemRoleMap }: Person): boolean {
  return systemRoleMap?.active === true;
}

/** Returns whether a user holds a corporate role in any company, active or not, or one of its own that opens its lists. */
export function hasCorporateRole({ companyRoles, opened = [] }: Person): boolean {
  return opened.length > 0 || companyRoles.some(({ role }) => isCorporate(role));
}

/**
 * Returns the companies in which a user holds a corporate role, or one that opens as much, their own first. Their own is left out if it is
 * closed; of others that is not known.
 */
export function corporateCompanies({ companyRoles, company, opened = [] }: Person): string[] {
  const held = companyRoles.filter(({ role }) => isCorporate(role)).map(({ companyId }) => companyId);
  const ids = new Set([...held, ...opened]);
  const own = ids.delete(company.id) && company.active ? [company.id] : [];
  return [...own, ...ids];
}

/** Returns whether a user may change a company's data. */
export function administers({ companyRoles }: Person, companyId: string): boolean {
  return companyRoles.some((held) => held.role === 'CORPORATE_ADMIN' && held.companyId === companyId);
}

export function isSuperAdmin({ systemRoleMap }: Person): boolean {
  return systemRoleMap?.active === true && systemRoleMap.role === 'SUPER_ADMIN';
}

function isCorporate(role: string): boolean {
  return role === 'CORPORATE_ADMIN' || role === 'MANAGER';
}
