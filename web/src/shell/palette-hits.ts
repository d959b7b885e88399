import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { fold } from '../../../src/lib/text-folding.ts';
import type { Person } from '../api/types.ts';
import { TO_OPEN } from '../parts/dialog.tsx';
import { keepOwn, ownKey, useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { administers, corporateCompanies, hasPlatformAccess, isSuperAdmin } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import type { Entry } from './palette-pages.ts';

/** Milliseconds after the last key until the search is sent. */
const PAUSE = 200;

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
export function useFound(profile: Person | undefined, typed: string): Found {
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
  // What begins with the text comes first, whatever it is: a department before the people in it.
  const begins = ({ name }: Entry) => Number(!fold(name).startsWith(fold(typed)));
  const found = results.flatMap(({ data }) => data ?? []).sort((one, other) => begins(one) - begins(other));
  return { found: typed === '' ? [] : found, company, isSettled };
}
