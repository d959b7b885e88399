import type { UseQueryResult } from '@tanstack/react-query';
import type { ChangeGroup, GroupsPage, NamedChange, Person, Query } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Crumbs, LinkButton } from '../parts/links.tsx';
import { Listed, type ListedProps } from '../parts/list-controls.tsx';
import { PageHead } from '../parts/states.tsx';
import { useListState } from '../parts/use-list-state.ts';
import { useMoney } from '../session/money.tsx';
import { readAll, useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { useCompanyNames } from '../session/use-company.ts';
import { t } from '../translate.ts';
import { listOf, ownPage, SUBJECT_LABELS } from './entity-pages.ts';
import { Entry, Moment, SingleEntry } from './history-entry.tsx';
import { filtersOf, HistoryFilters } from './history-filters.tsx';
import { actorText, type HistoryLocale, sentenceOf } from './history-sentences.ts';
import { historyLocale } from './history-values.ts';

/** Reads the audit trail with one item for all changes of a request or import. @param query undefined: nothing is read */
export function useGroups(query: Query<'/api/audit/list'> | undefined): UseQueryResult<GroupsPage> {
  const grouped = query && { ...query, group: 'request' as const };
  return useGet('/api/audit/list', grouped, {
    keepsPrevious: true,
  }) as UseQueryResult<object> as UseQueryResult<GroupsPage>;
}

/** The audit trail in sentences: all that the user may see, filtered by the address. One request per page. */
export function HistoryPage({ profile }: { profile: Person }) {
  const { client } = useSession();
  const state = useListState(50);
  const filters = filtersOf(state);
  const query = { page: state.page, limit: state.limit, ...filters };
  const { requestId } = filters;
  // A request has a page of its own, with its changes one by one.
  const list = useGroups(requestId === undefined ? query : undefined);
  const single = useGet('/api/audit/list', requestId === undefined ? undefined : query, { keepsPrevious: true });
  const subjects = list.data?.data.flatMap((group) => group.subjects) ?? [];
  const named = (id: string | undefined) => subjects.find((one) => one.id === id)?.name ?? undefined;
  const changes = single.data?.data ?? list.data?.data.map(({ main }) => main) ?? [];
  const { userId = '', companyId = '', actorId, entity, entityId } = filters;
  const companyName = useCompanyNames(profile).get(companyId) ?? nameOfCompany(changes, companyId) ?? named(companyId);
  const of = userId === '' ? companyName : (nameOfPerson(changes, userId, profile) ?? named(userId) ?? userId);
  const subject =
    entity && entityId ? (nameOfSubject(changes, entityId) ?? named(entityId) ?? SUBJECT_LABELS[entity]) : of;
  const actor = changes.find((change) => actorId !== undefined && actorIdOf(change) === actorId);
  const file = {
    name: 'history',
    columns: fileColumns(historyLocale(useMoney())),
    load: () => readAll(client, '/api/audit/list', filters),
  };
  const shared = { state, file, isFiltered: Object.keys(filters).length > 0 };
  const lead =
    requestId === undefined
      ? t('Who changed what, and when: newest first.')
      : t('All changes of one request or import, newest first.');
  return (
    <>
      <Crumbs of={entity && entityId ? crumbsOfEntity(entity, entityId, subject) : crumbsOf(userId, companyId, of)} />
      <PageHead
        title={t('History')}
        lead={subject === undefined ? lead : t('Changes to {name}, newest first.', { name: isolated(subject) })}
      >
        {shared.isFiltered && <LinkButton href="/history">{t('Show all changes')}</LinkButton>}
      </PageHead>
      <HistoryFilters profile={profile} actorName={actor?.actorName ?? undefined} />
      {requestId === undefined ? (
        <Changes list={list} columns={COLUMNS} {...shared} />
      ) : (
        <Changes list={single} columns={SINGLE} {...shared} />
      )}
    </>
  );
}

type ChangesProps<Item> = Pick<ListedProps<Item, NamedChange>, 'list' | 'state' | 'file' | 'isFiltered'> & {
  columns: readonly Column<Item>[];
};

function Changes<Item extends { id: string }>({ columns, ...listed }: ChangesProps<Item>) {
  return (
    <Listed {...listed} show={(rows, isStale) => <DataTable label={t('Changes')} {...{ columns, rows, isStale }} />} />
  );
}

const COLUMNS: readonly Column<ChangeGroup>[] = [
  { name: t('When'), show: ({ changedAt }) => <Moment iso={changedAt} /> },
  { name: t('What happened'), show: (group) => <Entry group={group} />, isClear: true, isWide: true },
];
/** The columns of the page of a request. */
const SINGLE: readonly Column<NamedChange>[] = [
  { name: t('When'), show: ({ changedAt }) => <Moment iso={changedAt} /> },
  { name: t('What happened'), show: (change) => <SingleEntry change={change} />, isClear: true, isWide: true },
];

const bare = (text: string) => text.replace(/[\u2066-\u2069]/g, '');

/** The columns of the file, which has a row per change. */
const fileColumns = (locale: HistoryLocale): Column<NamedChange>[] => [
  { name: t('When (UTC)'), show: () => null, text: ({ changedAt }) => changedAt },
  { name: t('Who'), show: () => null, text: (change) => bare(actorText(change)) },
  { name: t('What happened'), show: () => null, text: (change) => bare(sentenceOf(change, locale)) },
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

function nameOfSubject(changes: readonly NamedChange[], id: string): string | undefined {
  return changes.find(({ entityId }) => entityId === id)?.entityName ?? undefined;
}

function crumbsOf(userId: string, companyId: string, name: string | undefined) {
  if (userId !== '') return [{ href: `/people/${userId}`, label: name ?? userId }];
  return companyId === '' ? [] : [{ href: `/companies/${companyId}`, label: name ?? companyId }];
}

/** Returns the breadcrumbs to the page above an object's history. */
function crumbsOfEntity(entity: NamedChange['entity'], id: string, name = id) {
  const own = ownPage(entity, id);
  if (own !== undefined) return [{ href: own, label: name }];
  const list = listOf(entity);
  return list === undefined ? [] : [{ href: list.href, label: list.name }];
}
