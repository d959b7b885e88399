import { queryOptions, useQuery } from '@tanstack/react-query';
import { createClient } from '../api/client.ts';

const anonymous = createClient();

/** How one signs in here, as the service says. */
export const consoleConfig = queryOptions({
  queryKey: ['console-config'],
  queryFn: async () => (await anonymous.get('/console/config')).data,
  staleTime: Number.POSITIVE_INFINITY,
});

export function useConsoleConfig() {
  return useQuery(consoleConfig);
}
