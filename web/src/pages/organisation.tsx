import { Anchor, Button, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { explain } from '../api/client.ts';
import type { FullPerson, ListedPerson, Person } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { CompanyPage } from '../parts/company-page.tsx';
import { Initials, StatusBadge } from '../parts/facts.tsx';
import { More, TextLink } from '../parts/links.tsx';
import { PersonBox } from '../parts/search-box.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { type Branch, Tree } from '../parts/tree.tsx';
import { useAddressState } from '../parts/use-list-state.ts';
import { useMoney } from '../session/money.tsx';
import { ownKey, useDepartments, useGets, useSpending } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';
import { overBudget } from './spending.tsx';

/** Maximum number of managers above a person, as in the service's checks. */
const MAX_ABOVE = 20;

/** The organisation chart of a company: from the top of the line of a person down, each branch read when it is opened. */
export function ChartPage({ profile }: { profile: Person }) {
  const { value, change } = useAddressState();
  const chosen = value('userId');
  return (
    <CompanyPage
      profile={profile}
      title={t('Organisation chart')}
      lead={(company) => t('Who reports to whom at {company}. Arrow keys walk through it.', { company })}
      crumbs={[{ href: '/people', label: t('People') }]}
    >
      {({ id }) => (
        <>
          <PersonBox
            companyId={id}
            label={t('Show the line of')}
            placeholder={t('Name, e-mail, phone or department')}
            userId={chosen}
            choose={(userId) => change({ userId }, { replace: true })}
          />
          <Chart key={`${id} ${chosen}`} companyId={id} personId={chosen || profile.id} />
        </>
      )}
    </CompanyPage>
  );
}

/** Returns the ids of the branches that are toggled, and the function that toggles one. */
function useToggled(): [ReadonlySet<string>, (id: string) => void] {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  return [
    toggled,
    (id) => {
      const next = new Set(toggled);
      if (!next.delete(id)) next.add(id);
      setToggled(next);
    },
  ];
}

type Listed = Pick<ListedPerson, 'id' | 'firstName' | 'lastName' | 'active' | 'employment' | 'department'>;

function Chart({ companyId, personId }: { companyId: string; personId: string }) {
  const { client, userId } = useSession();
  const line = useQuery({
    queryKey: ownKey(userId, 'line', personId),
    queryFn: async ({ signal }) => {
      const above: FullPerson[] = [];
      let id: string | null = personId;
      while (id !== null && above.length < MAX_ABOVE) {
        const found: FullPerson = (await client.get('/api/users/get', { id }, signal)).data as FullPerson;
        above.unshift(found);
        id = found.employment.managerId;
      }
      return above;
    },
  });
  const [toggled, toggle] = useToggled();
  const onLine = new Set(line.data?.map(({ id }) => id));
  const isOpen = (id: string) => onLine.has(id) !== toggled.has(id);
  const opened = [...new Set([...onLine, ...toggled])].filter(isOpen);
  const queries = opened.map((managerId) => ({ companyId, managerId, limit: 100 }));
  const found = useGets('/api/users/list', queries);
  if (line.isError) return <Failed error={line.error} retry={() => void line.refetch()} />;
  const [top] = line.data ?? [];
  if (!top) return <Loading rows={6} />;
  const reports = new Map(opened.map((id, index) => [id, found[index]]));
  /** Returns what is below a person: the first reports with a link to all, or why they cannot be read. */
  const below = (managerId: string): Branch[] | undefined => {
    const read = reports.get(managerId);
    const leaf = (show: ReactNode) => ({ id: `${managerId} more`, show, children: [] });
    if (read?.error)
      return [
        leaf(
          <Text size="sm" role="alert">
            {explain(read.error)}{' '}
            <Button size="compact-sm" variant="default" onClick={() => void read.refetch()}>
              {t('Try again')}
            </Button>
          </Text>,
        ),
      ];
    if (!read?.data) return undefined;
    const { data, pagination } = read.data;
    const more = leaf(<More of={read.data} href={`/people?${new URLSearchParams({ companyId, managerId })}`} />);
    return [...data.map(branchOf), ...(pagination.totalItems > data.length ? [more] : [])];
  };
  const branchOf = (person: Listed): Branch => ({
    id: person.id,
    show: <PersonRow person={person} isChosen={person.id === personId} />,
    children: below(person.id),
  });
  return (
    <Paper withBorder p="sm" mt="md">
      <Tree label={t('Organisation chart')} roots={[branchOf(top)]} isOpen={isOpen} toggle={toggle} />
    </Paper>
  );
}

function PersonRow({ person, isChosen }: { person: Listed; isChosen: boolean }) {
  const { id, firstName, lastName, active, employment, department } = person;
  return (
    <>
      <span>
        <Initials {...{ firstName, lastName }} />
        <Anchor component={Link} href={`/people/${id}`} tabIndex={-1} {...(isChosen ? { fw: 700 } : {})}>
          <bdi>{`${firstName} ${lastName}`}</bdi>
        </Anchor>
      </span>
      <Text size="sm" c="dimmed" component="bdi">
        {[employment?.jobTitle, department?.name].filter(Boolean).join(', ')}
      </Text>
      <StatusBadge isActive={active} />
    </>
  );
}

/** The departments of a company as a tree, with their heads, people and what is spent. */
export function DepartmentTreePage({ profile }: { profile: Person }) {
  return (
    <CompanyPage
      profile={profile}
      title={t('Department tree')}
      lead={(company) =>
        t('How the departments of {company} belong together. Arrow keys walk through it.', { company })
      }
      crumbs={[{ href: '/departments', label: t('Departments') }]}
    >
      {({ id }) => <DepartmentTree key={id} companyId={id} />}
    </CompanyPage>
  );
}

function DepartmentTree({ companyId }: { companyId: string }) {
  const departments = useDepartments(companyId);
  const { formatMoney, formatSum } = useMoney();
  const spending = new Map(useSpending(companyId)?.map((one) => [one.id, one]));
  const [closed, toggle] = useToggled();
  if (!departments) return <Loading rows={6} />;
  const ids = new Set(departments.map(({ id }) => id));
  const below = (parent: string | undefined): Branch[] =>
    departments
      .filter(({ parentId }) => (parentId && ids.has(parentId) ? parentId : undefined) === parent)
      .map((one) => {
        const spent = spending.get(one.id);
        return {
          id: one.id,
          children: below(one.id),
          show: (
            <>
              <TextLink
                href={`/departments?${new URLSearchParams({ companyId, search: one.name })}`}
                tabIndex={-1}
                inherit={false}
              >
                {one.name}
              </TextLink>
              <Text size="sm" c="dimmed" component="bdi">
                {[
                  one.head && t('Head: {name}', { name: `${one.head.firstName} ${one.head.lastName}` }),
                  `${t('People')}: ${formatCount(one._count.users)}`,
                  spent &&
                    spent.budget !== null &&
                    t('{spent} of {budget}', { spent: formatMoney(spent.spent), budget: formatMoney(spent.budget) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
              {spent && overBudget(spent) > 0n && (
                <Text size="sm" c="var(--mantine-color-error)" component="span">
                  {t('{amount} over budget', { amount: formatSum(overBudget(spent)) })}
                </Text>
              )}
            </>
          ),
        };
      });
  return (
    <Paper withBorder p="sm">
      <Tree label={t('Department tree')} roots={below(undefined)} isOpen={(id) => !closed.has(id)} toggle={toggle} />
    </Paper>
  );
}
