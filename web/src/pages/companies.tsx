import { Anchor, Group, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Company, Person } from '../api/types.ts';
import { amounts, type Column, counts, DataTable, plain } from '../parts/data-table.tsx';
import { StatusBadge } from '../parts/facts.tsx';
import { Listed, ListSearch } from '../parts/list-controls.tsx';
import { PageHead } from '../parts/states.tsx';
import { useListState } from '../parts/use-list-state.ts';
import { keepOwn, ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { readAll } from '../session/use-all.ts';
import { isSuperAdmin } from '../session/use-profile.ts';
import { pageTexts, texts } from '../texts.ts';
import { AddCompany } from './company-form.tsx';

const words = pageTexts.companies;

const COLUMNS: readonly Column<Company>[] = [
  {
    name: words.name,
    show: ({ id, name, legalName, active }) => (
      <div>
        <Anchor component={Link} href={`/companies/${id}`} fw={600} mr={8}>
          <bdi>{name}</bdi>
        </Anchor>
        <StatusBadge isActive={active} />
        <Text size="sm" c="dimmed" component="div">
          <bdi>{legalName}</bdi>
        </Text>
      </div>
    ),
    text: ({ name }) => name,
  },
  { name: words.gstin, ...plain(({ gstin }) => gstin) },
  amounts(words.creditLimit, ({ creditLimit }) => creditLimit),
  counts(words.creditDays, ({ creditDays }) => creditDays),
  counts(words.users, ({ _count }) => _count.users),
  counts(words.bookings, ({ _count }) => _count.bookings),
  { name: words.status, text: ({ active }) => (active ? words.active : words.inactive) },
];

/** The list of all companies, for platform staff. */
export function CompaniesPage({ profile }: { profile: Person }) {
  const { client, userId } = useSession();
  const state = useListState(10);
  const { search } = state;
  const activeOnly = state.value('activeOnly') === 'true';
  const query = {
    page: state.page,
    limit: state.limit,
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
      <PageHead title={texts.pages.companies} lead={words.lead}>
        {isSuperAdmin(profile) && <AddCompany />}
      </PageHead>
      <Group align="flex-end" mb="lg" gap="md" data-screen-only>
        <ListSearch hint={words.searchHint} />
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
        file={{
          name: 'companies',
          columns: COLUMNS,
          load: () => readAll((page, limit) => client.get('/api/companies/list', { ...query, page, limit })),
        }}
        show={(companies, isStale) => (
          <DataTable label={words.table} columns={COLUMNS} rows={companies} keyOf={({ id }) => id} isStale={isStale} />
        )}
      />
    </>
  );
}
