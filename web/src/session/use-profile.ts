import { useQuery } from '@tanstack/react-query';
import type { Person } from '../api/types.ts';
import { profileKey } from './query-keys.ts';
import { type OwnProfile, useSession } from './session.tsx';

/** The own profile and its version, of whoever is signed in. */
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

/** Whether somebody holds a role that opens the lists of a company, be that active or not. */
export function hasCorporateRole({ companyRoles }: Person): boolean {
  return companyRoles.some(({ role }) => isCorporate(role));
}

/** The companies in which somebody holds a role that opens their lists: their own first. A closed one is not among them where it is known to be. */
export function corporateCompanies({ companyRoles, company }: Person): string[] {
  const ids = new Set(companyRoles.filter(({ role }) => isCorporate(role)).map(({ companyId }) => companyId));
  const own = ids.delete(company.id) && company.active ? [company.id] : [];
  return [...own, ...ids];
}

/** Whether somebody may change what a company has. */
export function administers({ companyRoles }: Person, companyId: string): boolean {
  return companyRoles.some((held) => held.role === 'CORPORATE_ADMIN' && held.companyId === companyId);
}

export function isSuperAdmin({ systemRoleMap }: Person): boolean {
  return systemRoleMap?.active === true && systemRoleMap.role === 'SUPER_ADMIN';
}

function isCorporate(role: string): boolean {
  return role === 'CORPORATE_ADMIN' || role === 'MANAGER';
}
