import { Badge, Group, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../api/client.ts';
import { formatCount, formatMoney } from '../format.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Listed, SearchBox } from '../parts/list-controls.tsx';
import { PageHead } from '../parts/states.tsx';
import { useListState } from '../parts/use-list-state.ts';
import { keepOwn, ownKey, useSession } from '../session/session.tsx';
import { texts } from '../texts.ts';

type Company = Schemas['Company'];
const words = texts.companies;

const COLUMNS: readonly Column<Company>[] = [
  {
    name: words.name,
    show: ({ name, legalName }) => (
      <div>
        <Text fw={600} component="div">
          <bdi>{name}</bdi>
        </Text>
        <Text size="sm" c="dimmed" component="div">
          <bdi>{legalName}</bdi>
        </Text>
      </div>
    ),
  },
  { name: words.gstin, show: ({ gstin }) => <bdi>{gstin}</bdi> },
  { name: words.creditLimit, isFigure: true, show: ({ creditLimit }) => formatMoney(creditLimit) },
  { name: words.creditDays, isFigure: true, show: ({ creditDays }) => formatCount(creditDays) },
  { name: words.users, isFigure: true, show: ({ _count }) => formatCount(_count.users) },
  { name: words.bookings, isFigure: true, show: ({ _count }) => formatCount(_count.bookings) },
  {
    name: words.status,
    show: ({ active }) => (
      <Badge variant="light" miw="max-content" color={active ? 'green' : 'gray'}>
        {active ? words.active : words.inactive}
      </Badge>
    ),
  },
];

/** All companies, for the staff of the platform. */
export function CompaniesPage() {
  const { client, userId } = useSession();
  const state = useListState(10);
  const search = state.search.settled;
  const activeOnly = state.value('activeOnly') === 'true';
  const query = {
    ...{ page: state.page, limit: state.limit },
    ...(search === '' ? {} : { search }),
    ...(activeOnly ? { activeOnly } : {}),
  };
  const list = useQuery({
    queryKey: ownKey(userId, 'companies', query),
    queryFn: ({ signal }) => client.get('/api/companies/list', query, signal),
    placeholderData: keepOwn(userId),
  });
  return (
    <>
      <PageHead title={texts.pages.companies} lead={words.lead} />
      <Group align="flex-end" mb="md" gap="md">
        <SearchBox search={state.search} hint={words.searchHint} />
        <Switch
          label={words.activeOnly}
          checked={activeOnly}
          onChange={(event) => state.change({ activeOnly: event.currentTarget.checked ? 'true' : '' })}
          mb={8}
        />
      </Group>
      <Listed
        list={list}
        state={state}
        isFiltered={search !== '' || activeOnly}
        show={(companies, isStale) => (
          <DataTable label={words.table} columns={COLUMNS} rows={companies} keyOf={({ id }) => id} isStale={isStale} />
        )}
      />
    </>
  );
}
