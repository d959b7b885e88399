import { ActionIcon, Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { Icon } from '../parts/icons.tsx';
import { hasFields } from '../session/draft.ts';
import { useSession } from '../session/session.tsx';
import { useProfile } from '../session/use-profile.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import { texts } from '../texts.ts';
import { Boundary } from './boundary.tsx';
import { pagesFor } from './pages.ts';
import classes from './shell.module.css';

/** What stands around every page: where one may go, who one is, and the way out. */
export function Shell({ children }: { children: ReactNode }) {
  const { isSignedIn, userId, draft } = useSession();
  const { data } = useProfile();
  const [path] = useLocation();
  const main = useFocusAtChange(`${path} ${userId}`);
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#content">
        {texts.shell.skip}
      </a>
      <header className={classes.header}>
        <Link href="/" className={classes.brand}>
          <Icon name="companies" size={22} />
          {texts.product}
        </Link>
        {data && (
          <span className={classes.person}>
            <bdi>{`${data.profile.firstName} ${data.profile.lastName}`}</bdi>
          </span>
        )}
        <ColourScheme />
        {isSignedIn ? <SignOut /> : <SignInLink isThere={path === '/'} />}
      </header>
      <nav className={classes.nav} aria-label={texts.shell.pages}>
        <ul>
          {pagesFor(data?.profile).map((page) => (
            <li key={page}>
              <Link
                href={`/${page}`}
                className={classes.link ?? ''}
                aria-current={path === `/${page}` ? 'page' : undefined}
              >
                <Icon name={page} />
                <span>{texts.pages[page]}</span>
                {page === 'profile' && hasFields(draft) && (
                  <span className={classes.dot} role="img" aria-label={texts.shell.unsaved} />
                )}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main id="content" className={classes.main} tabIndex={-1} ref={main}>
        <Boundary key={path}>{children}</Boundary>
      </main>
    </div>
  );
}

/** Where a page gives way to another, the new one is read from its beginning, and the keyboard goes on in it. */
function useFocusAtChange(page: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [page]);
  return main;
}

function ColourScheme() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={isDark ? texts.shell.light : texts.shell.dark}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      <Icon name={isDark ? 'sun' : 'moon'} />
    </ActionIcon>
  );
}

function SignOut() {
  return (
    <Button variant="default" size="xs" onClick={useSignOut()}>
      {texts.shell.signOut}
    </Button>
  );
}

function SignInLink({ isThere }: { isThere: boolean }) {
  return isThere ? null : (
    <Button component={Link} href="/" size="xs">
      {texts.shell.signIn}
    </Button>
  );
}
