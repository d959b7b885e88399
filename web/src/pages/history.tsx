import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Client } from '../api/client.ts';
import type { ChangeGroup, GroupsPage, NamedChange, Person, Query } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Crumbs } from '../parts/links.tsx';
import { Listed } from '../parts/list-controls.tsx';
import { PageHead } from '../parts/states.tsx';
import { useListState } from '../parts/use-list-state.ts';
import { useMoney } from '../session/money.tsx';
import { keepOwn, ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { readAll } from '../session/use-all.ts';
import { useCompanyNames } from '../session/use-company.ts';
import type { PageName } from '../shell/page-names.ts';
import { texts, historyTexts as words } from '../texts.ts';
import { Entry, Moment, ownPage, SingleEntry } from './history-entry.tsx';
import { filtersOf, HistoryFilters } from './history-filters.tsx';
import { actorText, type HistoryLocale, sentenceOf } from './history-sentences.ts';
import { historyLocale } from './history-values.ts';

/** Reads the audit trail with one item for all changes of a request or import. */
export async function readGroups(
  client: Client,
  query: Query<'/api/audit/list'>,
  signal: AbortSignal,
): Promise<GroupsPage> {
  const found: unknown = await client.get('/api/audit/list', { ...query, group: 'request' }, signal);
  return found as GroupsPage;
}

/** The audit trail in sentences: all that the user may see, filtered by the address. One request per page. */
export function HistoryPage({ profile }: { profile: Person }) {
  const { client, userId: caller } = useSession();
  const state = useListState(50);
  const filters = filtersOf(state);
  const query = { page: state.page, limit: state.limit, ...filters };
  const { requestId } = filters;
  // A request has a page of its own, with its changes one by one.
  const list = useQuery({
    queryKey: ownKey(caller, 'history', query, 'groups'),
    queryFn: ({ signal }) => readGroups(client, query, signal),
    placeholderData: keepOwn(caller),
    enabled: requestId === undefined,
  });
  const single = useQuery({
    queryKey: ownKey(caller, 'history', query),
    queryFn: ({ signal }) => client.get('/api/audit/list', query, signal),
    placeholderData: keepOwn(caller),
    enabled: requestId !== undefined,
  });
  const subjects = list.data?.data.flatMap((group) => group.subjects) ?? [];
  const named = (id: string | undefined) => subjects.find((one) => one.id === id)?.name ?? undefined;
  const changes = single.data?.data ?? list.data?.data.map(({ main }) => main) ?? [];
  const { userId = '', companyId = '', actorId, entity, entityId } = filters;
  const companyName = useCompanyNames(profile).get(companyId) ?? nameOfCompany(changes, companyId) ?? named(companyId);
  const of = userId === '' ? companyName : (nameOfPerson(changes, userId, profile) ?? named(userId) ?? userId);
  const thing = entity && entityId ? (nameOfThing(changes, entityId) ?? named(entityId) ?? words.entities[entity]) : of;
  const actor = changes.find((change) => actorId !== undefined && actorIdOf(change) === actorId);
  const file = {
    name: 'history',
    columns: fileColumns(historyLocale(useMoney())),
    load: () => readAll((query) => client.get('/api/audit/list', { ...filters, ...query })),
  };
  const lead = requestId === undefined ? words.lead : words.ofRequest;
  return (
    <>
      <Crumbs of={entity && entityId ? crumbsOfThing(entity, entityId, thing) : crumbsOf(userId, companyId, of)} />
      <PageHead title={texts.pages.history} lead={thing === undefined ? lead : words.ofPerson(isolated(thing))}>
        {Object.keys(filters).length > 0 && (
          <Button component={Link} href="/history" variant="default" data-screen-only>
            {words.all}
          </Button>
        )}
      </PageHead>
      <HistoryFilters profile={profile} actorName={actor?.actorName ?? undefined} />
      {requestId === undefined ? (
        <Listed
          {...{ list, state, file }}
          isFiltered={Object.keys(filters).length > 0}
          show={(rows, isStale) => (
            <DataTable label={words.table} columns={COLUMNS} keyOf={({ id }) => id} {...{ rows, isStale }} />
          )}
        />
      ) : (
        <Listed
          {...{ state, file }}
          list={single}
          isFiltered
          show={(rows, isStale) => (
            <DataTable label={words.table} columns={SINGLE} keyOf={({ id }) => id} {...{ rows, isStale }} />
          )}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<ChangeGroup>[] = [
  { name: words.when, show: ({ changedAt }) => <Moment iso={changedAt} /> },
  { name: words.what, show: (group) => <Entry group={group} />, isClear: true, isWide: true },
];
/** The columns of the page of a request. */
const SINGLE: readonly Column<NamedChange>[] = [
  { name: words.when, show: ({ changedAt }) => <Moment iso={changedAt} /> },
  { name: words.what, show: (change) => <SingleEntry change={change} />, isClear: true, isWide: true },
];

const bare = (text: string) => text.replace(/[\u2066-\u2069]/g, '');

/** The columns of the file, which has a row per change. */
const fileColumns = (locale: HistoryLocale): Column<NamedChange>[] => [
  { name: words.whenInFile, show: () => null, text: ({ changedAt }) => changedAt },
  { name: words.who, show: () => null, text: (change) => bare(actorText(change, locale)) },
  { name: words.what, show: () => null, text: (change) => bare(sentenceOf(change, locale)) },
];

function actorIdOf({ actor: { userId, keyId } }: NamedChange): string | undefined {
  return userId ?? keyId;
}

function nameOfPerson(changes: readonly NamedChange[], id: string, profile: Person): string | undefined {
  if (id === profile.id) return `${profile.firstName} ${profile.lastName}`;
  return changes.find((change) => change.userId === id)?.entityName ?? undefined;
}

function nameOfCompany(changes: readonly NamedChange[], id: string): string | undefined {
  return changes.map(({ names }) => names[id]).find((name) => typeof name === 'string') ?? undefined;
}

function nameOfThing(changes: readonly NamedChange[], id: string): string | undefined {
  return changes.find(({ entityId }) => entityId === id)?.entityName ?? undefined;
}

function crumbsOf(userId: string, companyId: string, name: string | undefined) {
  if (userId !== '') return [{ href: `/people/${userId}`, label: name ?? userId }];
  return companyId === '' ? [] : [{ href: `/companies/${companyId}`, label: name ?? companyId }];
}

/** The lists of entities without pages of their own. */
const LISTS: Partial<Record<NamedChange['entity'], PageName>> = {
  department: 'departments',
  band: 'bands',
  apiKey: 'keys',
};

/** Returns the breadcrumbs to the page above an object's history. */
function crumbsOfThing(entity: NamedChange['entity'], id: string, name = id) {
  const list = LISTS[entity];
  if (list !== undefined) return [{ href: `/${list}`, label: texts.pages[list] }];
  const href = ownPage(entity, id);
  return href === undefined ? [] : [{ href, label: name }];
}
