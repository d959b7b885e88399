import { Group, NativeSelect } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Client, Pagination, Profile } from '../api/client.ts';
import { useSession } from '../session/session.tsx';
import { corporateCompanies } from '../session/use-profile.ts';
import { texts } from '../texts.ts';
import { Pages, SearchBox } from './list-controls.tsx';
import { Failed, Loading, Nothing, PageHead } from './states.tsx';
import { useListState } from './use-list-state.ts';

interface CompanyQuery {
  companyId: string;
  page: number;
  limit: number;
  search?: string;
}

interface CompanyListProps<Item> {
  profile: Profile;
  title: string;
  lead: (company: string) => string;
  searchHint: string;
  load: (client: Client, query: CompanyQuery, signal: AbortSignal) => Promise<{ data: Item[]; pagination: Pagination }>;
  /** Stands between the search and the list. */
  above?: ReactNode;
  show: (items: readonly Item[], isStale: boolean) => ReactNode;
}

/** A list of what one company has, for its Corporate Admins and Managers; those of several choose one. */
export function CompanyList<Item>({ profile, title, lead, searchHint, load, above, show }: CompanyListProps<Item>) {
  const { client } = useSession();
  const state = useListState(25);
  const companies = corporateCompanies(profile);
  const chosen = companies.find(({ id }) => id === state.value('companyId')) ?? companies[0];
  const { page, limit, search } = state;
  const query = { companyId: chosen?.id ?? '', page, limit, ...(search === '' ? {} : { search }) };
  const list = useQuery({
    queryKey: [title, query],
    queryFn: ({ signal }) => load(client, query, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHead title={title} lead={lead(chosen?.name ?? '')}>
        {companies.length > 1 && (
          <NativeSelect
            label={texts.lists.company}
            data={companies.map(({ id, name }) => ({ value: id, label: name }))}
            value={chosen?.id ?? ''}
            onChange={(event) => state.change({ companyId: event.currentTarget.value })}
          />
        )}
      </PageHead>
      <Group align="flex-end" mb="md" gap="md">
        <SearchBox state={state} hint={searchHint} />
        {above}
      </Group>
      {list.isError && <Failed error={list.error} again={() => void list.refetch()} />}
      {list.isPending && <Loading rows={8} />}
      {!list.isError && list.data && (
        <>
          {list.data.data.length === 0 && <Empty isSearch={search !== ''} />}
          {list.data.data.length > 0 && show(list.data.data, list.isPlaceholderData)}
          <Pages state={state} pagination={list.data.pagination} />
        </>
      )}
    </>
  );
}

/** A list without anything in it, and why. */
export function Empty({ isSearch }: { isSearch: boolean }) {
  return isSearch ? (
    <Nothing title={texts.states.nothing} hint={texts.states.nothingHint} />
  ) : (
    <Nothing title={texts.states.none} />
  );
}
