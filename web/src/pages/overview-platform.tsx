import type { Company, Person } from '../api/types.ts';
import { formatCount, moneyIn } from '../format.ts';
import { Cards, type Fact, Facts } from '../parts/facts.tsx';
import { More, TextLink } from '../parts/links.tsx';
import { Failed, Loading, PageHead } from '../parts/states.tsx';
import { useAll, useGet } from '../session/queries.ts';
import { isSuperAdmin } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { Card, QueryCard } from './overview-card.tsx';
import { FailingWebhooks, Lines } from './overview-lists.tsx';

/** Companies that are named in each card. */
const NAMED = 6;
const OVER_CREDIT = { overCredit: true, include: 'currency,creditUsed', limit: NAMED };
const OVER_CREDIT_LIST = '/companies?overCredit=true';

/** What needs the staff of the platform: customers without anybody or anything, over their credit, closed, and webhooks that fail. */
export function PlatformOverview({ profile }: { profile: Person }) {
  const list = useAll('/api/companies/list', {});
  const overCredit = useGet('/api/companies/list', OVER_CREDIT);
  if (list.isError) return <Failed error={list.error} retry={() => void list.refetch()} />;
  const companies = list.data ?? [];
  const sum = (of: keyof Company['_count']) => companies.reduce((total, { _count }) => total + _count[of], 0);
  const open = companies.filter(({ active }) => active);
  const facts: Fact[] = [
    [t('Companies'), formatCount(companies.length)],
    [t('People'), formatCount(sum('users'))],
    [t('Bookings'), formatCount(sum('bookings'))],
  ];
  return (
    <>
      <PageHead title={t('Overview')} lead={t('All companies at a glance: which of them need you.')} />
      {list.isPending ? (
        <Loading rows={8} />
      ) : (
        <Cards columns={2}>
          <Named
            title={t('New: nobody but the first admin')}
            companies={open.filter(({ _count }) => _count.users < 2)}
          />
          <Named
            title={t('No booking yet')}
            companies={open.filter(({ _count }) => _count.users > 1 && _count.bookings === 0)}
          />
          <QueryCard
            title={t('Over their credit limit')}
            all={{ href: OVER_CREDIT_LIST, label: t('Companies') }}
            found={overCredit}
          >
            {({ data, pagination }) => <Names companies={data} count={pagination.totalItems} href={OVER_CREDIT_LIST} />}
          </QueryCard>
          <Named title={t('Closed')} companies={companies.filter(({ active }) => !active)} />
          {isSuperAdmin(profile) && <FailingWebhooks companyId={undefined} />}
          <Facts title={t('All companies')} facts={facts} />
        </Cards>
      )}
    </>
  );
}

function Named({ title, companies }: { title: string; companies: readonly Company[] }) {
  return (
    <Card title={title} all={{ href: '/companies', label: t('Companies') }}>
      <Names companies={companies} count={companies.length} href="/companies" />
    </Card>
  );
}

/** The first companies by name, with the credit that they use if it was requested. */
function Names({ companies, count, href }: { companies: readonly Company[]; count: number; href: string }) {
  return (
    <>
      <Lines none={t('None.')}>
        {companies.slice(0, NAMED).map(({ id, name, creditUsed, creditLimit, currency = 'INR' }) => {
          const { formatMoney } = moneyIn(currency);
          return (
            <li key={id}>
              <TextLink href={`/companies/${id}`}>{name}</TextLink>
              {creditUsed !== undefined &&
                ` ${t('{spent} of {budget}', { spent: formatMoney(creditUsed), budget: formatMoney(creditLimit) })}`}
            </li>
          );
        })}
      </Lines>
      <More of={count - NAMED} href={href} />
    </>
  );
}
