import { Alert, Badge, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Body, Change, CompanyDetail, Pagination, Person } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { isolated } from '../isolated.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { actions, type Column } from '../parts/data-table.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import type { Typed } from '../parts/draft.ts';
import { Copied } from '../parts/facts.tsx';
import type { FormField } from '../parts/form-fields.ts';
import { HistoryLink, TextLink } from '../parts/links.tsx';
import { FormButton, RecordForm } from '../parts/record-form.tsx';
import { useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { useCompany } from '../session/use-company.ts';
import { administers } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { changedBy } from './changed-by.ts';

/** An object of a company that people belong to: a department or a band. */
interface CompanyResource {
  id: string;
  name: string;
  _count: { users: number };
}

/** How the objects of a kind are added, changed and deleted in their list. */
export interface ResourceKind<Item extends CompanyResource> {
  /** The parameter that filters the list of people by it. */
  filter: 'departmentId' | 'bandId';
  /** Returns the id of the company's default for new people. */
  defaultOf: (company: CompanyDetail) => string | null;
  /** Its entity in the audit trail. */
  entity: Change['entity'];
  title: string;
  lead: (company: string) => string;
  searchHint: string;
  /** Its part of the paths; also the name of the file of the list. */
  list: 'departments' | 'bands';
  /** The name of the first column, and those between it and the number of people. */
  name: string;
  columns: readonly Column<Item>[];
  /** Returns further columns, which are read from the company. */
  useMoreColumns?: (companyId: string | undefined) => readonly Column<Item>[];
  /** A note below the table. */
  note?: (companyId: string) => ReactNode;
  /** The page that shows them as a tree. */
  tree?: { href: string; label: string };
  /** The label of the button that adds one. */
  add: string;
  fields: readonly FormField[];
  /** Returns fields whose choices are read from the company. */
  useMoreFields?: (companyId: string, item: Item | undefined) => readonly FormField[];
  typed: (item: Item) => Typed;
}

/** A page of a list. */
interface Page<Item> {
  data: Item[];
  pagination: Pagination;
}

interface ResourcePageProps<Item extends CompanyResource> {
  kind: ResourceKind<Item>;
  profile: Person;
}

/** The list of a company's objects of a kind, with their numbers of people. */
export function ResourcePage<Item extends CompanyResource>({ kind, profile }: ResourcePageProps<Item>) {
  const { chosen } = useCompany(profile, false);
  const more = kind.useMoreColumns?.(chosen?.id) ?? [];
  const columnsFor = (companyId: string): Column<Item>[] => [
    {
      name: kind.name,
      show: (item) => <ResourceName {...{ item, companyId, kind }} />,
      text: (item) => item.name,
    },
    ...kind.columns,
    ...more,
    {
      name: t('People'),
      isFigure: true,
      show: (item) => <PeopleCount {...{ item, companyId, kind }} />,
      text: ({ _count }) => String(_count.users),
    },
    ...(administers(profile, companyId)
      ? [actions(t('Change'), (item: Item) => <ResourceActions {...{ item, companyId, kind }} />)]
      : []),
  ];
  return (
    <CompanyList<Item, { companyId: string }>
      {...{ profile, title: kind.title, lead: kind.lead }}
      actions={({ id }) => (
        <>
          {kind.tree && (
            <Button component={Link} href={`${kind.tree.href}?companyId=${id}`} variant="default" data-screen-only>
              {kind.tree.label}
            </Button>
          )}
          {administers(profile, id) && <AddResource kind={kind} companyId={id} />}
        </>
      )}
      list={({ id }) => ({
        kind: kind.list,
        searchHint: kind.searchHint,
        load: (client, query, signal) =>
          client.get(`/api/${kind.list}/list`, query, signal) as Promise<object> as Promise<Page<Item>>,
        label: kind.title,
        columns: columnsFor(id),
        file: kind.list,
        below: () => kind.note?.(id),
      })}
    />
  );
}

function AddResource<Item extends CompanyResource>({
  kind,
  companyId,
}: {
  kind: ResourceKind<Item>;
  companyId: string;
}) {
  const { client } = useSession();
  const more = kind.useMoreFields?.(companyId, undefined) ?? [];
  return (
    <FormButton
      title={kind.add}
      variant="filled"
      fields={[...kind.fields, ...more]}
      first={{}}
      save={(typed, key) =>
        client.post(`/api/${kind.list}/create`, { ...typed, companyId } as Body<'/api/departments/create'>, { key })
      }
      saved={({ data }) => t('{name} added.', { name: isolated(data.name) })}
    />
  );
}

interface ResourceProps<Item extends CompanyResource> {
  kind: ResourceKind<Item>;
  item: Item;
  companyId: string;
}

function ResourceActions<Item extends CompanyResource>({ kind, item, companyId }: ResourceProps<Item>) {
  const { client } = useSession();
  const isDefault = useDefault(kind, companyId) === item.id;
  const name = isolated(item.name);
  const count = item._count.users;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <DialogButton title={`${t('Edit')}: ${name}`} label={t('Edit')} size="xs">
        {(close) => <EditResource {...{ kind, item, companyId, name, close }} />}
      </DialogButton>
      <ConfirmButton
        title={`${t('Delete')}: ${name}`}
        label={t('Delete')}
        text={t('It is deleted for good. What has people in it, or is the company’s default, cannot be deleted.')}
        details={
          <>
            {count > 0 && (
              <Obstacle
                text={t(
                  '{count, plural, one {One person is in it. Move them first.} other {# people are in it. Move them first.}}',
                  { count },
                )}
                href={peopleOf(companyId, kind.filter, item.id)}
                label={t('Show these people')}
              />
            )}
            {isDefault && (
              <Obstacle
                text={t('New people belong to it, as it is the company’s default.')}
                href={`/companies/${companyId}`}
                label={t('Choose another default')}
              />
            )}
          </>
        }
        isPossible={count === 0 && !isDefault}
        done={t('{name} deleted.', { name })}
        run={() => client.post(`/api/${kind.list}/delete`, { id: item.id })}
        color="red"
        size="xs"
      />
    </Group>
  );
}

