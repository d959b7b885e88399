import { Anchor, Paper, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { FullPerson, ListedPerson, Person } from '../api/types.ts';
import { CompanyPage } from '../parts/company-page.tsx';
import { Initials, StatusBadge } from '../parts/facts.tsx';
import { PersonBox } from '../parts/search-box.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { type Branch, Tree } from '../parts/tree.tsx';
import { useAddressState } from '../parts/use-list-state.ts';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { texts, peopleTexts as words } from '../texts.ts';

/** Maximum number of managers above a person, as in the service's checks. */
const MAX_ABOVE = 20;

/** The organisation chart of a company: from the top of the line of a person down, each branch read when it is opened. */
export function ChartPage({ profile }: { profile: Person }) {
  const { value, change } = useAddressState();
  const chosen = value('userId');
  return (
    <CompanyPage
      profile={profile}
      title={words.chart}
      lead={words.chartLead}
      crumbs={[{ href: '/people', label: texts.pages.people }]}
    >
      {({ id }) => (
        <>
          <PersonBox
            companyId={id}
            label={words.chartOf}
            placeholder={words.searchHint}
            userId={chosen}
            choose={(userId) => change({ userId }, { replace: true })}
          />
          <Chart key={`${id} ${chosen}`} companyId={id} personId={chosen || profile.id} />
        </>
      )}
    </CompanyPage>
  );
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
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const onLine = new Set(line.data?.map(({ id }) => id));
  const isOpen = (id: string) => onLine.has(id) !== toggled.has(id);
  const opened = [...new Set([...onLine, ...toggled])].filter(isOpen);
  const found = useQueries({
    queries: opened.map((managerId) => {
      const query = { companyId, managerId, limit: 100 };
      return {
        queryKey: ownKey(userId, 'people', query),
        queryFn: ({ signal }: { signal: AbortSignal }) => client.get('/api/users/list', query, signal),
      };
    }),
  });
  if (line.isError) return <Failed error={line.error} retry={() => void line.refetch()} />;
  const [top] = line.data ?? [];
  if (!top) return <Loading rows={6} />;
  const reports = new Map(opened.map((id, index) => [id, found[index]?.data?.data]));
  const branchOf = (person: Listed): Branch => ({
    id: person.id,
    show: <PersonRow person={person} isChosen={person.id === personId} />,
    children: reports.has(person.id) ? reports.get(person.id)?.map(branchOf) : undefined,
  });
  const toggle = (id: string) => {
    const next = new Set(toggled);
    if (!next.delete(id)) next.add(id);
    setToggled(next);
  };
  return (
    <Paper withBorder p="sm" mt="md">
      <Tree label={words.chart} roots={[branchOf(top)]} isOpen={isOpen} toggle={toggle} />
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
