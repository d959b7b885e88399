import { useEffect, useRef, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { CompaniesPage } from './pages/companies.tsx';
import { DepartmentsPage } from './pages/departments.tsx';
import { GeographyPage } from './pages/geography.tsx';
import { PoliciesPage } from './pages/policies.tsx';
import { ProfilePage } from './pages/profile.tsx';
import { Guarded } from './parts/guarded.tsx';
import { Loading } from './parts/states.tsx';
import { Expired } from './session/expired.tsx';
import { finishSignIn } from './session/provider-sign-in.ts';
import { useSession } from './session/session.tsx';
import { useConsoleConfig } from './session/sign-in.tsx';
import { Shell } from './shell/shell.tsx';
import { Welcome } from './shell/welcome.tsx';
import { texts } from './texts.ts';

export interface Arrival {
  linkedToken: string | undefined;
  providerAnswer: URLSearchParams | undefined;
}

/** The pages, and on arrival the sign-in that the address asked for. */
export function App({ arrival }: { arrival: Arrival }) {
  const { isSignedIn } = useSession();
  const { arriving, problem } = useArrival(arrival);
  return (
    <Shell>
      {arriving ? (
        <Loading />
      ) : (
        <Switch>
          <Route path="/">{isSignedIn ? <Redirect to="/profile" replace /> : <Welcome problem={problem} />}</Route>
          <Route path="/profile">
            <Guarded page="profile">{() => <ProfilePage />}</Guarded>
          </Route>
          <Route path="/companies">
            <Guarded page="companies">{() => <CompaniesPage />}</Guarded>
          </Route>
          <Route path="/departments">
            <Guarded page="departments">{(profile) => <DepartmentsPage profile={profile} />}</Guarded>
          </Route>
          <Route path="/policies">
            <Guarded page="policies">{(profile) => <PoliciesPage profile={profile} />}</Guarded>
          </Route>
          <Route path="/geography">
            <GeographyPage />
          </Route>
        </Switch>
      )}
      <Expired />
    </Shell>
  );
}

/** Signs in by the link or the provider's answer that one came with. A link counts on the demo alone: nobody can be sent one that signs them in as somebody else. */
function useArrival({ linkedToken, providerAnswer }: Arrival): { arriving: boolean; problem: string | undefined } {
  const config = useConsoleConfig();
  const { signIn } = useSession();
  const [, navigate] = useLocation();
  const [arriving, setArriving] = useState(linkedToken !== undefined || providerAnswer !== undefined);
  const [problem, setProblem] = useState<string>();
  const begun = useRef(false);

  useEffect(() => {
    if (!arriving || begun.current || config.isPending) return;
    begun.current = true;
    const arrive = async () => {
      if (providerAnswer && config.data?.provider) {
        const { token, stash } = await finishSignIn(config.data.provider, providerAnswer);
        await signIn(token, stash.draft);
        navigate(stash.path, { replace: true });
      } else if (linkedToken !== undefined && config.data?.signIn === 'demo') {
        await signIn(linkedToken);
      } else if (linkedToken !== undefined) {
        throw new Error(texts.signIn.linkNotTaken);
      }
    };
    arrive()
      .catch((error: Error) => setProblem(error.message || texts.states.offline))
      .finally(() => setArriving(false));
  }, [arriving, config, linkedToken, providerAnswer, signIn, navigate]);

  return { arriving, problem };
}
