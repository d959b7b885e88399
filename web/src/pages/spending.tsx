import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { budgetPeriodOn } from '../../../src/entities/budget-period.ts';
import type { CalendarDate } from '../../../src/entities/dates.ts';
import { cents } from '../../../src/entities/money.ts';
import type { Booking, CompanyDetail, DepartmentSpending, Person } from '../api/types.ts';
import { formatDate } from '../format.ts';
import { spendingTexts as words } from '../lazy-texts.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { amounts, type Column, plain } from '../parts/data-table.tsx';
import { PersonLink } from '../parts/links.tsx';
import { Bar, MonthPlot } from '../parts/plot.tsx';
import { useAddressState } from '../parts/use-list-state.ts';
import { Amount, useMoney } from '../session/money.tsx';
import { useGet, useSpending } from '../session/queries.ts';
import { pageTexts, texts } from '../texts.ts';
import classes from './departments.module.css';
import { QueryCard } from './overview-card.tsx';

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
      title={words.byMonth}
      all={{ href: `/departments/bookings?companyId=${companyId}`, label: words.bookings }}
      found={useGet('/api/companies/spending', query)}
    >
      {({ data }) => {
        const spent = new Map(data.map(({ month, spent: sum }) => [month, sum]));
        return (
          <MonthPlot
            label={words.byMonth}
            items={months.map((month) => {
              const sum = spent.get(month) ?? '0';
              return { month, value: Number(sum), text: formatMoney(sum) };
            })}
          />
        );
      }}
    </QueryCard>
  );
}

/** What a department has spent of its budget, in a bar and words; more than the budget in colour. */
export function Spent({ of: { budget, spent } }: { of: Pick<DepartmentSpending, 'budget' | 'spent'> }) {
  const { formatSum } = useMoney();
  const over = cents(spent) - cents(budget);
  return (
    <>
      <Bar share={Math.min(Number(spent) / Math.max(Number(budget), 0.01), 1)} isOver={over > 0n} />
      {over > 0n && (
        <Text component="span" size="sm" c="var(--mantine-color-error)">
          {words.over(formatSum(over))}
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
      name: words.spent,
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
    { ...amounts(words.remaining, (item: Item) => spending.get(item.id)?.remaining ?? null), isSecondary: true },
  ];
}

/** The line about the period that budgets are for. */
export function BudgetPeriodNote({ companyId }: { companyId: string }) {
  const company = useGet('/api/companies/get', { id: companyId }).data?.data;
  if (!company) return null;
  const { from, next } = periodOf(company);
  const last = new Date(Date.parse(next) - 86_400_000).toISOString();
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {words.period(formatDate(from), formatDate(last))}
    </Text>
  );
}

function periodOf(company: CompanyDetail) {
  return budgetPeriodOn(new Date().toISOString().slice(0, 10) as CalendarDate, company);
}

const COLUMNS: readonly Column<Booking>[] = [
  { name: words.date, ...plain(({ createdAt }) => formatDate(createdAt)) },
  {
    name: words.who,
    show: ({ userId }) => <PersonLink id={userId} />,
    text: ({ user }) => (user ? `${user.firstName} ${user.lastName}` : ''),
  },
  { name: pageTexts.departments.name, ...plain(({ department }) => department?.name ?? '') },
  { name: words.costCenter, ...plain(({ costCenter }) => costCenter ?? ''), isSecondary: true },
  { name: words.reference, ...plain(({ reference }) => reference ?? '') },
  { name: words.status, ...plain(({ status }) => words.statuses[status]), isClear: true },
  amounts(words.amount, ({ amount }) => amount),
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
      title={words.bookings}
      lead={words.bookingsLead}
      crumbs={[{ href: '/departments', label: texts.pages.departments }]}
      list={({ id: companyId }) => ({
        kind: 'bookings',
        filters,
        load: (client, query, signal) => client.get('/api/bookings/list', { companyId, ...query }, signal),
        label: words.bookings,
        columns: COLUMNS,
        file: 'bookings',
      })}
    />
  );
}
