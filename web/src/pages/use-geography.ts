import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createClient } from '../api/client.ts';

/** Without a token, as the geography is public. */
const anonymous = createClient();
const STILL = { staleTime: 3_600_000 };

/** @param isDetailed with flags */
export function useCountries(isDetailed: boolean) {
  return useQuery({
    queryKey: ['countries', isDetailed],
    queryFn: async ({ signal }) =>
      (await anonymous.get('/api/countries/list', isDetailed ? { include: 'flag' } : {}, signal)).data,
    placeholderData: keepPreviousData,
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

export type CityPages = NonNullable<ReturnType<typeof useCities>['data']>['pages'];
export type City = CityPages[number]['data'][number];

interface CityQuery {
  stateId?: number;
  search?: string;
  /** With population, time zone and location. */
  isDetailed: boolean;
}

const DETAILS = ['location', 'timezone', 'population'];

/**
 * Reads cities of a state or of the world page by page, with a search in all their names. While the next result
 * loads, the previous one is kept, together with its search text.
 */
export function useCities(query: CityQuery, limit: number, isEnabled = true) {
  return useInfiniteQuery({
    ...citiesOptions(query, limit),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
}

/** Prefetches what {@link useCities} will request, at the key press, before the change is rendered. */
export function useCitiesAhead() {
  const queries = useQueryClient();
  return (query: CityQuery, limit: number) => void queries.prefetchInfiniteQuery(citiesOptions(query, limit));
}

function citiesOptions({ isDetailed, ...query }: CityQuery, limit: number) {
  return infiniteQueryOptions({
    queryKey: ['cities', query, limit, isDetailed],
    queryFn: async ({ pageParam, signal }) => {
      const isSearch = query.search !== undefined;
      const include = [...(isDetailed ? DETAILS : []), ...(isSearch ? ['alternateNames'] : [])].join();
      const asked = { ...query, ...(isSearch ? { alternateNames: true } : {}), ...(include === '' ? {} : { include }) };
      const page = { isPaginationNeeded: true, page: pageParam, limit };
      return {
        ...(await anonymous.get('/api/cities/list', { ...asked, ...page }, signal)),
        search: query.search ?? '',
      };
    },
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) => (pagination?.hasNextPage ? pagination.currentPage + 1 : undefined),
    ...STILL,
  });
}
