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
import { type Client, createClient, RequestError } from '../api/client.ts';
import { type Draft, NO_DRAFT } from '../parts/draft.ts';
import { t } from '../translate.ts';
import { configQuery, consoleConfig } from './console-config.ts';
import { useLeaveWarning } from './leaving.ts';
import {
  forgetSignInMethod,
  type Provider,
  type Remembered,
  remember,
  remembered,
  type Stash,
  type Tokens,
} from './pending-sign-in.ts';
import { announceSignOut, answerTabs, otherTokenOfTabs, showPresence } from './tabs.ts';

/** The signed-in user, in the memory of this page only. */
interface SignedIn {
  client: Client;
  userId: string;
  tokens: Tokens;
  /** See {@link renewal}. */
  renew: (refused: string) => Promise<boolean>;
  /** Cancels all requests of the client. */
  end: AbortController;
}

export interface Session {
  /** A client with the token of the signed-in user, or without one. */
  client: Client;
  isSignedIn: boolean;
  userId: string | undefined;
  /** Why the token was refused; undefined while it is valid. */
  expired: string | undefined;
  /** Whether the user's own profile has unsaved changes. */
  hasDraft: boolean;
  /** The company viewed last. */
  companyId: string | undefined;
  setCompanyId: Dispatch<SetStateAction<string | undefined>>;
  /** The domain by which the provider of the user was found. */
  domain: string | undefined;
  /** The address that the link to this page has for whoever signs in. */
  address: string | undefined;
  /** State put aside for a sign-in at the provider, kept until one succeeds. */
  stash: Stash | undefined;
  /** Suppresses the warning when the page is left with its draft put aside. */
  leaveWithDraft: () => void;
  /** Verifies tokens by reading the profile, and starts the session. Rejects if the service refuses them. */
  signIn: (tokens: Tokens, way: Remembered['way']) => Promise<void>;
  signOut: () => void;
}

export type OwnProfile = Awaited<ReturnType<Client['profile']>>;

/** Unsaved fields of the user's own profile. In a context apart from the session, as they change with every key. */
interface OwnDraft {
  draft: Draft;
  setDraft: Dispatch<SetStateAction<Draft>>;
}

/** Retry-After in seconds while the provider does not answer. */
const PROVIDER_RETRY = '2';

const SessionContext = createContext<Session | undefined>(undefined);
const DraftContext = createContext<OwnDraft | undefined>(undefined);

export function profileKey(userId: string | undefined): readonly unknown[] {
  return [userId, 'profile'];
}

export function useSession(): Session {
  return inside(useContext(SessionContext));
}

export function useDraft(): OwnDraft {
  return inside(useContext(DraftContext));
}

function inside<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('This stands outside of SessionProvider');
  return value;
}

interface SessionProviderProps {
  kept: Stash | undefined;
  address: string | undefined;
  children: ReactNode;
}

