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

export const profileKey = ['profile'];
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
      const client = createClient(token, (refused, reason) => {
        if (present.current?.token === refused) setExpired(reason);
      });
      const own = await client.profile();
      const userId = own.profile.id;
      if (present.current?.userId !== userId) {
        queries.clear();
        setDraft(stash?.draft?.userId === userId ? stash.draft.fields : NO_DRAFT);
      }
      queries.setQueryData<OwnProfile>(profileKey, own);
      setSignedIn({ token, client, userId });
      setExpired(undefined);
      setStash(undefined);
    },
    [queries, stash],
  );
  const signOut = useCallback(() => {
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
