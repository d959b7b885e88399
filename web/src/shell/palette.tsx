import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue, useHotkeys, useWindowEvent } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { fold } from '../../../src/lib/text-folding.ts';
import type { Person } from '../api/types.ts';
import { moveByArrows } from '../pages/arrow-keys.ts';
import { Dialog } from '../parts/dialog.tsx';
import { keepOwn, ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { corporateCompanies, hasPlatformAccess, useProfile } from '../session/use-profile.ts';
import { texts } from '../texts.ts';
import { pageTexts } from '../texts-pages.ts';
import { GO_ANYWHERE } from './go-anywhere.ts';
import { linksFor } from './pages.ts';
import classes from './palette.module.css';

const words = pageTexts.palette;

/** Milliseconds after a key until the service is asked. */
const PAUSE = 200;

/** Leads anywhere: to pages, people of the company and companies, by Ctrl+K or the menu. `/` leads to the search of the page that is shown. */
export function Palette() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  useWindowEvent(GO_ANYWHERE, () => setOpen(true));
  useHotkeys([
    ['mod+K', () => setOpen(true)],
    ['/', () => document.querySelector<HTMLInputElement>('main input[type=search]')?.focus()],
  ]);
  return (
    <Dialog title={words.title} isOpen={isOpen} close={close} closesOutside>
      <Places close={close} />
    </Dialog>
  );
}

function Places({ close }: { close: () => void }) {
  const profile = useProfile().data?.profile;
  const [typed, setTyped] = useState('');
  const needle = fold(typed.trim());
  const pages = linksFor(profile).map(({ page, href }) => ({
    href,
    name: href === `/${page}` ? texts.pages[page] : texts.pages.company,
  }));
  const { found, isSettled } = useFound(profile, typed.trim());
  const places = [...pages.filter(({ name }) => fold(name).includes(needle)), ...found];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only moves the focus among the links in it
    <div data-list="palette" onKeyDown={moveByArrows}>
      <TextInput
        type="search"
        label={words.label}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') document.querySelector<HTMLElement>('[data-list=palette] [data-item]')?.click();
        }}
        autoComplete="off"
        data-autofocus
        mb="sm"
      />
      <ul className={classes.places}>
        {places.map(({ href, name }) => (
          <li key={href}>
            <Link href={href} data-item onClick={close}>
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      <Text size="sm" role="status">
        {places.length === 0 && isSettled && words.nothing}
      </Text>
    </div>
  );
}

interface Found {
  found: { href: string; name: string }[];
  /** Whether all that was typed has been asked for, and answered. */
  isSettled: boolean;
}

/** People and companies of that name, as far as they are open to the caller. */
function useFound(profile: Person | undefined, typed: string): Found {
  const { client, userId, companyId } = useSession();
  const [search] = useDebouncedValue(typed, PAUSE);
  const own = profile && (companyId ?? corporateCompanies(profile)[0]);
  const isAsked = search !== '' && search === typed;
  const people = useQuery({
    queryKey: ownKey(userId, 'people', 'palette', own, search),
    queryFn: ({ signal }) => client.get('/api/users/list', { companyId: own ?? '', search, limit: 5 }, signal),
    placeholderData: keepOwn(userId),
    enabled: isAsked && own !== undefined,
  });
  const companies = useQuery({
    queryKey: ownKey(userId, 'companies', 'palette', search),
    queryFn: ({ signal }) => client.get('/api/companies/list', { search, limit: 5 }, signal),
    placeholderData: keepOwn(userId),
    enabled: isAsked && profile !== undefined && hasPlatformAccess(profile),
  });
  const isSettled = search === typed && !people.isFetching && !companies.isFetching;
  if (typed === '') return { found: [], isSettled };
  const found = [
    ...(people.data?.data ?? []).map(({ id, firstName, lastName }) => ({
      href: `/people/${id}`,
      name: `${firstName} ${lastName}`,
    })),
    ...(companies.data?.data ?? []).map(({ id, name }) => ({ href: `/companies/${id}`, name })),
  ];
  return { found, isSettled };
}
