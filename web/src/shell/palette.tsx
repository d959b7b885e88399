import { Text, TextInput, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue, useHotkeys, useWindowEvent } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { fold } from '../../../src/lib/text-folding.ts';
import type { Person } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { describedLists } from '../pages/entity-resource.tsx';
import { isEnter, moveByArrows } from '../parts/arrow-keys.ts';
import { Dialog, TO_OPEN } from '../parts/dialog.tsx';
import { useSignOut } from '../session/import-drafts.tsx';
import { keepOwn, ownKey, useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import {
  administers,
  corporateCompanies,
  hasPlatformAccess,
  isSuperAdmin,
  useProfile,
} from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { GO_ANYWHERE, PAGE_TITLES } from './page-names.ts';
import { linksFor } from './pages.ts';
import classes from './palette.module.css';

/** Milliseconds after the last key until the search is sent. */
const PAUSE = 200;

/** The command palette (Ctrl+K or menu): pages, acts, and what the user may see. `/` focuses the search of the current page. */
export function Palette() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  useWindowEvent(GO_ANYWHERE, () => setOpen(true));
  useHotkeys([
    // Not over another dialog: what is typed in that would be lost.
    ['mod+K', () => document.querySelector('[role=dialog]') ?? setOpen(true)],
    ['/', () => document.querySelector<HTMLInputElement>('main input[type=search]')?.focus()],
  ]);
  return (
    <Dialog title={t('Go to')} isOpen={isOpen} close={close} closesOutside>
      <PaletteSearch close={close} />
    </Dialog>
  );
}

function PaletteSearch({ close }: { close: () => void }) {
  const profile = useProfile().data?.profile;
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const [isEntered, setEntered] = useState(false);
  const needle = fold(typed.trim());
  const here = useActs(profile).filter(({ name }) => fold(name).includes(needle));
  const { found, company, isSettled } = useFound(profile, typed.trim());
  const entries = [...here, ...found];
  const [first] = entries;
  // Enter opens the first entry of the text that is typed: hits of an earlier text do not count.
  const isReady = isEntered && (here.length > 0 || isSettled);
  useEffect(() => {
    if (!isReady) return;
    setEntered(false);
    if (!first) return;
    close();
    if (first.act) first.act();
    else navigate(first.href);
  }, [isReady]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only moves the focus among the links in it
    <div data-list="palette" onKeyDown={moveByArrows}>
      <TextInput
        type="search"
        label={labelOf(profile, company)}
        value={typed}
        onChange={(event) => {
          setEntered(false);
          setTyped(event.currentTarget.value);
        }}
        onKeyDown={(event) => isEnter(event) && setEntered(true)}
        autoComplete="off"
        data-autofocus
        mb="sm"
      />
      <ul className={classes.entries} aria-busy={!isSettled}>
        {entries.map(({ href, name, more, act }) => (
          <li key={`${href} ${name}`}>
            <Link
              href={href}
              data-item
              onClick={(event) => {
                if (act) event.preventDefault();
                close();
                act?.();
              }}
            >
              <bdi>{name}</bdi>
              {more !== undefined && (
                <Text span size="sm" c="dimmed" ms={8}>
                  <bdi>{more}</bdi>
                </Text>
              )}
            </Link>
          </li>
        ))}
      </ul>
      <Text size="sm" role="status">
        {entries.length === 0 && isSettled && t('Nothing found')}
      </Text>
    </div>
  );
}

/** Returns the label of the search box. @param company see {@link Found} */
function labelOf(profile: Person | undefined, company: string | undefined): string {
  if (company !== undefined) return t('A page, a company or a person of {company}', { company: isolated(company) });
  if (profile && hasPlatformAccess(profile)) return t('A page or a company; for people, open their company first');
  return profile && corporateCompanies(profile).length > 0 ? t('A page, a person or an approval policy') : t('A page');
}

interface Entry {
  href: string;
  name: string;
  /** Distinguishes it from others of the same name. */
  more?: string;
  /** What it does instead of leading somewhere. */
  act?: () => void;
}

/** Returns the pages that the user may open, and what they may do. */
function useActs(profile: Person | undefined): Entry[] {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  const signOut = useSignOut();
  const pages = linksFor(profile).map(({ page, href }) => ({
    href,
    name: href === `/${page}` ? PAGE_TITLES[page] : t('Company'),
  }));
  const adds = (page: string, name: string) => ({ href: `/${page}?${TO_OPEN}=${encodeURIComponent(name)}`, name });
  const isAdmin = profile && corporateCompanies(profile).some((id) => administers(profile, id));
  return [
    ...pages,
    ...(profile && corporateCompanies(profile).length > 0 ? describedLists() : []),
    ...(isAdmin
      ? [
          adds('people', t('Add a person')),
          { href: '/people/import', name: t('Import people') },
          adds('departments', t('Add a department')),
          adds('bands', t('Add a band')),
          adds('policies', t('Add an approval policy')),
          adds('keys', t('Create API key')),
          adds('webhooks', t('Add a webhook')),
        ]
      : []),
    ...(profile && isSuperAdmin(profile) ? [adds('companies', t('Add a company'))] : []),
    {
      href: '#',
      name: other === 'light' ? t('Use light colours') : t('Use dark colours'),
      act: () => setColorScheme(other),
    },
    { href: '#', name: t('Sign out'), act: signOut },
  ];
}

