import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useHotkeys, useWindowEvent } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { fold } from '../../../src/lib/text-folding.ts';
import type { Person } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { moveByArrows } from '../parts/arrow-keys.ts';
import { Dialog } from '../parts/dialog.tsx';
import { keepOwn, ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { companyQuery } from '../session/use-company.ts';
import { corporateCompanies, hasPlatformAccess, useProfile } from '../session/use-profile.ts';
import { pageTexts, texts } from '../texts.ts';
import { GO_ANYWHERE } from './page-names.ts';
import { linksFor } from './pages.ts';
import classes from './palette.module.css';

const words = pageTexts.palette;

/** Milliseconds after the last key until the search is sent. */
const PAUSE = 200;

/** The command palette (Ctrl+K or menu): searches pages, people, policies and companies. `/` focuses the search of the current page. */
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
    <Dialog title={words.title} isOpen={isOpen} close={close} closesOutside>
      <PaletteSearch close={close} />
    </Dialog>
  );
}

function PaletteSearch({ close }: { close: () => void }) {
  const profile = useProfile().data?.profile;
  const [typed, setTyped] = useState('');
  const needle = fold(typed.trim());
  const pages = linksFor(profile).map(({ page, href }) => ({
    href,
    name: href === `/${page}` ? texts.pages[page] : texts.pages.company,
  }));
  const { found, company, isSettled } = useFound(profile, typed.trim());
  const entries: Entry[] = [...pages.filter(({ name }) => fold(name).includes(needle)), ...found];
  const label = labelOf(profile, company);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only moves the focus among the links in it
    <div data-list="palette" onKeyDown={moveByArrows}>
      <TextInput
        type="search"
        label={label}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') document.querySelector<HTMLElement>('[data-list=palette] [data-item]')?.click();
        }}
        autoComplete="off"
        data-autofocus
        mb="sm"
      />
      <ul className={classes.entries}>
        {entries.map(({ href, name, more }) => (
          <li key={href}>
            <Link href={href} data-item onClick={close}>
              <bdi>{name}</bdi>
              {more !== undefined && (
                <Text span size="sm" c="dimmed" ml={8}>
                  <bdi>{more}</bdi>
                </Text>
              )}
            </Link>
          </li>
        ))}
      </ul>
      <Text size="sm" role="status">
        {entries.length === 0 && isSettled && words.nothing}
      </Text>
    </div>
  );
}

/** Returns the label of the search box. @param company see {@link Found} */
function labelOf(profile: Person | undefined, company: string | undefined): string {
  if (company !== undefined) return words.labelWith(isolated(company));
  if (profile && hasPlatformAccess(profile)) return words.labelOfStaff;
  return profile && corporateCompanies(profile).length > 0 ? words.label : words.labelOfPages;
}

interface Entry {
  href: string;
  name: string;
  /** Distinguishes it from others of the same name. */
  more?: string;
}

interface Found {
  found: Entry[];
  /** The name of the company in which people are searched, if it is not one of the user's own; otherwise undefined. */
  company: string | undefined;
  /** Whether the results are those of the text typed so far. */
  isSettled: boolean;
}

/** Searches people, policies and companies that the user may see. */
function useFound(profile: Person | undefined, typed: string): Found {
  const { client, userId, companyId } = useSession();
  const [search] = useDebouncedValue(typed, PAUSE);
  const held = profile ? corporateCompanies(profile) : [];
  const own = companyId ?? held[0];
  const isForeign = own !== undefined && !held.includes(own);
  const foreign = useQuery({ ...companyQuery(client, userId, own ?? ''), enabled: isForeign });
  const company = isForeign ? foreign.data?.data.name : undefined;
  const isEnabled = search !== '' && search === typed;
  const people = useQuery({
    queryKey: ownKey(userId, 'people', 'palette', own, search),
    queryFn: ({ signal }) => client.get('/api/users/list', { companyId: own ?? '', search, limit: 5 }, signal),
    placeholderData: keepOwn(userId),
    enabled: isEnabled && own !== undefined,
  });
  const companies = useQuery({
    queryKey: ownKey(userId, 'companies', 'palette', search),
    queryFn: ({ signal }) => client.get('/api/companies/list', { search, limit: 5 }, signal),
    placeholderData: keepOwn(userId),
    enabled: isEnabled && profile !== undefined && hasPlatformAccess(profile),
  });
  const policies = useQuery({
    queryKey: ownKey(userId, 'policies', 'palette', own, search),
    queryFn: ({ signal }) =>
      client.get('/api/approval-policies/list', { companyId: own ?? '', search, limit: 5 }, signal),
    placeholderData: keepOwn(userId),
    enabled: isEnabled && own !== undefined && !isForeign,
  });
  const isSettled = search === typed && !people.isFetching && !policies.isFetching && !companies.isFetching;
  if (typed === '') return { found: [], company, isSettled };
  const found = [
    ...(people.data?.data ?? []).map(({ id, firstName, lastName, email }) => ({
      href: `/people/${id}`,
      name: `${firstName} ${lastName}`,
      more: email,
    })),
    ...(policies.data?.data ?? []).map(({ id, name }) => ({
      href: `/policies/${encodeURIComponent(id)}`,
      name,
      more: words.policy,
    })),
    ...(companies.data?.data ?? []).map(({ id, name }) => ({ href: `/companies/${id}`, name, more: words.company })),
  ];
  return { found, company, isSettled };
}
