import { Anchor, NativeSelect, Text } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Change, Person } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { isolated } from '../isolated.ts';
import { Crumbs } from '../parts/crumbs.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { DownloadButton } from '../parts/download-button.tsx';
import { Listed } from '../parts/list-controls.tsx';
import { PageHead } from '../parts/states.tsx';
import { useListState } from '../parts/use-list-state.ts';
import { keepOwn, ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { readAll } from '../session/use-all.ts';
import { useCompanyNames } from '../session/use-company.ts';
import type { PageName } from '../shell/page-names.ts';
import { texts } from '../texts.ts';
import { historyTexts as words } from '../texts-history.ts';
import { fieldName, shownValue } from './history-values.ts';

const ENTITIES = Object.keys(words.entities) as Change['entity'][];

/** Names of people by their ids, where they are known. */
type Names = ReadonlyMap<string, string>;

/** The audit trail as people read it: all that the caller may see, of a person, a company, one kind of thing, or one thing. */
export function HistoryPage({ profile }: { profile: Person }) {
  const { client, userId: caller } = useSession();
  const state = useListState(25);
  const [userId, companyId] = [state.value('userId'), state.value('companyId')];
  const entity = ENTITIES.find((known) => known === state.value('entity'));
  const entityId = entity && state.value('entityId');
  const query = {
    ...{ page: state.page, limit: state.limit },
    ...(entity === undefined ? {} : { entity }),
    ...(entityId ? { entityId } : {}),
    ...(userId === '' ? {} : { userId }),
    ...(companyId === '' ? {} : { companyId }),
  };
  const list = useQuery({
    queryKey: ownKey(caller, 'history', query),
    queryFn: ({ signal }) => client.get('/api/audit/list', query, signal),
    placeholderData: keepOwn(caller),
  });
  const names = useNames(profile, userId, list.data?.data ?? []);
  const companies = useCompanyNames(profile);
  const companyName = companies.get(companyId);
  const columns = columnsFor(profile, names);
  const of = userId === '' ? companyName : (names.get(userId) ?? userId);
  const thing = entity && entityId ? (nameIn(list.data?.data ?? [], entityId) ?? words.entities[entity]) : of;
  const lead = thing === undefined ? words.lead : words.ofPerson(isolated(thing));
  return (
    <>
      <Crumbs of={entity && entityId ? crumbsOfThing(entity, entityId, thing) : crumbsOf(userId, companyId, of)} />
      <PageHead title={texts.pages.history} lead={lead}>
        <NativeSelect
          label={words.kind}
          data={[
            { value: '', label: words.kinds },
            ...ENTITIES.map((value) => ({ value, label: words.entities[value] })),
          ]}
          value={entity ?? ''}
          onChange={(event) => state.change({ entity: event.currentTarget.value, entityId: '' })}
        />
        {companies.size > 0 && (
          <NativeSelect
            label={words.company}
            data={[
              { value: '', label: words.everything },
              ...[...companies].map(([value, label]) => ({ value, label })),
            ]}
            value={companyId}
            onChange={(event) => state.change({ companyId: event.currentTarget.value })}
          />
        )}
        {(userId !== '' || companyId !== '' || entity !== undefined) && (
          <Anchor component={Link} href="/history">
            {words.all}
          </Anchor>
        )}
        <DownloadButton
          name="history"
          columns={columns}
          load={() => readAll((page, limit) => client.get('/api/audit/list', { ...query, page, limit }))}
        />
      </PageHead>
      <Listed
        list={list}
        state={state}
        isFiltered={entity !== undefined}
        show={(changes, isStale) => (
          <DataTable label={words.table} columns={columns} rows={changes} keyOf={({ id }) => id} isStale={isStale} />
        )}
      />
    </>
  );
}

function crumbsOf(userId: string, companyId: string, name: string | undefined) {
  if (userId !== '') return [{ href: `/people/${userId}`, label: name ?? userId }];
  return companyId === '' ? [] : [{ href: `/companies/${companyId}`, label: name ?? companyId }];
}

type Pages = Partial<Record<Change['entity'], PageName>>;
/** Below which page things have their own. */
const OWN_PAGES: Pages = { user: 'people', company: 'companies', approvalPolicy: 'policies', webhook: 'webhooks' };
/** Where things are listed that have none. */
const LISTS: Pages = { department: 'departments', band: 'bands', apiKey: 'keys' };

/** The page above the history of one thing. */
function crumbsOfThing(entity: Change['entity'], id: string, name = id) {
  const list = LISTS[entity];
  if (list !== undefined) return [{ href: `/${list}`, label: texts.pages[list] }];
  const href = ownPage(entity, id);
  return href === undefined ? [] : [{ href, label: name }];
}

function ownPage(entity: Change['entity'], id: string): string | undefined {
  return OWN_PAGES[entity] && `/${OWN_PAGES[entity]}/${encodeURIComponent(id)}`;
}

/** What a thing is called, or was, as far as the changes tell. */
function nameIn(changes: readonly Change[], id: string): string | undefined {
  const fields = changes.filter(({ entityId }) => entityId === id).flatMap((change) => change.changes);
  const named = fields.find(({ field }) => field === 'name' || field === 'url');
  return (named?.after ?? named?.before)?.toString();
}

/** The names of all people that the changes speak of, as far as the caller may know them. */
function useNames(profile: Person, userId: string, changes: readonly Change[]): Names {
  const { client, userId: caller } = useSession();
  const mentioned = [userId, ...changes.flatMap((change) => [change.userId, change.actor.userId])];
  const isResponsible = profile.companyRoles.some(({ role }) => role !== 'EMPLOYEE') || profile.systemRoleMap?.active;
  const ids = [...new Set(mentioned)].filter((id): id is string => !!id && id !== profile.id && !!isResponsible);
  const found = useQueries({
    queries: ids.map((id) => ({
      queryKey: ownKey(caller, 'person', id),
      queryFn: ({ signal }: { signal: AbortSignal }) => client.read('/api/users/get', { id }, signal),
      staleTime: 300_000,
      retry: false,
    })),
  });
  const own = [profile.id, `${profile.firstName} ${profile.lastName}`] as const;
  const others = found.flatMap(({ data }) =>
    data ? [[data.data.id, `${data.data.firstName} ${data.data.lastName}`] as const] : [],
  );
  return new Map([own, ...others]);
}

function columnsFor(profile: Person, names: Names): Column<Change>[] {
  return [
    { name: words.when, show: ({ changedAt }) => formatMoment(changedAt), text: ({ changedAt }) => changedAt },
    {
      name: words.who,
      show: ({ actor }) => whoOf(actor, profile, names),
      text: ({ actor: { kind, userId } }) => (userId === null ? words.actors[kind] : (names.get(userId) ?? userId)),
    },
    {
      name: words.what,
      show: (change) => <What change={change} names={names} />,
      text: ({ entity, action, userId, entityId }) =>
        `${words.entities[entity]} ${words.actions[action]}: ${names.get(userId ?? '') ?? userId ?? entityId}`,
    },
    {
      name: words.changes,
      show: ({ changes }) => <Values changes={changes} />,
      text: ({ changes }) => changes.map((change) => `${fieldName(change.field)}: ${valuesOf(change)}`).join('; '),
    },
  ];
}

function whoOf({ kind, userId }: Change['actor'], profile: Person, names: Names): ReactNode {
  if (userId === null) return words.actors[kind];
  if (userId === profile.id && kind === 'user') return words.you;
  return <bdi>{names.get(userId) ?? words.actors[kind]}</bdi>;
}

function What({ change, names }: { change: Change; names: Names }) {
  const { entity, entityId, action, userId } = change;
  const name = userId === null ? undefined : (names.get(userId) ?? userId);
  const href = hrefOf(change);
  return (
    <div>
      {words.entities[entity]} {words.actions[action]}
      {(name ?? href) !== undefined && ': '}
      {href === undefined ? (
        <bdi>{name}</bdi>
      ) : (
        <Anchor component={Link} href={href}>
          <bdi>{name ?? nameIn([change], entityId) ?? words.entities[entity]}</bdi>
        </Anchor>
      )}
    </div>
  );
}

/** The page of the person or the thing, unless it is gone. */
function hrefOf({ entity, action, userId, entityId }: Change): string | undefined {
  if (userId !== null) return ownPage('user', userId);
  return action === 'removed' ? undefined : ownPage(entity, entityId);
}

function valuesOf({ before, after, kept }: Change['changes'][number]): string {
  return kept ? `${shownValue(before)} → ${shownValue(after)}` : words.notKept;
}

function Values({ changes }: { changes: Change['changes'] }) {
  return (
    <div>
      {changes.map(({ field, before, after, kept }) => (
        <Text key={field} size="sm" component="div">
          {fieldName(field)}:{' '}
          {kept ? (
            <>
              <bdi>{shownValue(before)}</bdi> → <bdi>{shownValue(after)}</bdi>
            </>
          ) : (
            words.notKept
          )}
        </Text>
      ))}
    </div>
  );
}
