import { useQueries } from '@tanstack/react-query';
import type { CompanyRole, Role } from '../api/types.ts';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import type { HighestLimit } from './policy-decision.ts';

export interface HighestLimits {
  highest: HighestLimit;
  /** What is not known now is not known at all. */
  isReady: boolean;
}

const APPROVERS: readonly CompanyRole[] = ['MANAGER', 'CORPORATE_ADMIN', 'EMPLOYEE'];

/**
 * Asks how much the active holders of these roles may approve in a company. Unknown stay platform roles, and roles that a guest holds: the
 * service shows nobody's limit there.
 */
export function useHighestLimits(companyId: string | undefined, roles: ReadonlySet<Role>): HighestLimits {
  const { client, userId } = useSession();
  const asked = APPROVERS.filter((role) => companyId !== undefined && roles.has(role)).flatMap((role) =>
    [false, true].map((guests) => ({ role, guests })),
  );
  const found = useQueries({
    queries: asked.map(({ role, guests }) => {
      // Two, as one of them may be about to leave.
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
