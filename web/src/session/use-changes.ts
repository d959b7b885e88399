import { useQueryClient } from '@tanstack/react-query';
import { profileKey } from './query-keys.ts';
import { useSession } from './session.tsx';

/** Returns a function to call after a change: it invalidates all queries of the user. */
export function useChanged(): () => Promise<void> {
  const queries = useQueryClient();
  const { userId } = useSession();
  const own = profileKey(userId).join();
  // Except the user's own profile: to its form a new version would be a concurrent change.
  return () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === userId && queryKey.join() !== own });
}
