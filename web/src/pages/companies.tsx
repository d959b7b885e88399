import { NativeSelect, Text } from '@mantine/core';
import type { Company, Person } from '../api/types.ts';
import { RecordList } from '../parts/company-list.tsx';
import { amounts, type Column, counts, plain } from '../parts/data-table.tsx';
import { StatusBadge } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { PageHead } from '../parts/states.tsx';
import { useAddressState } from '../parts/use-list-state.ts';
import { Amount, MoneyIn } from '../session/money.tsx';
import { isSuperAdmin } from '../session/use-profile.ts';
import { pageTexts, peopleTexts, texts } from '../texts.ts';
import { AddCompany } from './company-form.tsx';

const words = pageTexts.companies;

/** Returns a column of amounts in the currency of each company. */
function money(name: string, of: (company: Company) => string): Column<Company> {
  const show = (company: Company) => (
    <MoneyIn currency={company.currency}>
      <Amount of={of(company)} />
    </MoneyIn>
  );
  return { ...amounts(name, of), show };
}

const COLUMNS: readonly Column<Company>[] = [
  {
    name: words.name,
    show: ({ id, name, legalName, active }) => (
      <div>
        <TextLink href={`/companies/${id}`} fw={600} mr={8} inherit={false}>
          {name}
        </TextLink>
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
  { ...money(words.creditLimit, ({ creditLimit }) => creditLimit), sort: 'creditLimit' },
  { ...counts(words.creditDays, ({ creditDays }) => creditDays), sort: 'creditDays' },
  counts(words.users, ({ _count }) => _count.users),
  counts(words.bookings, ({ _count }) => _count.bookings),
  { name: words.status, text: ({ active }) => (active ? words.active : words.inactive) },
];
const SORTS = COLUMNS.flatMap(({ sort }) => (sort === undefined ? [] : [sort, `-${sort}`]));
const SHOWN = ['activeOnly', 'inactiveOnly', 'overCredit'] as const;
const WITH_CREDIT = COLUMNS.toSpliced(
  2,
  0,
  money(words.creditUsed, ({ creditUsed = '0' }) => creditUsed),
);

/** The list of all companies, for platform staff. */
export function CompaniesPage({ profile }: { profile: Person }) {
  const { value, change } = useAddressState();
  const shown = SHOWN.find((name) => value(name) === 'true');
  const hasCredit = shown === 'overCredit';
  const include = hasCredit ? 'currency,creditUsed' : 'currency';
  const sort = SORTS.find((known) => known === value('sort'));
  return (
    <>
      <PageHead title={texts.pages.companies} lead={words.lead}>
        {isSuperAdmin(profile) && <AddCompany />}
      </PageHead>
      <RecordList
        kind="companies"
        filters={{ ...(shown ? { [shown]: true } : {}), ...(sort ? { sort: sort as 'name' } : {}) }}
        load={(client, query, signal) => client.get('/api/companies/list', { ...query, include }, signal)}
        limit={10}
        searchHint={words.searchHint}
        label={words.table}
        columns={hasCredit ? WITH_CREDIT : COLUMNS}
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
