import { Anchor, NativeSelect, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Company, Person } from '../api/types.ts';
import { RecordList } from '../parts/company-list.tsx';
import { amounts, type Column, counts, plain } from '../parts/data-table.tsx';
import { StatusBadge } from '../parts/facts.tsx';
import { PageHead } from '../parts/states.tsx';
import { useAddressState } from '../parts/use-list-state.ts';
import { Amount, MoneyIn } from '../session/money.tsx';
import { isSuperAdmin } from '../session/use-profile.ts';
import { pageTexts, peopleTexts, texts } from '../texts.ts';
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
    sort: 'name',
  },
  { name: words.gstin, ...plain(({ gstin }) => gstin) },
  {
    ...amounts(words.creditLimit, ({ creditLimit }) => creditLimit),
    show: ({ creditLimit, currency }) => (
      <MoneyIn currency={currency}>
        <Amount of={creditLimit} />
      </MoneyIn>
    ),
    sort: 'creditLimit',
  },
  { ...counts(words.creditDays, ({ creditDays }) => creditDays), sort: 'creditDays' },
  counts(words.users, ({ _count }) => _count.users),
  counts(words.bookings, ({ _count }) => _count.bookings),
  { name: words.status, text: ({ active }) => (active ? words.active : words.inactive) },
];
const SORTS = COLUMNS.flatMap(({ sort }) => (sort === undefined ? [] : [sort, `-${sort}`]));
const SHOWN = ['activeOnly', 'inactiveOnly'] as const;

/** The list of all companies, for platform staff. */
export function CompaniesPage({ profile }: { profile: Person }) {
  const { value, change } = useAddressState();
  const shown = SHOWN.find((name) => value(name) === 'true');
  const sort = SORTS.find((known) => known === value('sort'));
  return (
    <>
      <PageHead title={texts.pages.companies} lead={words.lead}>
        {isSuperAdmin(profile) && <AddCompany />}
      </PageHead>
      <RecordList
        kind="companies"
        filters={{ ...(shown ? { [shown]: true } : {}), ...(sort ? { sort: sort as 'name' } : {}) }}
        load={(client, query, signal) => client.get('/api/companies/list', { ...query, include: 'currency' }, signal)}
        limit={10}
        searchHint={words.searchHint}
        label={words.table}
        columns={COLUMNS}
        file="companies"
        controls={
          <NativeSelect
            label={peopleTexts.show}
            data={[
              { value: '', label: pageTexts.lists.allCompanies },
              ...SHOWN.map((name) => ({ value: name, label: words[name] })),
            ]}
            value={shown ?? ''}
            onChange={({ currentTarget }) =>
              change(Object.fromEntries(SHOWN.map((name) => [name, name === currentTarget.value ? 'true' : ''])))
            }
          />
        }
      />
    </>
  );
}
