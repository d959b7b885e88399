import { Alert, Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Client, Pagination, Profile } from '../api/client.ts';
import { isolated } from '../isolated.ts';
import { keepOwn, ownKey, useSession } from '../session/session.tsx';
import { corporateCompanies } from '../session/use-profile.ts';
import { texts } from '../texts.ts';
import { Listed, SearchBox } from './list-controls.tsx';
import { PageHead } from './states.tsx';
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
  /** Stands beside the search. */
  beside?: ReactNode;
  show: (items: readonly Item[], isStale: boolean) => ReactNode;
}

/** A list of what one company has, for its Corporate Admins and Managers; those of several choose one. */
export function CompanyList<Item>({ profile, title, lead, searchHint, load, beside, show }: CompanyListProps<Item>) {
  const { client, userId } = useSession();
  const state = useListState(25);
  const companies = corporateCompanies(profile);
  const asked = state.value('companyId');
  const chosen = asked === '' ? companies[0] : companies.find(({ id }) => id === asked.toLowerCase());
  const search = state.search.settled;
  const query = {
    ...{ companyId: chosen?.id ?? '', page: state.page, limit: state.limit },
    ...(search === '' ? {} : { search }),
  };
  const list = useQuery({
    queryKey: ownKey(userId, title, query),
    queryFn: ({ signal }) => load(client, query, signal),
    placeholderData: keepOwn(userId),
    enabled: chosen !== undefined,
  });
  const choices = companies.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <PageHead title={title} lead={chosen && lead(isolated(chosen.name))}>
        {(companies.length > 1 || !chosen) && (
          <NativeSelect
            label={texts.lists.company}
            data={chosen ? choices : [{ value: '', label: texts.lists.chooseCompany }, ...choices]}
            value={chosen?.id ?? ''}
            onChange={(event) => state.change({ companyId: event.currentTarget.value })}
          />
        )}
      </PageHead>
      {chosen ? (
        <>
          <Group align="flex-start" mb="md" gap="md">
            <SearchBox search={state.search} hint={searchHint} />
            {beside}
          </Group>
          <Listed list={list} state={state} isFiltered={search !== ''} show={show} />
        </>
      ) : (
        <Alert color="gray" maw={640}>
          {texts.denied.otherCompany}
        </Alert>
      )}
    </>
  );
}
