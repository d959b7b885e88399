import { useQuery } from '@tanstack/react-query';
import type { Profile } from '../api/client.ts';
import { type OwnProfile, profileKey, useSession } from './session.tsx';

/** The own profile and its version, of whoever is signed in. */
export function useProfile() {
  const { client, isSignedIn, userId } = useSession();
  return useQuery<OwnProfile>({
    queryKey: profileKey(userId),
    queryFn: ({ signal }) => client.profile(signal),
    enabled: isSignedIn,
  });
}

export function hasPlatformAccess({ systemRoleMap }: Profile): boolean {
  return systemRoleMap?.active === true;
}

/** Whether somebody holds a role that opens the lists of a company, be that active or not. */
export function hasCorporateRole({ companyRoles }: Profile): boolean {
  return companyRoles.some(({ role }) => isCorporate(role));
}

/**
 * The companies whose lists somebody may see: their own first, unless it is deactivated, with the name where it is known. Of others
 * the service does not say whether they are active.
 */
export function corporateCompanies({ companyRoles, company }: Profile): { id: string; name: string }[] {
  const held = companyRoles.filter(({ role }) => isCorporate(role));
  const ids = new Set(held.map(({ companyId }) => companyId));
  const own = ids.delete(company.id) && company.active ? [{ id: company.id, name: company.name }] : [];
  return [...own, ...[...ids].map((id) => ({ id, name: id }))];
}

function isCorporate(role: string): boolean {
  return role === 'CORPORATE_ADMIN' || role === 'MANAGER';
}
