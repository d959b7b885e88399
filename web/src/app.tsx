import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { explain } from './explain.ts';
import { Loading } from './parts/states.tsx';
import { useConsoleConfig } from './session/console-config.ts';
import { finishSignIn, type UnderWay } from './session/provider-sign-in.ts';
import { useSession } from './session/session.tsx';
import { PAGE_NAMES } from './shell/page-names.ts';
import { Shell } from './shell/shell.tsx';
import { Welcome } from './shell/welcome.tsx';
import { texts } from './texts.ts';

/** All pages but the first, which is to be there soon, come in a file of their own. */
const loadPage = () => import('./page.tsx');
const Page = lazy(async () => ({ default: (await loadPage()).Page }));
/** Milliseconds after the first page until the others are loaded, asked for or not. */
const PAUSE = 500;

/** What the page's address brought along. */
export interface Arrival {
  linkedToken: string | undefined;
  providerAnswer: URLSearchParams | undefined;
  /** The sign-in that this tab has begun at the provider. */
  underWay: UnderWay | undefined;
}

/** The pages, and on arrival the sign-in that the address asked for. */
export function App({ arrival }: { arrival: Arrival }) {
  const { isSignedIn } = useSession();
  const { isArriving, problem } = useArrival(arrival);
  useEffect(() => {
    // Where it fails it is tried again when the page is opened, which then says so.
    const timer = setTimeout(() => loadPage().catch(() => undefined), PAUSE);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Shell>
      {isArriving ? (
        <Loading />
      ) : (
        <Switch>
          <Route path="/">{isSignedIn ? <Redirect to="/profile" replace /> : <Welcome problem={problem} />}</Route>
          {PAGE_NAMES.map((name) => (
            <Route key={name} path={`/${name}`}>
              <Suspense fallback={<Loading />}>
                <Page name={name} />
              </Suspense>
            </Route>
          ))}
        </Switch>
      )}
    </Shell>
  );
}

/** Signs in by the link or the provider's answer that one came with. A link counts on the demo alone: nobody can be sent one that signs them in as somebody else. */
function useArrival({ linkedToken, providerAnswer, underWay }: Arrival) {
  const { data: config, isError } = useConsoleConfig();
  const { signIn } = useSession();
  const [, navigate] = useLocation();
  const [isWaiting, setWaiting] = useState(linkedToken !== undefined || providerAnswer !== undefined);
  const [problem, setProblem] = useState<string>();
  const begun = useRef(false);

  useEffect(() => {
    if (!isWaiting || begun.current || !config) return;
    begun.current = true;
    const arrive = async () => {
      if (providerAnswer && config.provider) {
        await signIn(await finishSignIn(config.provider, providerAnswer, underWay));
        navigate(underWay?.path ?? '/', { replace: true });
      } else if (linkedToken !== undefined) {
        if (config.signIn !== 'demo') throw new Error(texts.signIn.linkNotTaken);
        await signIn(linkedToken);
      }
    };
    arrive()
      .catch((error: Error) => setProblem(explain(error)))
      .finally(() => setWaiting(false));
  }, [isWaiting, config, linkedToken, providerAnswer, underWay, signIn, navigate]);

  // Where the service does not say how to sign in, the first page says so, and lets one try again.
  return { isArriving: isWaiting && !(isError && !config), problem };
}
