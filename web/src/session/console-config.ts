import { queryOptions, useQuery } from '@tanstack/react-query';
import { createClient } from '../api/client.ts';

const anonymous = createClient();

/** Returns the query of the console's configuration: the ways to sign in, for people with addresses of a domain if one is given. */
export const configQuery = (domain?: string) =>
  queryOptions({
    queryKey: ['console-config', domain],
    queryFn: async () => (await anonymous.get('/console/config', domain === undefined ? {} : { domain })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });

export const consoleConfig = configQuery();

export function useConsoleConfig() {
  return useQuery(consoleConfig);
}
