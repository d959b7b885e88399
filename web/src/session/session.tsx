import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { type Client, createClient, type Profile } from '../api/client.ts';

export type Draft = Readonly<Record<string, string>>;

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
  setDraft: (draft: Draft) => void;
  /** Asks the service who this token is of. Rejects where it does not take it. */
  signIn: (token: string, draft?: { userId: string; fields: Draft }) => Promise<void>;
  signOut: () => void;
}

const NO_DRAFT: Draft = {};
const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new TypeError('useSession stands outside of SessionProvider');
  return session;
}

export const profileKey = ['profile'];
export type OwnProfile = { profile: Profile; version: string };

export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [signedIn, setSignedIn] = useState<SignedIn>();
  const [expired, setExpired] = useState<string>();
  const [hasSignedOut, setHasSignedOut] = useState(false);
  const [draft, setDraft] = useState<Draft>(NO_DRAFT);
  const present = useRef(signedIn);
  present.current = signedIn;
  const anonymous = useMemo(() => createClient(undefined, () => undefined), []);

  const signIn = useCallback<Session['signIn']>(
    async (token, kept) => {
      const client = createClient(token, (refused, reason) => {
        if (present.current?.token === refused) setExpired(reason);
      });
      const own = await client.profile();
      const userId = own.profile.id;
      if (present.current?.userId !== userId) {
        queries.clear();
        setDraft(kept?.userId === userId ? kept.fields : NO_DRAFT);
      }
      queries.setQueryData<OwnProfile>(profileKey, own);
      setSignedIn({ token, client, userId });
      setExpired(undefined);
    },
    [queries],
  );
  const signOut = useCallback(() => {
    setSignedIn(undefined);
    setExpired(undefined);
    setDraft(NO_DRAFT);
    setHasSignedOut(true);
    queries.clear();
  }, [queries]);

  // What failed while the token was not taken is asked for again with the new one.
  const token = signedIn?.token;
  useEffect(() => {
    if (token !== undefined) void queries.invalidateQueries();
  }, [token, queries]);

  const hasDraft = Object.keys(draft).length > 0;
  useEffect(() => {
    if (!hasDraft) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [hasDraft]);

  const session = useMemo<Session>(
    () => ({
      client: signedIn?.client ?? anonymous,
      isSignedIn: signedIn !== undefined,
      userId: signedIn?.userId,
      ...{ expired, hasSignedOut, draft, setDraft, signIn, signOut },
    }),
    [signedIn, anonymous, expired, hasSignedOut, draft, signIn, signOut],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}