export function SessionProvider({ kept, address, children }: SessionProviderProps) {
  const queries = useQueryClient();
  const [signedIn, setSignedIn] = useState<SignedIn>();
  const [expired, setExpired] = useState<string>();
  const [draft, setDraft] = useState<Draft>(NO_DRAFT);
  const [companyId, setCompanyId] = useState<string>();
  const [stash, setStash] = useState(kept);
  const present = useRef<SignedIn>(undefined);
  const usable = useRef<string>(undefined);
  const hasDraft = Object.keys(draft).length > 0;
  const leaveWithDraft = useLeaveWarning(hasDraft);
  const anonymous = useMemo(() => createClient(), []);

  const signIn = useCallback<Session['signIn']>(
    async (given, way) => {
      const end = new AbortController();
      const tokens = { ...given };
      const renew = renewal(tokens, async () => (await queries.ensureQueryData(configQuery(tokens.domain))).provider);
      const refused = (reason: string) => {
        if (present.current?.tokens !== tokens) return;
        usable.current = undefined;
        setExpired(reason);
      };
      const client = createClient({ token: () => tokens.access, renew, refused }, end.signal);
      const own = await client.profile();
      const userId = own.profile.id;
      if (present.current?.userId !== userId) {
        present.current?.end.abort();
        const config = queries.getQueryData(consoleConfig.queryKey);
        queries.clear();
        if (config) queries.setQueryData(consoleConfig.queryKey, config);
        setDraft(stash?.draft?.userId === userId ? stash.draft.fields : NO_DRAFT);
        setCompanyId(undefined);
      }
      queries.setQueryData<OwnProfile>(profileKey(userId), own);
      present.current = { client, userId, tokens, renew, end };
      usable.current = tokens.access;
      remember(way === 'demo' ? { way, email: own.profile.email } : { way, domain: tokens.domain });
      setSignedIn(present.current);
      setExpired(undefined);
      setStash(undefined);
    },
    [queries, stash],
  );
  const drop = useCallback(() => {
    present.current?.end.abort();
    present.current = undefined;
    usable.current = undefined;
    setSignedIn(undefined);
    setExpired(undefined);
    setDraft(NO_DRAFT);
    setCompanyId(undefined);
    setStash(undefined);
    queries.clear();
  }, [queries]);
  const signOut = useCallback(() => {
    const isAtProvider = remembered()?.way === 'provider';
    if (isAtProvider) remember({ way: 'left' });
    else forgetSignInMethod();
    drop();
    announceSignOut();
  }, [drop]);
  const isUsable = signedIn !== undefined && expired === undefined;
  const canRenew = signedIn?.tokens.refresh !== undefined;
  useEffect(() => (isUsable ? showPresence(canRenew) : undefined), [isUsable, canRenew]);
  useEffect(() => {
    const own = () => usable.current && present.current?.tokens.access;
    // A tab with a refresh token renews it for all tabs.
    const renew = async (refused: string) => {
      const { tokens, renew } = present.current ?? {};
      if (tokens?.refresh !== undefined) await renew?.(refused);
    };
    return answerTabs({ token: own, renew, left: drop });
  }, [drop]);

  // Queries that failed with the expired token are repeated with the new one.
  useEffect(() => {
    if (signedIn === undefined) return;
    void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  }, [signedIn, queries]);

  const session = useMemo<Session>(
    () => ({
      client: signedIn?.client ?? anonymous,
      isSignedIn: signedIn !== undefined,
      userId: signedIn?.userId,
      expired,
      hasDraft,
      companyId,
      setCompanyId,
      domain: signedIn?.tokens.domain,
      address,
      stash,
      leaveWithDraft,
      signIn,
      signOut,
    }),
    [signedIn, anonymous, expired, hasDraft, companyId, address, stash, leaveWithDraft, signIn, signOut],
  );
  const own = useMemo(() => ({ draft, setDraft }), [draft]);
  return (
    <SessionContext value={session}>
      <DraftContext value={own}>{children}</DraftContext>
    </SessionContext>
  );
}

/**
 * Returns the renewal of the access token, by the refresh token or from another tab; concurrent requests share one
 * renewal. Rejects if the provider fails: the refresh token is kept then, and dropped only when the provider refuses
 * it.
 */
function renewal(
  tokens: Tokens,
  providerOf: () => Promise<Provider | undefined>,
): (refused: string) => Promise<boolean> {
  let inFlight: Promise<boolean> | undefined;
  async function renew(refused: string): Promise<boolean> {
    const silent = () => {
      throw new RequestError(
        503,
        { message: t('Your organisation’s sign-in does not answer. Try again in a moment.') },
        PROVIDER_RETRY,
      );
    };
    const provider = tokens.refresh === undefined ? undefined : await providerOf();
    if (provider && tokens.refresh !== undefined) {
      const { refreshTokens } = await import('./provider-sign-in.ts');
      const renewed = await refreshTokens(provider, tokens.refresh).catch(silent);
      if (renewed === undefined) tokens.refresh = undefined;
      else Object.assign(tokens, renewed);
    } else {
      tokens.access = (await otherTokenOfTabs(refused).catch(silent)) ?? tokens.access;
    }
    return tokens.access !== refused;
  }
  return async (refused) => {
    if (tokens.access !== refused) return true;
    inFlight ??= renew(refused).finally(() => {
      inFlight = undefined;
    });
    return inFlight;
  };
}
