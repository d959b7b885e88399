import { useQuery } from '@tanstack/react-query';
import type { Profile } from '../api/client.ts';
import { type OwnProfile, profileKey, useSession } from './session.tsx';

/** The own profile and its version, of whoever is signed in. */
export function useProfile() {
  const { client, isSignedIn } = useSession();
  return useQuery<OwnProfile>({
    queryKey: profileKey,
    queryFn: ({ signal }) => client.profile(signal),
    enabled: isSignedIn,
  });
}

export function hasPlatformAccess({ systemRoleMap }: Profile): boolean {
  return systemRoleMap?.active === true;
}

/** The companies in which somebody is Corporate Admin or Manager: their own first, with the name where it is known. */
export function corporateCompanies({ companyRoles, company }: Profile): { id: string; name: string }[] {
  const held = companyRoles.filter(({ role }) => role === 'CORPORATE_ADMIN' || role === 'MANAGER');
  const ids = new Set(held.map(({ companyId }) => companyId));
  const own = ids.delete(company.id) ? [{ id: company.id, name: company.name }] : [];
  return [...own, ...[...ids].map((id) => ({ id, name: id }))];
}
