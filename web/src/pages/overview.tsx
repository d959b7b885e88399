import { Alert, Anchor, List, SimpleGrid } from '@mantine/core';
import { Link } from 'wouter';
import type { Person } from '../api/types.ts';
import { formatCount, formatMoney } from '../format.ts';
import { CompanyPage } from '../parts/company-page.tsx';
import { useBands, useDepartments, usePolicies } from '../session/use-all.ts';
import { administers } from '../session/use-profile.ts';
import { texts } from '../texts.ts';
import { overviewTexts as words } from '../texts-overview.ts';
import { FigureCard } from './overview-card.tsx';
import { type Figure, stepsLeft } from './overview-figures.ts';
import { FailingWebhooks, LatestChanges, PoliciesToLookAt } from './overview-lists.tsx';

/** The first page of those who are responsible for a company: its figures, what needs a look, and what is left to set up. */
export function OverviewPage({ profile }: { profile: Person }) {
  return (
    <CompanyPage profile={profile} title={texts.pages.overview} lead={words.lead}>
      {({ id }) => <Overview key={id} companyId={id} isAdmin={administers(profile, id)} />}
    </CompanyPage>
  );
}

function Overview({ companyId, isAdmin }: { companyId: string; isAdmin: boolean }) {
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
      {isAdmin && left.length > 0 && (
        <Alert color="blue" title={words.setUp} role="note" mb="md">
          <List size="sm">
            {left.map((step) => (
              <List.Item key={step}>
                <Anchor component={Link} href={listOf(step)} inherit underline="always">
                  {words[step]}
                </Anchor>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <FigureCard
          title={words.peopleByDepartment}
          all={{ href: listOf('people'), label: words.allPeople }}
          figures={departments?.map((part) => peopleOf(part, listOf('people', `&departmentId=${part.id}`)))}
        />
        <FigureCard
          title={words.peopleByBand}
          all={{ href: listOf('bands'), label: words.allBands }}
          figures={bands?.map((part) => peopleOf(part, listOf('people', `&bandId=${part.id}`)))}
        />
        <FigureCard
          title={words.budgets}
          all={{ href: listOf('departments'), label: words.allDepartments }}
          figures={departments?.map(({ id, name, budget }) => ({
            id,
            name,
            value: Number(budget),
            text: formatMoney(budget),
            href: listOf('departments', `&search=${encodeURIComponent(name)}`),
          }))}
        />
        <PoliciesToLookAt companyId={companyId} policies={policies} />
        {isAdmin && <FailingWebhooks companyId={companyId} />}
        {isAdmin && <LatestChanges companyId={companyId} />}
      </SimpleGrid>
    </>
  );
}

/** A department or a band. */
interface Part {
  id: string;
  name: string;
  _count: { users: number };
}

/** How many people a department or a band has. */
function peopleOf({ id, name, _count: { users } }: Part, href: string): Figure {
  return { id, name, value: users, text: formatCount(users), href };
}
