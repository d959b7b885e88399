import { Anchor, Paper, Text } from '@mantine/core';
import { lazy, Suspense, useEffect } from 'react';
import { Link, Redirect, Route, Switch } from 'wouter';
import { LoadingPage, PageHead } from './parts/states.tsx';
import { BRAND } from './session/brand.ts';
import { useSession } from './session/session.tsx';
import { SignIn } from './session/sign-in.tsx';
import { type Arrival, useArrival } from './session/use-arrival.ts';
import { useProfile } from './session/use-profile.ts';
import { failPart } from './shell/boundary.tsx';
import { PAGE_NAMES } from './shell/page-names.ts';
import { mayOpen } from './shell/pages.ts';
import { Shell } from './shell/shell.tsx';
import classes from './shell/welcome.module.css';
import { t } from './translate.ts';

/** All pages except the landing page, which has to appear fast, are a chunk of their own. */
const loadPage = () => import('./page.tsx').catch(failPart);
const Page = lazy(async () => ({ default: (await loadPage()).Page }));
/** Milliseconds after the landing page until the other pages are preloaded. */
const PAUSE = 500;

/** Renders the pages, and signs in on page load if the address asks for it. */
export function App({ arrival }: { arrival: Arrival }) {
  const { isSignedIn } = useSession();
  const { isArriving, problem } = useArrival(arrival);
  useEffect(() => {
    // A failed preload is repeated when a page is opened, which then reports it.
    const timer = setTimeout(() => loadPage().catch(() => undefined), PAUSE);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Shell isArriving={isArriving}>
      {isArriving ? (
        <LoadingPage />
      ) : (
        <Switch>
          <Route path="/">{isSignedIn ? <FirstPage /> : <Welcome problem={problem} />}</Route>
          {PAGE_NAMES.map((name) => (
            <Route key={name} path={`/${name}/:id?`}>
              {({ id }) => (
                <Suspense fallback={<LoadingPage />}>
                  <Page name={name} id={id} />
                </Suspense>
              )}
            </Route>
          ))}
          <Route>
            <Unknown />
          </Route>
        </Switch>
      )}
    </Shell>
  );
}

/** Redirects users who are responsible for a company to its overview, and everybody else to their profile. */
function FirstPage() {
  const { data, isError } = useProfile();
  if (!data && !isError) return <LoadingPage />;
  return <Redirect to={mayOpen('overview', data?.profile) ? '/overview' : '/profile'} replace />;
}

/** The page of unknown addresses. */
export function Unknown() {
  return (
    <>
      <PageHead title={t('Page not found')} lead={t('The address may be mistyped, or the link outdated.')} />
      <Text>
        <Anchor component={Link} href="/">
          {t('Go to the first page')}
        </Anchor>
      </Text>
    </>
  );
}

/** The landing page of users who are not signed in. */
export function Welcome({ problem }: { problem: string | undefined }) {
  return (
    <div className={classes.welcome}>
      <PageHead title={t('Sign in')} lead={BRAND.text} />
      <Paper withBorder p="lg" mb="md">
        <SignIn problem={problem} />
      </Paper>
      <Anchor component={Link} href="/geography">
        {t('Look at the geography without signing in')}
      </Anchor>
    </div>
  );
}
