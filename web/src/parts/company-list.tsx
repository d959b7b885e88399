import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Client } from '../api/client.ts';
import type { Pagination, Person } from '../api/types.ts';
import { keepOwn, ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { readAll } from '../session/use-all.ts';
import type { CompanyChoice } from '../session/use-company.ts';
import { CompanyPage } from './company-page.tsx';
import type { Column } from './data-table.tsx';
import type { Crumb } from './links.tsx';
import { Listed, ListSearch } from './list-controls.tsx';
import { useListState } from './use-list-state.ts';

export interface CompanyQuery {
  /** Empty: all companies. */
  companyId: string;
  page: number;
  limit: number;
  search?: string;
}

interface CompanyListProps<Item, More extends object> {
  profile: Person;
  title: string;
  lead: (company: string) => string;
  /** The lead for all companies at once, if a Super Admin may view that; `load` then gets no company. */
  leadOfAll?: string;
  searchHint?: string;
  /** The part of the query key that identifies the list. */
  kind: string;
  /** Further filters; empty ones do not apply. */
  filters?: More;
  load: (
    client: Client,
    query: CompanyQuery & More,
    signal: AbortSignal,
  ) => Promise<{ data: Item[]; pagination: Pagination }>;
  /** The file of the list, if it can be downloaded. */
  file?: { name: string; columns: readonly Column<Item>[] };
  /** The pages above this one. */
  crumbs?: readonly Crumb[];
  /** Content beside the title. */
  actions?: (company: CompanyChoice) => ReactNode;
  /** Content beside the search. */
  controls?: (company: CompanyChoice) => ReactNode;
  show: (items: readonly Item[], isStale: boolean, company: CompanyChoice, whole: WholeList<Item>) => ReactNode;
}

/** The whole list, over all its pages. */
export interface WholeList<Item> {
  count: number;
  load: () => Promise<Item[]>;
}

/** A list of one company's objects. */
export function CompanyList<Item, More extends object = object>(props: CompanyListProps<Item, More>) {
  const { profile, title, lead, leadOfAll, actions, crumbs } = props;
  const optional = {
    ...(leadOfAll === undefined ? {} : { leadOfAll }),
    ...(actions ? { actions } : {}),
    ...(crumbs ? { crumbs } : {}),
  };
  return (
    <CompanyPage {...{ profile, title, lead }} {...optional}>
      {(company) => <List key={company.id} company={company} {...props} />}
    </CompanyPage>
  );
}

function List<Item, More extends object>({
  company,
  searchHint,
  kind,
  filters,
  load,
  file,
  controls,
  show,
}: CompanyListProps<Item, More> & { company: CompanyChoice }) {
  const { client, userId } = useSession();
  const state = useListState(25);
  const { search } = state;
  const query = {
    companyId: company.id,
    page: state.page,
    limit: state.limit,
    ...(search === '' ? {} : { search }),
    ...filters,
  } as CompanyQuery & More;
  const list = useQuery({
    queryKey: ownKey(userId, kind, query),
    queryFn: ({ signal }) => load(client, query, signal),
    placeholderData: keepOwn(userId),
  });
  const loadAll = () => readAll((page, limit) => load(client, { ...query, page, limit }, new AbortController().signal));
  return (
    <>
      {(searchHint !== undefined || controls) && (
        <Group align="flex-end" mb="md" gap="sm">
          {searchHint !== undefined && <ListSearch hint={searchHint} />}
          {controls?.(company)}
        </Group>
      )}
      <Listed
        list={list}
        state={state}
        file={file && { ...file, load: loadAll }}
        isFiltered={search !== '' || Object.values(filters ?? {}).some((value) => value !== undefined)}
        show={(items, isStale) =>
          show(items, isStale, company, { count: list.data?.pagination.totalItems ?? 0, load: loadAll })
        }
      />
    </>
  );
}
