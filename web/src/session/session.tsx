import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Client, createClient, type Profile } from '../api/client.ts';
import { type Draft, hasFields, NO_DRAFT } from './draft.ts';
import type { Stash } from './provider-sign-in.ts';

/** Who is signed in, in the memory of this page alone. */
interface SignedIn {
  token: string;
  client: Client;
  userId: string;
  /** Gives up all that is asked for with the client. */
  end: AbortController;
}

export interface Session {
  /** With the token of whoever is signed in, or without one. */
  client: Client;
  isSignedIn: boolean;
  userId: string | undefined;
  /** Why the token is not taken any more; undefined while it is. */
  expired: string | undefined;
  /** Somebody has signed out of this page since it was opened. */
  hasSignedOut: boolean;
  /** The own profile's fields that are typed and not saved. */
  draft: Draft;
  setDraft: Dispatch<SetStateAction<Draft>>;
  /** What was put aside for a sign-in at the provider and waits for one that succeeds. */
  stash: Stash | undefined;
  /** The page is about to be left with the draft put aside: nothing is to be warned of. */
  leaveWithDraft: () => void;
  /** Asks the service who this token is of. Rejects where it does not take it. */
  signIn: (token: string) => Promise<void>;
  signOut: () => void;
}

const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new TypeError('useSession stands outside of SessionProvider');
  return session;
}

/** What is kept of a person's answers stands under their id: nobody else's page finds it. */
export function ownKey(userId: string | undefined, ...key: readonly unknown[]): readonly unknown[] {
  return [userId, ...key];
}

/** While the next page of a list comes, what was before stays on the screen; not what another person saw. */
export function keepOwn(userId: string | undefined) {
  return <Data,>(previous: Data | undefined, query: { queryKey: readonly unknown[] } | undefined) =>
    query?.queryKey[0] === userId ? previous : undefined;
}

export function profileKey(userId: string | undefined): readonly unknown[] {
  return ownKey(userId, 'profile');
}

export type OwnProfile = { profile: Profile; version: string };

export function SessionProvider({ kept, children }: { kept: Stash | undefined; children: ReactNode }) {
  const queries = useQueryClient();
  const [signedIn, setSignedIn] = useState<SignedIn>();
  const [expired, setExpired] = useState<string>();
  const [hasSignedOut, setHasSignedOut] = useState(false);
  const [draft, setDraft] = useState<Draft>(NO_DRAFT);
  const [stash, setStash] = useState(kept);
  const present = useRef(signedIn);
  present.current = signedIn;
  const anonymous = useMemo(() => createClient(undefined, () => undefined), []);

  const signIn = useCallback<Session['signIn']>(
    async (token) => {
      const end = new AbortController();
      const refuse = (refused: string, reason: string) => {
        if (present.current?.token === refused) setExpired(reason);
      };
      const client = createClient(token, refuse, end.signal);
      const own = await client.profile();
      const userId = own.profile.id;
      if (present.current?.userId !== userId) {
        present.current?.end.abort();
        queries.clear();
        setDraft(stash?.draft?.userId === userId ? stash.draft.fields : NO_DRAFT);
      }
      queries.setQueryData<OwnProfile>(profileKey(userId), own);
      setSignedIn({ token, client, userId, end });
      setExpired(undefined);
      setStash(undefined);
    },
    [queries, stash],
  );
  const signOut = useCallback(() => {
    present.current?.end.abort();
    present.current = undefined;
    setSignedIn(undefined);
    setExpired(undefined);
    setDraft(NO_DRAFT);
    setStash(undefined);
    setHasSignedOut(true);
    queries.clear();
  }, [queries]);

  // What failed while the token was not taken is asked for again with the new one.
  const token = signedIn?.token;
  useEffect(() => {
    if (token === undefined) return;
    void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  }, [token, queries]);

  const isLeaving = useRef(false);
  const leaveWithDraft = useCallback(() => {
    isLeaving.current = true;
    // Whoever goes back may find the page as they left it.
    addEventListener('pageshow', () => (isLeaving.current = false), { once: true });
  }, []);
  const isDirty = hasFields(draft);
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => {
      if (!isLeaving.current) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isDirty]);

  const session = useMemo<Session>(
    () => ({
      client: signedIn?.client ?? anonymous,
      isSignedIn: signedIn !== undefined,
      userId: signedIn?.userId,
      ...{ expired, hasSignedOut, draft, setDraft, stash, leaveWithDraft, signIn, signOut },
    }),
    [signedIn, anonymous, expired, hasSignedOut, draft, stash, leaveWithDraft, signIn, signOut],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}
