import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createClient, type Schemas } from '../api/client.ts';

/** The geography is public: no token goes with what is asked of it. */
const anonymous = createClient(undefined, () => undefined);
const STILL = { staleTime: 3_600_000 };
const PAGE = 100;

export type City = Schemas['City'];

export function useCountries() {
  return useQuery({
    queryKey: ['countries'],
    queryFn: async ({ signal }) => (await anonymous.get('/api/countries/list', {}, signal)).data,
    ...STILL,
  });
}

export function useStates(countryId: number | undefined) {
  return useQuery({
    queryKey: ['states', countryId],
    queryFn: async ({ signal }) =>
      (await anonymous.get('/api/states/list', { countryId: countryId ?? 0 }, signal)).data,
    enabled: countryId !== undefined,
    ...STILL,
  });
}

/** Cities a hundred at a time: of a state, of the world. */
export function useCities(query: { stateId?: number; search?: string }, isEnabled: boolean) {
  return useInfiniteQuery({
    queryKey: ['cities', query],
    queryFn: ({ pageParam, signal }) =>
      anonymous.get('/api/cities/list', { ...query, isPaginationNeeded: true, page: pageParam, limit: PAGE }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination?.hasNextPage ? pagination.currentPage + 1 : undefined),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
    ...STILL,
  });
}
