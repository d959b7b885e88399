import { useQueryClient } from '@tanstack/react-query';
import { profileKey } from './query-keys.ts';
import { useSession } from './session.tsx';

/** What is to be called once something has been changed: all that is shown is asked for anew, and what is kept is old. */
export function useChanged(): () => Promise<void> {
  const queries = useQueryClient();
  const { userId } = useSession();
  const own = profileKey(userId).join();
  // The own profile's form looks after itself: a new version would be a change made elsewhere to it.
  return () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === userId && queryKey.join() !== own });
}
