import { Text } from '@mantine/core';
import type { Booking, Person } from '../api/types.ts';
import { formatDate } from '../format.ts';
import { isolated } from '../isolated.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { amounts, type Column, plain } from '../parts/data-table.tsx';
import { ChoiceFilter, DayFilter, PersonFilter } from '../parts/filters.tsx';
import { TextLink } from '../parts/links.tsx';
import { useAddressState } from '../parts/use-list-state.ts';
import { useMoney } from '../session/money.tsx';
import { useDepartments, useGet } from '../session/queries.ts';
import { useCompany } from '../session/use-company.ts';
import { t } from '../translate.ts';

const STATUSES = {
  BOOKED: t('Booked'),
  CANCELLED: t('Cancelled'),
};

const nameOf = ({ firstName, lastName }: Booking['user']) => `${firstName} ${lastName}`;

const COLUMNS: readonly Column<Booking>[] = [
  { name: t('Date'), ...plain(({ createdAt }) => formatDate(createdAt)), sort: 'createdAt' },
  {
    name: t('Who'),
    show: ({ user }) => <TextLink href={`/people/${user.id}`}>{nameOf(user)}</TextLink>,
    text: ({ user }) => nameOf(user),
  },
  { name: t('Department'), ...plain(({ department }) => department?.name ?? '') },
  { name: t('Cost centre', { context: 'booking' }), ...plain(({ costCenter }) => costCenter ?? ''), isSecondary: true },
  { name: t('Reference'), ...plain(({ reference }) => reference ?? '') },
  { name: t('Status'), ...plain(({ status }) => STATUSES[status]), isClear: true },
  { ...amounts(t('Amount'), ({ amount }) => amount), sort: 'amount' },
];

const FILTERS = ['departmentId', 'userId', 'status', 'from', 'to', 'sort'] as const;
const LIST = { href: '/departments/bookings', label: t('Bookings') };

/** The bookings of a company, with filters; the title names the department or person whose they are. */
export function BookingsPage({ profile }: { profile: Person }) {
  const { value } = useAddressState();
  const { chosen } = useCompany(profile, false);
  const departments = useDepartments(chosen?.id) ?? [];
  const userId = value('userId');
  const person = useGet('/api/users/get', userId === '' ? undefined : { id: userId }).data?.data;
  const whose = [departments.find(({ id }) => id === value('departmentId'))?.name, person && nameOf(person)].filter(
    (name) => name !== undefined,
  );
  const filters = Object.fromEntries(FILTERS.flatMap((name) => (value(name) === '' ? [] : [[name, value(name)]])));
  const above = { href: '/departments', label: t('Departments') };
  return (
    <CompanyList
      path="/api/bookings/list"
      profile={profile}
      title={whose.length === 0 ? LIST.label : t('Bookings: {names}', { names: whose.map(isolated).join(', ') })}
      lead={(company) => t('What was booked at {company}, the newest first.', { company })}
      crumbs={whose.length === 0 ? [above] : [above, LIST]}
      list={({ id: companyId }) => ({
        filters,
        label: LIST.label,
        columns: COLUMNS,
        file: 'bookings',
        searchHint: t('Reference, category, cost centre or id'),
        below: () => <Totals {...{ companyId, filters }} />,
        controls: (
          <>
            <DayFilter name="from" label={t('From')} />
            <DayFilter name="to" label={t('Before')} />
            <ChoiceFilter name="departmentId" label={t('Department')} choices={departments} />
            <ChoiceFilter name="status" label={t('Status')} choices={STATUSES} />
            <PersonFilter name="userId" label={t('Who')} companyId={companyId} />
          </>
        ),
      })}
    />
  );
}

/** The sums of all bookings that the filters select, on whatever page. */
function Totals({ companyId, filters }: { companyId: string; filters: Readonly<Record<string, string>> }) {
  const { formatMoney } = useMoney();
  const search = useAddressState().value('search');
  const { sort: _, ...selected } = filters;
  const query = { companyId, ...selected, ...(search !== '' && { search }), include: 'totals', limit: 1 };
  const totals = useGet('/api/bookings/list', query, { keepsPrevious: true }).data?.totals;
  if (!totals) return null;
  const { booked, cancelled } = totals;
  return (
    <Text ta="end" fw={600} mt="sm">
      {t('Total: {amount}', { amount: formatMoney(booked) })}
      {Number(cancelled) !== 0 && ` · ${t('cancelled: {amount}', { amount: formatMoney(cancelled) })}`}
    </Text>
  );
}
