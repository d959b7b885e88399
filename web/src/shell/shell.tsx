import { ActionIcon, Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { Icon } from '../parts/icons.tsx';
import { useSession } from '../session/session.tsx';
import { useProfile } from '../session/use-profile.ts';
import { texts } from '../texts.ts';
import { pagesFor } from './pages.ts';
import classes from './shell.module.css';

/** What stands around every page: where one may go, who one is, and the way out. */
export function Shell({ children }: { children: ReactNode }) {
  const { isSignedIn, draft } = useSession();
  const { data } = useProfile();
  const [path] = useLocation();
  const hasDraft = Object.keys(draft).length > 0;
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
        {isSignedIn ? <SignOut hasDraft={hasDraft} /> : <SignInLink isThere={path === '/'} />}
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
                {page === 'profile' && hasDraft && (
                  <span className={classes.dot} role="img" aria-label={texts.shell.unsaved} />
                )}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main id="content" className={classes.main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
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

function SignOut({ hasDraft }: { hasDraft: boolean }) {
  const { signOut } = useSession();
  const [, navigate] = useLocation();
  const leave = () => {
    if (hasDraft && !confirm(texts.shell.leave)) return;
    signOut();
    navigate('/');
  };
  return (
    <Button variant="default" size="xs" onClick={leave}>
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
