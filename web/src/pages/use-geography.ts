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

const STATES = { include: 'type,parentId', hasCities: true };

/** Reads the states of a country that have cities, each followed by those that it contains. */
export function useStates(countryId: number | undefined) {
  return useQuery({
    queryKey: ['states', countryId],
    queryFn: async ({ signal }) => {
      const { data } = await anonymous.get('/api/states/list', { countryId: countryId ?? 0, ...STATES }, signal);
      const within = (parent: number | null, depth: number): (State & { depth: number; cities: number })[] =>
        data
          .filter(({ parentId }) => parentId === parent)
          .flatMap((state) => {
            const parts = within(state.id, depth + 1);
            const direct = parts.filter((part) => part.parentId === state.id);
            const cities = direct.reduce((sum, part) => sum + part.cities, state._count.cities);
            return [{ ...state, depth, cities }, ...parts];
          });
      return within(null, 0);
    },
    enabled: countryId !== undefined,
    ...STILL,
  });
}

type State = Awaited<ReturnType<typeof anonymous.get<'/api/states/list'>>>['data'][number];

export type CityPages = NonNullable<ReturnType<typeof useCities>['data']>['pages'];
export type City = CityPages[number]['data'][number];

/** Whether no city has the searched name, and these have one with one letter wrong. */
export function isSimilar(cities: readonly City[] | undefined): boolean {
  return cities?.[0]?.match === 'similar';
}

interface CityQuery {
  stateId?: number;
  search?: string;
  /** With population, time zone and location. */
  isDetailed: boolean;
}

const DETAILS = ['location', 'timezone', 'population'];

/**
 * Reads cities of a state and the states that it contains, or of the world, page by page, with a search in all their names. While the next result
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
      const within = query.stateId === undefined ? {} : { within: true };
      const names = isSearch ? { alternateNames: true } : {};
      const asked = { ...query, ...within, ...names, ...(include === '' ? {} : { include }) };
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
