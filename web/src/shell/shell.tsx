import { ActionIcon, Anchor, AppShell, Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { BASE_PATH } from '../base-path.ts';
import { Icon } from '../parts/icons.tsx';
import { Questions } from '../parts/question.tsx';
import { BRAND, logoUrl, SOFTWARE, useBrand } from '../session/brand.ts';
import { useSession } from '../session/session.tsx';
import { useProfile } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { Account } from './account.tsx';
import { Boundary } from './boundary.tsx';
import { GO_ANYWHERE, PAGE_TITLES } from './page-names.ts';
import { linksFor } from './pages.ts';
import classes from './shell.module.css';
import { useScroll } from './use-scroll.ts';

declare const VERSION: string;

interface ShellProps {
  /** Whether the sign-in of a page load is under way: nothing looks signed out meanwhile. */
  isArriving: boolean;
  children: ReactNode;
}

/** The frame of every page: navigation, the signed-in user, and sign-out. */
export function Shell({ isArriving, children }: ShellProps) {
  const { isSignedIn, userId } = useSession();
  const { data } = useProfile();
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const main = useFocusAtChange(`${path} ${userId}`);
  useScroll();
  useKeptFocus();
  useEffect(() => setOpen(false), [path]);
  useHotkeys([['Escape', () => setOpen(false), { preventDefault: false }]]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 244, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      transitionDuration={0}
      padding={0}
    >
      <AppShell.Header className={classes.header}>
        <a className={classes.skip} href="#content">
          {t('Skip to the content')}
        </a>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          hiddenFrom="md"
          aria-label={t('Menu')}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="menu" />
        </ActionIcon>
        <Link href="/" className={classes.brand}>
          <Mark />
        </Link>
        <ColourScheme />
        {isSignedIn ? <Account of={data?.profile} /> : !isArriving && <SignInLink isThere={path === '/'} />}
      </AppShell.Header>
      <AppShell.Navbar aria-label={t('Pages')} className={classes.nav ?? ''} mod={{ closed: !isOpen }}>
        {isSignedIn && <GoAnywhere />}
        {isArriving ? <ul className={classes.links} /> : <Links path={path} />}
        <Foot />
      </AppShell.Navbar>
      <AppShell.Main id="content" className={classes.main} tabIndex={-1} ref={main} aria-labelledby="title">
        <div className={classes.page}>
          <Boundary key={path}>{children}</Boundary>
        </div>
      </AppShell.Main>
      <Questions />
    </AppShell>
  );
}

/** Logo and name of the product. */
function Mark() {
  const { name, logo } = useBrand();
  return (
    <>
      {logo === undefined ? (
        <Icon name="companies" size={22} />
      ) : (
        <img className={classes.logo} src={logoUrl(logo)} alt="" />
      )}
      <bdi>{name}</bdi>
    </>
  );
}

/** Links of the product, and the software by which it runs. */
function Foot() {
  const { name, support, terms, text, links = [] } = useBrand();
  const help = support?.startsWith('https:') ? support : `mailto:${support}`;
  const all = [
    ...(support === undefined ? [] : [{ name: t('Help'), url: help }]),
    ...(terms === undefined ? [] : [{ name: t('Terms of use'), url: terms }]),
    ...links,
    { name: t('API reference'), url: `${BASE_PATH}/docs` },
  ];
  const shown = all.map((link, index) => (
    <Fragment key={link.url}>
      {index > 0 && ' · '}
      <Anchor href={link.url} target="_blank" rel="noreferrer" inherit underline="always">
        {link.name}
      </Anchor>
    </Fragment>
  ));
  if (name === SOFTWARE) {
    return (
      <footer className={classes.foot}>
        {SOFTWARE} {VERSION} · {shown}
      </footer>
    );
  }
  return (
    <footer className={classes.foot}>
      {text !== BRAND.text && <p>{text}</p>}
      {shown}
      <details>
        <summary>{t('About')}</summary>
        <div>{t('Runs on {software} under the Apache License 2.0.', { software: `${SOFTWARE} ${VERSION}` })}</div>
      </details>
    </footer>
  );
}

function GoAnywhere() {
  return (
    <button type="button" className={classes.search} onClick={() => dispatchEvent(new Event(GO_ANYWHERE))}>
      <Icon name="search" />
      {t('Go to …')}
      <kbd>Ctrl K</kbd>
    </button>
  );
}

function Links({ path }: { path: string }) {
  const { hasDraft } = useSession();
  const { data } = useProfile();
  const links = linksFor(data?.profile);
  // People of other companies belong under their company's page.
  const isWithinCompany = path.split('/')[1] === 'people' && links.every(({ page }) => page !== 'people');
  return (
    <ul className={classes.links}>
      {links.map(({ page, href }) => {
        const isBelow = path.startsWith(`/${page}/`) || (page === 'companies' && isWithinCompany);
        const isHere = path === href ? 'page' : isBelow && href === `/${page}` ? true : undefined;
        return (
          <li key={href}>
            <Link href={href} aria-current={isHere}>
              <Icon name={page} />
              <span>{href === `/${page}` ? PAGE_TITLES[page] : t('Company')}</span>
              {page === 'profile' && hasDraft && (
                <span className={classes.dot} role="img" aria-label={t('has unsaved changes')} />
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** Moves the keyboard focus into the main content when the page changes. */
function useFocusAtChange(page: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    main.current?.focus({ preventScroll: true });
  }, [page]);
  return main;
}

/** Milliseconds that a dialog has to give the focus back itself. */
const GIVE_BACK_MS = 150;

/** Moves the focus to the page's heading when what had it is gone, so that the keyboard goes on from there. */
function useKeptFocus(): void {
  useEffect(() => {
    let last: EventTarget | null = null;
    const note = ({ target }: FocusEvent) => {
      last = target;
    };
    const isLost = () => last instanceof Element && !last.isConnected && document.activeElement === document.body;
    const restore = () => {
      if (isLost()) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (isLost()) setTimeout(restore, GIVE_BACK_MS);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener('focusin', note);
    return () => {
      observer.disconnect();
      removeEventListener('focusin', note);
    };
  }, []);
}

function ColourScheme() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const other = isDark ? 'light' : 'dark';
  // Choosing the system's current scheme follows the system again.
  const choose = () => setColorScheme(matchMedia(`(prefers-color-scheme: ${other})`).matches ? 'auto' : other);
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={isDark ? t('Use light colours') : t('Use dark colours')}
      onClick={choose}
    >
      <Icon name={isDark ? 'sun' : 'moon'} />
    </ActionIcon>
  );
}

function SignInLink({ isThere }: { isThere: boolean }) {
  return isThere ? null : (
    <Button component={Link} href="/" size="xs">
      {t('Sign in')}
    </Button>
  );
}
