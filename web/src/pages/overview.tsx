import { Alert, List, Text } from '@mantine/core';
import { cents } from '../../../src/entities/money.ts';
import type { Person } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { CompanyPage } from '../parts/company-page.tsx';
import { Cards } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { useMoney } from '../session/money.tsx';
import { useBands, useDepartments, useGet, usePolicies, useSpending } from '../session/queries.ts';
import { administers, corporateCompanies } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { FigureCard } from './overview-card.tsx';
import { type Figure, stepsLeft } from './overview-figures.ts';
import { FailingWebhooks, LatestChanges, MyPeople, PeopleByMonth, PoliciesToLookAt } from './overview-lists.tsx';
import { OverviewNotices } from './overview-notices.tsx';
import { PlatformOverview } from './overview-platform.tsx';
import { overBudget, SpendingByMonth, Spent } from './spending.tsx';

/** The overview of a company, for users who are responsible for it: its figures, what needs attention, and what is left to set up. */
export function OverviewPage({ profile }: { profile: Person }) {
  if (corporateCompanies(profile).length === 0) return <PlatformOverview profile={profile} />;
  return (
    <CompanyPage profile={profile} title={t('Overview')} lead={(company) => t('{company} at a glance.', { company })}>
      {({ id }) => <Overview key={id} companyId={id} isAdmin={administers(profile, id)} userId={profile.id} />}
    </CompanyPage>
  );
}

/** What is left to do in a new company, by the page that does it. */
const STEPS = {
  departments: t('Add departments with their budgets'),
  bands: t('Add bands with their limits'),
  policies: t('Add an approval policy', { context: 'step' }),
  people: t('Add people, or import them'),
};

interface OverviewProps {
  companyId: string;
  isAdmin: boolean;
  userId: string;
}

function Overview({ companyId, isAdmin, userId }: OverviewProps) {
  const company = useGet('/api/companies/get', { id: companyId }).data?.data;
  const departments = useDepartments(companyId);
  const bands = useBands(companyId);
  const policies = usePolicies(companyId);
  const listOf = (page: string, filter = '') => `/${page}?companyId=${companyId}${filter}`;
  const people = (parts: readonly Part[] | undefined) => parts?.reduce((sum, { _count }) => sum + _count.users, 0);
  const left = stepsLeft({
    departments: departments?.length,
    bands: bands?.length,
    policies: policies?.length,
    people: people(departments),
  });
  return (
    <>
      {isAdmin && <OverviewNotices companyId={companyId} />}
      {isAdmin && left.length > 0 && (
        <Alert color="blue" title={t('Left to set up')} role="note" mb="md">
          <List size="sm">
            {left.map((step) => (
              <List.Item key={step}>
                <TextLink href={listOf(step)} underline="always">
                  {STEPS[step]}
                </TextLink>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {isAdmin && company?.timeZone === 'UTC' && (
        <Text size="sm" c="dimmed" mb="md">
          {t('Days and budget periods of the company begin at midnight UTC.')}{' '}
          <TextLink href={`/companies/${companyId}`} underline="always">
            {t('Choose its time zone')}
          </TextLink>
        </Text>
      )}
      <Cards columns={2}>
        <Spending companyId={companyId} listOf={listOf} />
        <PoliciesToLookAt {...{ companyId, policies, bands, isAdmin }} />
        <MyPeople {...{ companyId, userId }} />
        {isAdmin && <FailingWebhooks companyId={companyId} />}
        <SpendingByMonth companyId={companyId} />
        <PeopleByMonth companyId={companyId} />
        <FigureCard
          title={t('People by department')}
          all={{ href: listOf('people'), label: t('All people') }}
          figures={departments?.map((part) => peopleOf(part, listOf('people', `&departmentId=${part.id}`)))}
        />
        <FigureCard
          title={t('People by band')}
          all={{ href: listOf('bands'), label: t('All bands') }}
          figures={bands?.map((part) => peopleOf(part, listOf('people', `&bandId=${part.id}`)))}
        />
        {isAdmin && <LatestChanges companyId={companyId} />}
      </Cards>
    </>
  );
}

/** The departments' budgets, and what they have spent of them if bookings are known. */
function Spending({ companyId, listOf }: { companyId: string; listOf: (page: string, filter?: string) => string }) {
  const spending = useSpending(companyId);
  const { formatMoney, formatSum } = useMoney();
  const [spent = 0n, budgets = 0n] = [
    spending?.map((one) => one.spent),
    spending?.map((one) => one.budget ?? '0.00'),
  ].map((amounts) => amounts?.reduce((sum, amount) => sum + cents(amount), 0n));
  const over = spending?.filter((one) => overBudget(one) > 0n).length ?? 0;
  const isKnown = spent > 0n;
  return (
    <FigureCard
      title={t('Spent and budget by department')}
      all={{ href: listOf('departments'), label: t('All departments') }}
      sum={
        spending &&
        (isKnown
          ? [
              t('{spent} of {budget}', { spent: formatSum(spent), budget: formatSum(budgets) }),
              ...(over > 0
                ? [t('{over} of {all} over budget', { over: formatCount(over), all: formatCount(spending.length) })]
                : []),
            ].join(' · ')
          : formatSum(budgets))
      }
      figures={spending?.map(({ id, name, ...one }) => ({
        id,
        name,
        href: isKnown
          ? `/departments/bookings?${new URLSearchParams({ companyId, departmentId: id })}`
          : listOf('departments', `&search=${encodeURIComponent(name)}`),
        ...(isKnown
          ? {
              // What is over its budget comes first, the most first.
              value: overBudget(one) > 0n ? 1e15 + Number(overBudget(one)) : Number(one.spent),
              bar: <Spent of={one} />,
              text:
                one.budget === null
                  ? formatMoney(one.spent)
                  : t('{spent} of {budget}', { spent: formatMoney(one.spent), budget: formatMoney(one.budget) }),
            }
          : { value: Number(one.budget ?? 0), text: one.budget === null ? '–' : formatMoney(one.budget) }),
      }))}
    />
  );
}

/** A department or a band. */
interface Part {
  id: string;
  name: string;
  _count: { users: number };
}

/** Returns the number of people of a department or a band as a figure. */
function peopleOf({ id, name, _count: { users } }: Part, href: string): Figure {
  return { id, name, value: users, text: formatCount(users), href };
}
