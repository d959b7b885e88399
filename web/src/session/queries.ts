import { queryOptions, type UseQueryResult, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Client, pauseBeforeRetry, type Read, RequestError } from '../api/client.ts';
import type {
  Band,
  Department,
  DepartmentSpending,
  Item,
  LegalEntity,
  ListPath,
  OwnRole,
  Policy,
  Query,
  ReadablePath,
  Written,
} from '../api/types.ts';
import { type Choice, choicesOf } from '../parts/choices.ts';
import { profileKey, useSession } from './session.tsx';

/** Returns a query key that starts with the user's id, so that no other user gets the cached data. */
export function ownKey(userId: string | undefined, ...key: readonly unknown[]): readonly unknown[] {
  return [userId, ...key];
}

/** Keeps the previous page of a list on screen while the next one loads, unless it belongs to another user. */
export function keepOwn(userId: string | undefined) {
  return <Data>(previous: Data | undefined, query: { queryKey: readonly unknown[] } | undefined) =>
    query?.queryKey[0] === userId ? previous : undefined;
}

/** Returns the query that reads a path. @param query undefined: nothing is read yet */
function getQuery<Path extends ReadablePath>(
  client: Client,
  userId: string | undefined,
  path: Path,
  query: Query<Path> | undefined,
) {
  return queryOptions({
    queryKey: ownKey(userId, path, query),
    queryFn: ({ signal }) => client.get(path, query, signal),
    enabled: query !== undefined,
  });
}

interface GetOptions {
  /** Shows the previous data while those of another query load. */
  keepsPrevious?: boolean;
  staleTime?: number;
  retry?: boolean;
  refetchInterval?: number;
}

/** Reads a path as the signed-in user. @param query undefined: nothing is read yet */
export function useGet<Path extends ReadablePath>(
  path: Path,
  query: Query<Path> | undefined,
  { keepsPrevious, ...options }: GetOptions = {},
): UseQueryResult<Read<Path>> {
  const { client, userId } = useSession();
  const placeholderData = keepsPrevious ? keepOwn(userId)<Read<Path>> : undefined;
  return useQuery({ ...getQuery(client, userId, path, query), ...options, placeholderData } as object as ReturnType<
    typeof getQuery<Path>
  >);
}

/** As {@link useGet}, for many queries of a path. */
export function useGets<Path extends ReadablePath>(
  path: Path,
  queries: readonly Query<Path>[],
): UseQueryResult<Read<Path>>[] {
  const { client, userId } = useSession();
  return useQueries({ queries: queries.map((query) => getQuery(client, userId, path, query)) });
}

/** Maximum page size of the service. */
const MAX_PAGE_SIZE = 100;

/** Reads all pages of a list by cursor, one after the other: none is missed or repeated, whatever changes meanwhile. */
export async function readAll<Path extends ListPath>(
  client: Client,
  path: Path,
  query: Query<Path>,
  signal?: AbortSignal,
): Promise<Item<Path>[]> {
  const all: Item<Path>[] = [];
  let after: string | null | undefined = 'start';
  while (after) {
    const page = { ...(query as object), after, limit: MAX_PAGE_SIZE } as Query<Path>;
    const { data, pagination } = (await patiently(() => client.get(path, page, signal))) as object as Page<Path>;
    all.push(...data);
    after = pagination.next;
  }
  return all;
}

interface Page<Path extends ListPath> {
  data: Item<Path>[];
  pagination: { next?: string | null };
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

/** Reads a whole list. @param query undefined: nothing is read yet */
export function useAll<Path extends ListPath>(
  path: Path,
  query: Query<Path> | undefined,
): UseQueryResult<Item<Path>[]> {
  const { client, userId } = useSession();
  return useQuery({
    queryKey: ownKey(userId, path, 'all', query),
    queryFn: ({ signal }) => readAll(client, path, query ?? ({} as Query<Path>), signal),
    enabled: query !== undefined,
  });
}

/** Returns the query of what belongs to a company; undefined without one. */
const of = <More extends object>(companyId: string | undefined, more = {} as More) =>
  companyId === undefined ? undefined : { companyId, ...more };

/** Returns the departments of a company; undefined while they load, and if they are not accessible. So do the following ones. */
export function useDepartments(companyId: string | undefined): Department[] | undefined {
  return useAll('/api/departments/list', of(companyId, { include: 'structure' })).data;
}

/** Returns the budgets of a company's departments and what they have spent. */
export function useSpending(companyId: string | undefined): DepartmentSpending[] | undefined {
  return useAll('/api/departments/spending', of(companyId)).data;
}

export function useBands(companyId: string | undefined): Band[] | undefined {
  return useAll('/api/bands/list', of(companyId)).data;
}

/** Returns the groups that can approve, as choices: the company's own, and those of its directories. */
export function useGroups(companyId: string | undefined): Choice[] {
  const own = useAll('/api/groups/list', of(companyId)).data ?? [];
  const ofDirectories = useAll('/api/directories/groups', of(companyId)).data ?? [];
  return [
    ...choicesOf(own),
    ...ofDirectories.map(({ id, name, directory }) => ({ value: id, label: `${name} (${directory.name})` })),
  ];
}

/** Returns the roles of a company's own, or those of them that a person holds. */
export function useOwnRoles(companyId: string | undefined, userId?: string): OwnRole[] | undefined {
  return useAll('/api/roles/list', of(companyId, userId ? { userId } : {})).data;
}

export function useLegalEntities(companyId: string | undefined): LegalEntity[] | undefined {
  return useAll('/api/legal-entities/list', of(companyId)).data;
}

/** What the list of policies is read with: everything, in the order in which they are asked. */
export const WHOLE_POLICIES = { sort: 'precedence', include: 'scope,active,levels' } as const;

export function usePolicies(companyId: string | undefined): Policy[] | undefined {
  return useAll('/api/approval-policies/list', of(companyId, WHOLE_POLICIES)).data;
}

/** Returns the check of the policies of a company. */
export function usePolicyCheck(companyId: string): UseQueryResult<Written<'/api/approval-policies/check'>> {
  const { client, userId } = useSession();
  return useQuery({
    queryKey: ownKey(userId, 'policies', 'check', companyId),
    queryFn: () => client.post('/api/approval-policies/check', { companyId }, { isQuestion: true }),
  });
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
