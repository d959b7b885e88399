import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Client } from '../api/client.ts';
import type { Pagination } from '../api/types.ts';
import { type CursorQuery, keepOwn, ownKey, readAll } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import type { CompanyChoice } from '../session/use-company.ts';
import { CompanyPage, type CompanyPageProps } from './company-page.tsx';
import { type Column, DataTable, type DataTableProps } from './data-table.tsx';
import { Listed, ListSearch } from './list-controls.tsx';
import { useListState } from './use-list-state.ts';

/** The parameters of one page of a list, by number or by cursor. */
export type PageQuery = ({ page: number; limit: number } | CursorQuery) & { search?: string };

/** A list of objects: where it comes from, and how it is shown. */
export interface List<Item, More extends object> {
  /** The part of the query key that identifies the list. */
  kind: string;
  /** What the list is of. */
  of?: object;
  /** Filters; empty ones do not apply. */
  filters?: More;
  load: (
    client: Client,
    query: PageQuery & More,
    signal?: AbortSignal,
  ) => Promise<{ data: Item[]; pagination: Pagination }>;
  searchHint?: string;
  /** What the list is for, shown while it is empty. */
  emptyHint?: string;
  /** Rows of a page, unless the address has another number. */
  limit?: number;
  label: string;
  columns: readonly Column<Item>[];
  /** The name of its file, and its columns, if they are others; absent: it cannot be downloaded. */
  file?: string;
  fileColumns?: readonly Column<Item>[];
  /** Further properties of the table. */
  table?: Partial<DataTableProps<Item>>;
  /** Content next to the search. */
  controls?: ReactNode;
  /** Shown instead of a table. */
  show?: (items: readonly Item[], isStale: boolean) => ReactNode;
  /** Shown below the table. */
  below?: (items: readonly Item[], whole: WholeList<Item>) => ReactNode;
}

/** The whole list, over all its pages. */
export interface WholeList<Item> {
  count: number;
  load: () => Promise<Item[]>;
}

interface CompanyListProps<Item, More extends object> extends Omit<CompanyPageProps, 'children'> {
  list: (company: CompanyChoice) => List<Item, More>;
}

/** The page of a list of one company's objects. */
export function CompanyList<Item, More extends object = object>({ list, ...page }: CompanyListProps<Item, More>) {
  return (
    <CompanyPage {...page}>
      {(company) => <RecordList key={company.id} {...{ of: { companyId: company.id }, ...list(company) }} />}
    </CompanyPage>
  );
}

/** A list with its search, filters, pages and file. */
export function RecordList<Item, More extends object>(list: List<Item, More>) {
  const { kind, of, filters, load, searchHint, label, columns, file, table, controls } = list;
  const { client, userId } = useSession();
  const state = useListState(list.limit ?? 25);
  const { search, page, limit } = state;
  const query = { ...of, ...(search === '' ? {} : { search }), ...filters } as More;
  const found = useQuery({
    queryKey: ownKey(userId, kind, { ...query, page, limit }),
    queryFn: ({ signal }) => load(client, { ...query, page, limit }, signal),
    placeholderData: keepOwn(userId),
  });
  const loadAll = () => readAll((cursor) => load(client, { ...query, ...cursor }));
  const whole = { count: found.data?.pagination.totalItems ?? 0, load: loadAll };
  return (
    <>
      {(searchHint !== undefined || controls) && (
        <Group align="flex-end" mb="md" gap="sm" data-screen-only>
          {searchHint !== undefined && <ListSearch hint={searchHint} />}
          {controls}
        </Group>
      )}
      <Listed
        list={found}
        state={state}
        hint={list.emptyHint}
        file={file === undefined ? undefined : { name: file, columns: list.fileColumns ?? columns, load: loadAll }}
        isFiltered={search !== '' || Object.values(filters ?? {}).some((value) => value !== undefined)}
        show={(rows, isStale) => (
          <>
            {list.show?.(rows, isStale) ?? <DataTable {...{ label, columns, rows, isStale, ...table }} />}
            {list.below?.(rows, whole)}
          </>
        )}
      />
    </>
  );
}
