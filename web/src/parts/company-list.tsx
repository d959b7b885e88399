import { Group } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Item, ListPath, Pagination, Query } from '../api/types.ts';
import { readAll, useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import type { CompanyChoice } from '../session/use-company.ts';
import { CompanyPage, type CompanyPageProps } from './company-page.tsx';
import { type Column, DataTable, type DataTableProps } from './data-table.tsx';
import { Listed, ListSearch } from './list-controls.tsx';
import { useListState } from './use-list-state.ts';

/** Parameters of a list; those without a value do not apply. */
type Given<Path extends ListPath> = { [Name in keyof Query<Path>]?: Query<Path>[Name] | undefined };

/** A list of objects: where it comes from, and how it is shown. */
export interface List<Path extends ListPath> {
  path: Path;
  /** What the list is of, and what is read. */
  of?: Given<Path>;
  filters?: Given<Path>;
  searchHint?: string;
  /** What the list is for, shown while it is empty. */
  emptyHint?: string;
  /** Rows of a page, unless the address has another number. */
  limit?: number;
  label: string;
  columns: readonly Column<Item<Path>>[];
  /** The name of its file, and its columns, if they are others; absent: it cannot be downloaded. */
  file?: string;
  fileColumns?: readonly Column<Item<Path>>[];
  /** Further properties of the table. */
  table?: Partial<DataTableProps<Item<Path>>>;
  /** Content next to the search. */
  controls?: ReactNode;
  /** Shown instead of a table. */
  show?: (items: readonly Item<Path>[], isStale: boolean) => ReactNode;
  /** Shown below the table. */
  below?: (items: readonly Item<Path>[], whole: WholeList<Item<Path>>) => ReactNode;
}

/** The whole list, over all its pages. */
export interface WholeList<Row> {
  count: number;
  load: () => Promise<Row[]>;
}

interface CompanyListProps<Path extends ListPath> extends Omit<CompanyPageProps, 'children'> {
  path: Path;
  /** Its label is the title of the page, unless it has another one. */
  list: (company: CompanyChoice) => Omit<List<Path>, 'path' | 'label'> & { label?: string };
}

/** The page of a list of one company's objects. */
export function CompanyList<Path extends ListPath>({ path, list, ...page }: CompanyListProps<Path>) {
  return (
    <CompanyPage {...page}>
      {(company) => (
        <RecordList key={company.id} {...{ path, label: page.title, ...list(company) }} companyId={company.id} />
      )}
    </CompanyPage>
  );
}

/** A list with its search, filters, pages and file. */
export function RecordList<Path extends ListPath>({ companyId, ...list }: List<Path> & { companyId?: string }) {
  const { path, of, filters, searchHint, label, columns, file, table, controls } = list;
  const { client } = useSession();
  const state = useListState(list.limit ?? 25);
  const { search, page, limit } = state;
  const query = { companyId, ...of, ...(search !== '' && { search }), ...filters };
  const found = useGet(path, { ...query, page, limit } as Query<Path>, {
    keepsPrevious: true,
  }) as UseQueryResult<object> as UseQueryResult<{ data: Item<Path>[]; pagination: Pagination }>;
  const loadAll = () => readAll(client, path, query as Query<Path>);
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
