import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { explain, RequestError } from '../api/client.ts';
import type { ConsoleConfig } from '../api/types.ts';
import { currentPath } from '../base-path.ts';
import { t } from '../translate.ts';
import { configQuery, useConsoleConfig } from './console-config.ts';
import { forgetSignInMethod, type PendingSignIn, remembered } from './pending-sign-in.ts';
import { type Session, useSession } from './session.tsx';
import { tokenOfOtherTab } from './tabs.ts';

/** Sign-in data from the address of the page. */
export interface Arrival {
  linkedToken: string | undefined;
  providerAnswer: URLSearchParams | undefined;
  /** The sign-in that this tab started at the provider. */
  pending: PendingSignIn | undefined;
}

/** Signs in on page load: by a linked token or the provider's response, otherwise in the way that this browser remembers. */
export function useArrival(arrival: Arrival): { isArriving: boolean; problem: string | undefined } {
  const { data: config, isError } = useConsoleConfig();
  const { signIn } = useSession();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [isWaiting, setWaiting] = useState(() => arrival.linkedToken !== undefined || hasWayIn(arrival));
  const [problem, setProblem] = useState<string>();
  const begun = useRef(false);

  useEffect(() => {
    if (!isWaiting || begun.current || !config) return;
    begun.current = true;
    const { linkedToken, providerAnswer, pending } = arrival;
    const arrive = async () => {
      if (linkedToken !== undefined) {
        // Only in the demo: elsewhere an attacker could send a link that signs the victim in as somebody else.
        if (config.signIn !== 'demo')
          throw new Error(
            t('This link does not sign in here: links with a token work for the demo on this machine alone.'),
          );
        await signIn({ access: linkedToken }, 'demo');
      } else if (providerAnswer) {
        const { finishSignIn } = await import('./provider-sign-in.ts');
        try {
          const { provider } = await queries.ensureQueryData(configQuery(pending?.domain));
          await signIn(await finishSignIn(provider, providerAnswer, pending), 'provider');
        } catch (error) {
          if (pending?.isSilent !== true) throw error;
        }
        navigate(pending?.path ?? '/', { replace: true });
      } else {
        await signInAsRemembered(config, signIn, queries);
      }
    };
    arrive()
      .catch((error: Error) => setProblem(explain(error)))
      .finally(() => setWaiting(false));
  }, [isWaiting, config, arrival, signIn, queries, navigate]);

  // If the sign-in options cannot be read, the landing page says so and offers a retry.
  return { isArriving: isWaiting && !(isError && !config), problem };
}

function hasWayIn({ providerAnswer }: Arrival): boolean {
  return providerAnswer !== undefined || !['left', undefined].includes(remembered()?.way);
}

/** Signs in without the user's asking: on failure the sign-in options are offered. */
async function signInAsRemembered(
  config: ConsoleConfig,
  signIn: Session['signIn'],
  queries: QueryClient,
): Promise<void> {
  const known = remembered();
  if (known === undefined) return;
  const domain = 'domain' in known ? known.domain : undefined;
  try {
    const access = (await tokenOfOtherTab()) ?? demoToken(config, known);
    if (access !== undefined) return await signIn({ access, domain }, known.way);
  } catch (error) {
    // Without a response the remembered way is kept.
    if (!(error instanceof RequestError && error.status === 401)) throw error;
  }
  forgetSignInMethod();
  if (known.way !== 'provider') return;
  const { provider } = await queries.ensureQueryData(configQuery(domain));
  if (!provider) return;
  const { leaveForProvider } = await import('./provider-sign-in.ts');
  await leaveForProvider(provider, { path: currentPath(), domain }, 'none');
  // Never resolves: the page is about to be left.
  await new Promise(() => undefined);
}

function demoToken({ people }: ConsoleConfig, known: ReturnType<typeof remembered>): string | undefined {
  return known?.way === 'demo' ? people?.find(({ email }) => email === known.email)?.token : undefined;
}