/** A list that is searched. */
interface Source {
  kind: string;
  isOpen: boolean;
  load: (signal: AbortSignal) => Promise<Entry[]>;
}

interface Found {
  found: Entry[];
  /** The name of the company in which people are searched, if it is not one of the user's own; otherwise undefined. */
  company: string | undefined;
  /** Whether the results are those of the text typed so far. */
  isSettled: boolean;
}

/** Searches what the user may see. A text that begins with an act, such as "Deactivate Asha", finds whom to do it to. */
function useFound(profile: Person | undefined, typed: string): Found {
  const { client, userId, companyId } = useSession();
  const [settled] = useDebouncedValue(typed, PAUSE);
  const held = profile ? corporateCompanies(profile) : [];
  const own = companyId ?? held[0];
  const isForeign = own !== undefined && !held.includes(own);
  const isAdmin = own !== undefined && profile !== undefined && administers(profile, own);
  const foreign = useGet('/api/companies/get', isForeign ? { id: own ?? '' } : undefined);
  const company = isForeign ? foreign.data?.data.name : undefined;
  const act = [t('Deactivate'), t('Reactivate')].find((name) =>
    isAdmin ? fold(settled).startsWith(`${fold(name)} `) : false,
  );
  const search = act === undefined ? settled : settled.slice(act.length).trim();
  const query = { companyId: own ?? '', search, limit: 5 };
  const isOwn = own !== undefined && !isForeign && act === undefined;
  const isRead = act === undefined && profile !== undefined;
  const isSuper = profile !== undefined && isSuperAdmin(profile);
  const sources: Source[] = [
    {
      kind: 'people',
      isOpen: own !== undefined && !(isForeign && isSuper && act === undefined),
      load: async (signal) =>
        (await client.get('/api/users/list', { ...query, broad: true }, signal)).data.map(
          ({ id, firstName, lastName, email }) => ({
            href: `/people/${id}${act === undefined ? '' : `?${TO_OPEN}=${encodeURIComponent(act)}`}`,
            name: [act, firstName, lastName].filter(Boolean).join(' '),
            more: email,
          }),
        ),
    },
    {
      kind: 'everybody',
      isOpen: isRead && isSuper,
      load: async (signal) =>
        (await client.get('/api/users/search', { search, limit: 5 }, signal)).data.map(
          ({ id, firstName, lastName, email, company: { name } }) => ({
            ...{ href: `/people/${id}`, name: `${firstName} ${lastName}`, more: `${email} · ${name}` },
          }),
        ),
    },
    {
      kind: 'policies',
      isOpen: isOwn,
      load: async (signal) =>
        (await client.get('/api/approval-policies/list', query, signal)).data.map(({ id, name }) => ({
          ...{ href: `/policies/${encodeURIComponent(id)}`, name, more: t('Approval policy') },
        })),
    },
    {
      kind: 'departments',
      isOpen: isOwn,
      load: async (signal) =>
        (await client.get('/api/departments/list', query, signal)).data.map(({ name }) => ({
          href: `/departments?${new URLSearchParams({ companyId: query.companyId, search: name })}`,
          ...{ name, more: t('Department') },
        })),
    },
    {
      kind: 'keys',
      isOpen: isAdmin && act === undefined,
      load: async (signal) => {
        const { companyId: of } = query;
        const { data } = await client.get('/api/api-keys/list', { companyId: of, limit: 100 }, signal);
        const found = data.filter(({ name }) => fold(name).includes(fold(search)));
        return found.map(({ name }) => ({ href: `/keys?companyId=${of}`, name, more: t('API key') }));
      },
    },
    {
      kind: 'companies',
      isOpen: isRead && hasPlatformAccess(profile),
      load: async (signal) =>
        (await client.get('/api/companies/list', { search, limit: 5 }, signal)).data.map(({ id, name }) => ({
          ...{ href: `/companies/${id}`, name, more: t('Company') },
        })),
    },
  ];
  const results = useQueries({
    queries: sources.map(({ kind, isOpen, load }) => ({
      queryKey: ownKey(userId, kind, 'palette', own, act, search),
      queryFn: ({ signal }: { signal: AbortSignal }) => load(signal),
      placeholderData: keepOwn(userId)<Entry[]>,
      enabled: isOpen && search !== '' && settled === typed,
    })),
  });
  const isSettled = settled === typed && results.every(({ isFetching }) => !isFetching);
  return { found: typed === '' ? [] : results.flatMap(({ data }) => data ?? []), company, isSettled };
}
