import { useQueries } from '@tanstack/react-query';
import type { CompanyRole, Role } from '../api/types.ts';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import type { HighestLimit } from './policy-decision.ts';

export interface HighestLimits {
  highest: HighestLimit;
  /** Whether all requests have finished: limits that are unknown then stay unknown. */
  isReady: boolean;
}

const APPROVERS: readonly CompanyRole[] = ['MANAGER', 'CORPORATE_ADMIN', 'EMPLOYEE'];

/**
 * Reads the highest approval limits of the active holders of roles in a company. Platform roles, and roles that a
 * guest holds, stay unknown: the service hides their limits.
 */
export function useHighestLimits(companyId: string | undefined, roles: ReadonlySet<Role>): HighestLimits {
  const { client, userId } = useSession();
  const asked = APPROVERS.filter((role) => companyId !== undefined && roles.has(role)).flatMap((role) =>
    [false, true].map((guests) => ({ role, guests })),
  );
  const found = useQueries({
    queries: asked.map(({ role, guests }) => {
      // Two, as one of them may be about to lose the role.
      const query = { companyId: companyId ?? '', role, activeOnly: true, limit: 2, ...orderOf(guests) };
      return {
        queryKey: ownKey(userId, 'people', query),
        queryFn: ({ signal }: { signal: AbortSignal }) => client.get('/api/users/list', query, signal),
      };
    }),
  });
  const highest: HighestLimit = (role, without) => {
    const [residents, guests] = [false, true].map((isGuest) => {
      const at = asked.findIndex((one) => one.role === role && one.guests === isGuest);
      return found[at]?.data?.data.filter(({ id }) => id !== without);
    });
    if (residents === undefined || guests === undefined || guests.length > 0) return undefined;
    return residents[0]?.approvalLimit ?? null;
  };
  return { highest, isReady: found.every(({ isPending }) => !isPending) };
}

function orderOf(guests: boolean) {
  return guests ? { guests } : ({ sort: '-approvalLimit' } as const);
}
