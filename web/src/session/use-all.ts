import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Client, pauseBeforeRetry, RequestError } from '../api/client.ts';
import type { Band, Department, DepartmentSpending, Policy } from '../api/types.ts';
import { ownKey, profileKey } from './query-keys.ts';
import { useSession } from './session.tsx';

/** Maximum page size of the service. */
const MAX_PAGE_SIZE = 100;
/** Maximum pages of a list to choose from. */
const MAX_PAGES = 10;

/** The parameters of a page that is read by cursor. */
export interface CursorQuery {
  after: string;
  limit: number;
}

/** Reads all pages of a list by cursor, one after the other: none is missed or repeated, whatever changes meanwhile. */
export async function readAll<Item>(
  load: (query: CursorQuery) => Promise<{ data: Item[]; pagination: object }>,
  pages = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const all: Item[] = [];
  let after: string | null | undefined = 'start';
  for (let page = 0; page < pages && after; page++) {
    const query: CursorQuery = { after, limit: MAX_PAGE_SIZE };
    const { data, pagination } = await patiently(() => load(query));
    all.push(...data);
    after = (pagination as { next?: string | null }).next;
  }
  return all;
}

/** Runs a request, and retries it after a 429 when the service says so: a long list takes many pages. */
export async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const pause = pauseBeforeRetry(error);
      if (pause === undefined || !(error instanceof RequestError && error.status === 429)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** Returns all objects of a company's list, to choose from; undefined while they load, and if they are not accessible. */
function useAll<Item>(
  kind: string,
  companyId: string | undefined,
  load: (
    client: Client,
    query: CursorQuery & { companyId: string },
    signal: AbortSignal,
  ) => Promise<{ data: Item[]; pagination: object }>,
): Item[] | undefined {
  const { client, userId } = useSession();
  const found = useQuery({
    queryKey: ownKey(userId, kind, 'all', companyId),
    queryFn: ({ signal }) =>
      readAll((query) => load(client, { ...query, companyId: companyId ?? '' }, signal), MAX_PAGES),
    enabled: companyId !== undefined,
  });
  return found.data;
}

export function useDepartments(companyId: string | undefined): Department[] | undefined {
  return useAll('departments', companyId, (client, query, signal) =>
    client.get('/api/departments/list', { ...query, include: 'structure' }, signal),
  );
}

/** Returns the budgets of a company's departments and what they have spent. */
export function useSpending(companyId: string | undefined): DepartmentSpending[] | undefined {
  return useAll('spending', companyId, (client, query, signal) =>
    client.get('/api/departments/spending', query, signal),
  );
}

export function useBands(companyId: string | undefined): Band[] | undefined {
  return useAll('bands', companyId, (client, query, signal) => client.get('/api/bands/list', query, signal));
}

export function usePolicies(companyId: string | undefined): Policy[] | undefined {
  return useAll('policies', companyId, (client, query, signal) =>
    client.get('/api/approval-policies/list', query, signal),
  );
}

/** Returns a function to call after a change: it invalidates all queries of the user. */
export function useChanged(): () => Promise<void> {
  const queries = useQueryClient();
  const { userId } = useSession();
  const own = profileKey(userId).join();
  // Except the user's own profile: to its form a new version would be a concurrent change.
  return () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === userId && queryKey.join() !== own });
}
