import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { budgetPeriodOn } from '../../../src/entities/budget-period.ts';
import { todayIn } from '../../../src/entities/dates.ts';
import { cents } from '../../../src/entities/money.ts';
import type { Booking, DepartmentSpending, Person } from '../api/types.ts';
import { formatDate } from '../format.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { amounts, type Column, plain } from '../parts/data-table.tsx';
import { PersonLink } from '../parts/links.tsx';
import { Bar, MonthPlot } from '../parts/plot.tsx';
import { useAddressState } from '../parts/use-list-state.ts';
import { Amount, useMoney } from '../session/money.tsx';
import { useGet, useSpending } from '../session/queries.ts';
import { t } from '../translate.ts';
import classes from './departments.module.css';
import { QueryCard } from './overview-card.tsx';

const STATUSES = {
  BOOKED: t('Booked'),
  CANCELLED: t('Cancelled'),
};

/** Months of the plot. */
const MONTHS = 12;

/** Returns the last months up to the present one (UTC), oldest first, in the form `2026-01`. */
function lastMonths(now = new Date()): string[] {
  return Array.from({ length: MONTHS }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1 + index, 1)).toISOString().slice(0, 7),
  );
}

/** What a company spent in each of the last months. */
export function SpendingByMonth({ companyId }: { companyId: string }) {
  const { formatMoney } = useMoney();
  const months = lastMonths();
  const query = { companyId, by: 'month', from: `${months[0]}-01` } as const;
  return (
    <QueryCard
      title={t('Spent by month')}
      all={{ href: `/departments/bookings?companyId=${companyId}`, label: t('Bookings') }}
      found={useGet('/api/companies/spending', query)}
    >
      {({ data }) => {
        const spent = new Map(data.map(({ month, spent: sum }) => [month, sum]));
        return (
          <MonthPlot
            label={t('Spent by month')}
            items={months.map((month) => {
              const sum = spent.get(month) ?? '0';
              return { month, value: Math.max(Number(sum), 0), text: formatMoney(sum) };
            })}
          />
        );
      }}
    </QueryCard>
  );
}

/** By how much a department has spent more than its budget, with those below it; 0 or less: by nothing. */
export function overBudget({ remainingWithBelow }: Pick<DepartmentSpending, 'remainingWithBelow'>): bigint {
  return -cents(remainingWithBelow ?? '0.00');
}

/** What a department has spent of its budget, in a bar and words; more than the budget in colour, with a mark where that ends. */
export function Spent({ of }: { of: Omit<DepartmentSpending, 'id' | 'name' | 'bookings'> }) {
  const { formatSum } = useMoney();
  if (of.budget === null) return null;
  const over = overBudget(of);
  const [spent, budget] = [Number(of.spent) + Number(of.spentBelow), Number(of.budget)];
  const whole = Math.max(spent, budget, 0.01);
  return (
    <>
      <Bar share={Math.max(spent, 0) / whole} {...(over > 0n ? { mark: budget / whole } : {})} />
      {over > 0n && (
        <Text component="span" size="sm" c="var(--mantine-color-error)">
          {t('{amount} over budget', { amount: formatSum(over) })}
        </Text>
      )}
    </>
  );
}

/** Returns the columns of what departments have spent in the present budget period; none while that is unknown. */
export function useSpendingColumns<Item extends { id: string }>(companyId: string | undefined): Column<Item>[] {
  const found = useSpending(companyId);
  if (companyId === undefined || !found) return [];
  const spending = new Map(found.map((one) => [one.id, one]));
  const text = (of: 'spent' | 'remaining') => (item: Item) => spending.get(item.id)?.[of] ?? '';
  return [
    {
      name: t('Spent'),
      show: (item) => {
        const one = spending.get(item.id);
        return (
          one && (
            <div className={classes.budget}>
              <div>
                <Spent of={one} />
              </div>
              <Anchor
                component={Link}
                href={`/departments/bookings?${new URLSearchParams({ companyId, departmentId: item.id })}`}
                className={classes.figure ?? ''}
                inherit
              >
                <Amount of={one.spent} />
              </Anchor>
            </div>
          )
        );
      },
      text: text('spent'),
    },
    { ...amounts(t('Remaining'), (item: Item) => spending.get(item.id)?.remaining ?? null), isSecondary: true },
  ];
}

/** The line about the period that budgets are for. */
export function BudgetPeriodNote({ companyId }: { companyId: string }) {
  const company = useGet('/api/companies/get', { id: companyId }).data?.data;
  if (!company) return null;
  const { from, to } = budgetPeriodOn(todayIn(company.timeZone), company);
  const last = new Date(Date.parse(to) - 86_400_000).toISOString();
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {t('Budgets and what is spent are for {from} until {until}.', {
        from: formatDate(from),
        until: formatDate(last),
      })}
    </Text>
  );
}

const COLUMNS: readonly Column<Booking>[] = [
  { name: t('Date'), ...plain(({ createdAt }) => formatDate(createdAt)) },
  {
    name: t('Who'),
    show: ({ userId }) => <PersonLink id={userId} />,
    text: ({ user }) => (user ? `${user.firstName} ${user.lastName}` : ''),
  },
  { name: t('Department'), ...plain(({ department }) => department?.name ?? '') },
  { name: t('Cost centre', { context: 'booking' }), ...plain(({ costCenter }) => costCenter ?? ''), isSecondary: true },
  { name: t('Reference'), ...plain(({ reference }) => reference ?? '') },
  { name: t('Status'), ...plain(({ status }) => STATUSES[status]), isClear: true },
  amounts(t('Amount'), ({ amount }) => amount),
];

/** The bookings of a company, those of a department or a person if the address asks for it. */
export function BookingsPage({ profile }: { profile: Person }) {
  const { value } = useAddressState();
  const filters = Object.fromEntries(
    ['departmentId', 'userId'].flatMap((name) => (value(name) === '' ? [] : [[name, value(name)]])),
  );
  return (
    <CompanyList<Booking>
      profile={profile}
      title={t('Bookings')}
      lead={(company) => t('What was booked at {company}, the newest first.', { company })}
      crumbs={[{ href: '/departments', label: t('Departments') }]}
      list={({ id: companyId }) => ({
        kind: 'bookings',
        filters,
        load: (client, query, signal) => client.get('/api/bookings/list', { companyId, ...query }, signal),
        label: t('Bookings'),
        columns: COLUMNS,
        file: 'bookings',
      })}
    />
  );
}
