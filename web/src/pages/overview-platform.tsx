import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Company, Person } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { overviewTexts as words } from '../lazy-texts.ts';
import { Cards, type Fact, Facts } from '../parts/facts.tsx';
import { Failed, Loading, PageHead } from '../parts/states.tsx';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { readAll } from '../session/use-all.ts';
import { isSuperAdmin } from '../session/use-profile.ts';
import { pageTexts, texts } from '../texts.ts';
import { Card } from './overview-card.tsx';
import { FailingWebhooks, Lines } from './overview-lists.tsx';

/** Companies that are read, by the hundred, and named in each card. */
const [PAGES, NAMED] = [20, 6];

/** What needs the staff of the platform: customers without anybody or anything, closed ones, and webhooks that fail. */
export function PlatformOverview({ profile }: { profile: Person }) {
  const { client, userId } = useSession();
  const list = useQuery({
    queryKey: ownKey(userId, 'companies', 'overview'),
    queryFn: ({ signal }) => readAll((query) => client.get('/api/companies/list', query, signal), PAGES),
  });
  if (list.isError) return <Failed error={list.error} retry={() => void list.refetch()} />;
  const companies = list.data ?? [];
  const sum = (of: keyof Company['_count']) => companies.reduce((total, { _count }) => total + _count[of], 0);
  const open = companies.filter(({ active }) => active);
  const facts: Fact[] = [
    [texts.pages.companies, formatCount(companies.length)],
    [pageTexts.companies.users, formatCount(sum('users'))],
    [pageTexts.companies.bookings, formatCount(sum('bookings'))],
  ];
  return (
    <>
      <PageHead title={texts.pages.overview} lead={words.leadOfPlatform} />
      {list.isPending ? (
        <Loading rows={8} />
      ) : (
        <Cards columns={2}>
          <Named title={words.starting} companies={open.filter(({ _count }) => _count.users < 2)} />
          <Named
            title={words.idle}
            companies={open.filter(({ _count }) => _count.users > 1 && _count.bookings === 0)}
          />
          <Named title={words.closed} companies={companies.filter(({ active }) => !active)} />
          {isSuperAdmin(profile) && <FailingWebhooks companyId={undefined} />}
          <Facts title={pageTexts.lists.allCompanies} facts={facts} />
        </Cards>
      )}
    </>
  );
}

function Named({ title, companies }: { title: string; companies: readonly Company[] }) {
  return (
    <Card title={title} all={{ href: '/companies', label: texts.pages.companies }}>
      <Lines none={words.none}>
        {companies.slice(0, NAMED).map(({ id, name }) => (
          <li key={id}>
            <Anchor component={Link} href={`/companies/${id}`} inherit>
              <bdi>{name}</bdi>
            </Anchor>
          </li>
        ))}
      </Lines>
      {companies.length > NAMED && (
        <Text size="sm" c="dimmed" mt="xs">
          {words.more(formatCount(companies.length - NAMED))}
        </Text>
      )}
    </Card>
  );
}