interface EditResourceProps<Item extends CompanyResource> extends ResourceProps<Item> {
  name: string;
  close: () => void;
}

/** The form that updates one. It reads the version first, as the list has none, to detect concurrent changes. */
function EditResource<Item extends CompanyResource>({ kind, item, companyId, name, close }: EditResourceProps<Item>) {
  const { client } = useSession();
  const more = kind.useMoreFields?.(companyId, item) ?? [];
  const found = useGet(`/api/${kind.list}/get`, { id: item.id }, { staleTime: 0 });
  const read = found.data as { data: object; version: string } | undefined;
  return (
    <RecordForm
      title={name}
      fields={[...kind.fields, ...more]}
      first={kind.typed((read?.data as Item | undefined) ?? item)}
      submit={t('Save')}
      save={(changes) =>
        client.post(`/api/${kind.list}/update`, { id: item.id, ...changes }, { version: read?.version })
      }
      changedBy={() => changedBy(client, kind.entity, item.id)}
      saved={() => t('{name} saved.', { name })}
      close={close}
    >
      <Text size="sm">
        {t('{count, plural, one {It applies to one person.} other {It applies to # people.}}', {
          count: item._count.users,
        })}
      </Text>
      <Text size="sm" c="dimmed">
        {t('ID')} <Copied text={item.id} label={t('ID')} />
      </Text>
      <HistoryLink entity={kind.entity} id={item.id} name={name} />
    </RecordForm>
  );
}

function peopleOf(companyId: string, filter: string, id: string): string {
  return `/people?${new URLSearchParams({ companyId, [filter]: id })}`;
}

/** The number of its people, as a link to them. */
function PeopleCount<Item extends CompanyResource>({ kind, item, companyId }: ResourceProps<Item>) {
  const count = formatCount(item._count.users);
  if (item._count.users === 0) return count;
  return <TextLink href={peopleOf(companyId, kind.filter, item.id)}>{count}</TextLink>;
}

function useDefault<Item extends CompanyResource>(
  kind: ResourceKind<Item>,
  companyId: string,
): string | null | undefined {
  const found = useGet('/api/companies/get', { id: companyId });
  return found.data && kind.defaultOf(found.data.data);
}

/** Its name, marked if it is the default for new people. */
function ResourceName<Item extends CompanyResource>({ kind, item, companyId }: ResourceProps<Item>) {
  const isDefault = useDefault(kind, companyId) === item.id;
  return (
    <>
      <Text fw={600} component="span" mr={8}>
        <bdi>{item.name}</bdi>
      </Text>
      {isDefault && <Badge color="gray">{t('Default')}</Badge>}
    </>
  );
}

/** Explains beforehand why it cannot be deleted, and leads to what can be done. */
function Obstacle({ text, href, label }: { text: string; href: string; label: string }) {
  return (
    <Alert color="yellow" role="note">
      {text}{' '}
      <TextLink href={href} underline="always">
        {label}
      </TextLink>
    </Alert>
  );
}
