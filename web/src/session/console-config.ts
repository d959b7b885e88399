import { queryOptions, useQuery } from '@tanstack/react-query';
import { createClient } from '../api/client.ts';

const anonymous = createClient();

/** The console's configuration from the service, above all the ways to sign in. */
export const consoleConfig = queryOptions({
  queryKey: ['console-config'],
  queryFn: async () => (await anonymous.get('/console/config')).data,
  staleTime: Number.POSITIVE_INFINITY,
});

export function useConsoleConfig() {
  return useQuery(consoleConfig);
}
