import { NativeSelect, Text } from '@mantine/core';
import type { Company, Person } from '../api/types.ts';
import { choicesOf } from '../parts/choices.ts';
import { RecordList } from '../parts/company-list.tsx';
import { amounts, type Column, counts, plain } from '../parts/data-table.tsx';
import { StatusBadge } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { OwnFilters, ownColumns, useOwnFields, useOwnFilters } from '../parts/own-fields.tsx';
import { PageHead } from '../parts/states.tsx';
import { useAddressState } from '../parts/use-list-state.ts';
import { Amount, MoneyIn } from '../session/money.tsx';
import { isSuperAdmin } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { AddCompany } from './company-form.tsx';

/** Parameters of the address that change which companies are listed. */
const SHOWN = {
  activeOnly: t('Active companies only'),
  inactiveOnly: t('Inactive companies only'),
  overCredit: t('Companies over their credit limit'),
};
const SHOWN_NAMES = Object.keys(SHOWN) as (keyof typeof SHOWN)[];

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
    name: t('Company'),
    show: ({ id, name, legalName, active }) => (
      <div>
        <TextLink href={`/companies/${id}`} fw={600} me={8} inherit={false}>
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
  { name: t('GSTIN'), ...plain(({ gstin }) => gstin) },
  { ...money(t('Credit limit'), ({ creditLimit }) => creditLimit), sort: 'creditLimit' },
  { ...counts(t('Credit days'), ({ creditDays }) => creditDays), sort: 'creditDays' },
  counts(t('People'), ({ _count }) => _count.users),
  counts(t('Bookings'), ({ _count }) => _count.bookings),
  { name: t('Status'), text: ({ active }) => (active ? t('Active') : t('Inactive')) },
];
const SORTS = COLUMNS.flatMap(({ sort }) => (sort === undefined ? [] : [sort, `-${sort}`]));
const WITH_CREDIT = COLUMNS.toSpliced(
  2,
  0,
  money(t('Credit used'), ({ creditUsed = '0' }) => creditUsed),
);

/** The list of all companies, for platform staff. */
export function CompaniesPage({ profile }: { profile: Person }) {
  const { value, change } = useAddressState();
  const shown = SHOWN_NAMES.find((name) => value(name) === 'true');
  const hasCredit = shown === 'overCredit';
  const own = useOwnFields('company', isSuperAdmin(profile) ? null : undefined);
  const ownFilters = useOwnFilters(own);
  const include = ['currency', ...(hasCredit ? ['creditUsed'] : []), ...(own.read.length > 0 ? ['fields'] : [])].join();
  const sort = SORTS.find((known) => known === value('sort'));
  return (
    <>
      <PageHead title={t('Companies')} lead={t('Every company that is registered on the platform.')}>
        {isSuperAdmin(profile) && <AddCompany />}
      </PageHead>
      <RecordList
        path="/api/companies/list"
        of={{ include }}
        filters={{ ...(shown ? { [shown]: true } : {}), ...(sort ? { sort: sort as 'name' } : {}), ...ownFilters }}
        limit={10}
        searchHint={t('Name, legal name, GSTIN or e-mail')}
        label={t('Companies')}
        columns={[...(hasCredit ? WITH_CREDIT : COLUMNS), ...ownColumns<Company>(own)]}
        file="companies"
        controls={
          <>
            <NativeSelect
              label={t('Show')}
              data={choicesOf(SHOWN, t('All companies'))}
              value={shown ?? ''}
              onChange={({ currentTarget }) =>
                change(
                  Object.fromEntries(SHOWN_NAMES.map((name) => [name, name === currentTarget.value ? 'true' : ''])),
                )
              }
            />
            <OwnFilters own={own} />
          </>
        }
      />
    </>
  );
}
