import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { budgetPeriodOn, todayIn } from '../../../src/entities/dates.ts';
import { cents } from '../../../src/entities/money.ts';
import type { DepartmentSpending } from '../api/types.ts';
import { formatDate } from '../format.ts';
import { amounts, type Column } from '../parts/data-table.tsx';
import { Bar, MonthPlot } from '../parts/plot.tsx';
import { Dimmed } from '../parts/text.tsx';
import { Amount, useMoney } from '../session/money.tsx';
import { useGet, useSpending } from '../session/queries.ts';
import { t } from '../translate.ts';
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

/** Months of a budget period. */
const MONTHS_OF = { MONTH: 1, QUARTER: 3, YEAR: 12 } as const;

/** Returns what the departments may spend in a month on average; undefined without budgets, or while they are unknown. */
function useMonthlyBudget(companyId: string) {
  const { formatSum } = useMoney();
  const budgets = useSpending(companyId)?.map(({ budget }) => cents(budget ?? '0.00')) ?? [];
  const period = useGet('/api/companies/get', { id: companyId }).data?.data.budgetPeriod;
  const sum = budgets.reduce((total, budget) => total + budget, 0n);
  if (period === undefined || sum === 0n) return undefined;
  const monthly = sum / BigInt(MONTHS_OF[period]);
  return { value: Number(monthly) / 100, text: t('Budget a month: {amount}', { amount: formatSum(monthly) }) };
}

/** What a company spent in each of the last months. */
export function SpendingByMonth({ companyId }: { companyId: string }) {
  const { formatMoney } = useMoney();
  const months = lastMonths();
  const line = useMonthlyBudget(companyId);
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
            line={line}
            items={months.map((month) => {
              const sum = spent.get(month) ?? '0';
              const isPartial = month === months.at(-1);
              return { month, value: Math.max(Number(sum), 0), text: formatMoney(sum), isPartial };
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
    {
      ...amounts(t('Remaining'), (item: Item) => spending.get(item.id)?.remaining ?? null),
      show: (item) => {
        const { remaining } = spending.get(item.id) ?? {};
        return (
          remaining != null && (
            <Text span inherit {...(remaining.startsWith('-') && { c: 'var(--mantine-color-error)' })}>
              <Amount of={remaining} />
            </Text>
          )
        );
      },
      isSecondary: true,
    },
  ];
}

/** The line about the period that budgets are for. */
export function BudgetPeriodNote({ companyId }: { companyId: string }) {
  const company = useGet('/api/companies/get', { id: companyId }).data?.data;
  if (!company) return null;
  const { from, to } = budgetPeriodOn(todayIn(company.timeZone), company);
  const last = new Date(Date.parse(to) - 86_400_000).toISOString();
  return (
    <Dimmed mt="xs">
      {t('Budgets and what is spent are for {from} until {until}.', {
        from: formatDate(from),
        until: formatDate(last),
      })}
    </Dimmed>
  );
}
