import { Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Body, Change, CompanyDetail, Department, Person } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { isolated } from '../isolated.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { actions, type Column } from '../parts/data-table.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import type { Typed } from '../parts/draft.ts';
import { Copied } from '../parts/facts.tsx';
import { type FormField, nested, typedOf } from '../parts/form-fields.ts';
import { HistoryLink, LinkButton, TextLink } from '../parts/links.tsx';
import { OwnFilters, ownColumns, ownDefaults, ownForm, useOwnFields, useOwnFilters } from '../parts/own-fields.tsx';
import { FormButton, RecordForm } from '../parts/record-form.tsx';
import { Dimmed, Note } from '../parts/text.tsx';
import { useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { useCompany } from '../session/use-company.ts';
import { administers } from '../session/use-profile.ts';
import { t } from '../translate.ts';
import { changedBy } from './changed-by.ts';

/** An object of a company. */
export interface CompanyResource {
  id: string;
  /** null: of the platform. */
  companyId?: string | null;
}

/** How the objects of a kind are listed, added, changed and deleted. */
export interface ResourceKind<Item extends CompanyResource> {
  /** Its entity in the audit trail. */
  entity: string;
  title: string;
  lead: (company: string) => string;
  /** Absent: the list cannot be searched. */
  searchHint?: string;
  /** Its part of the paths; also the name of the file of the list. */
  list: string;
  nameOf: (item: Item) => string;
  /** The columns, from the company; `isAdmin` of the caller adds one of what can be done. */
  useColumns: (companyId: string | undefined) => readonly Column<Item>[];
  /** The fields of the form; some have choices that are read from the company. @param item absent: the form adds one */
  useFields: (companyId: string, item: Item | undefined) => readonly FormField[];
  /** The label of the button that adds one. */
  add: string;
  /** The values of a form that adds one. */
  first?: Typed;
  /** See {@link RecordForm}. */
  confirm?: (typed: Typed, id?: string) => string | undefined;
  /** What the form says about the typed values. @param id of the object; absent: the form adds one */
  hint?: (typed: Typed, id?: string) => string | undefined;
  /** What deletion does. */
  removeText: string;
  /** People belong to it, which hinders deletion. */
  people?: PeopleOf<Item>;
  /** A note below the table. */
  note?: (companyId: string) => ReactNode;
  /** The page that shows them as a tree. */
  tree?: { href: string; label: string };
}

/** How people belong to the objects of a kind. */
export interface PeopleOf<Item> {
  /** The parameter that filters the list of people by it. */
  filter: 'departmentId' | 'bandId';
  count: (item: Item) => number;
  /** Returns the id of the company's default for new people. */
  defaultOf: (company: CompanyDetail) => string | null;
}

interface ResourcePageProps<Item extends CompanyResource> {
  kind: ResourceKind<Item>;
  profile: Person;
}

/** The list of a company's objects of a kind. */
export function ResourcePage<Item extends CompanyResource>({ kind, profile }: ResourcePageProps<Item>) {
  const { chosen } = useCompany(profile, false);
  const own = useOwnFields(kind.entity, chosen?.id);
  const columns = [...kind.useColumns(chosen?.id), ...ownColumns<Item>(own)];
  const include = own.read.length > 0 ? { include: 'fields' as const } : {};
  const filters = useOwnFilters(own);
  return (
    <CompanyList
      path={pathOf(kind, 'list')}
      {...{ profile, title: kind.title, lead: kind.lead }}
      actions={({ id }) => (
        <>
          {kind.tree && <LinkButton href={`${kind.tree.href}?companyId=${id}`}>{kind.tree.label}</LinkButton>}
          {administers(profile, id) && <AddResource kind={kind} companyId={id} />}
        </>
      )}
      list={({ id }) => ({
        of: include,
        ...(kind.searchHint === undefined ? {} : { searchHint: kind.searchHint }),
        filters,
        ...(own.read.some(({ inList }) => inList) && { controls: <OwnFilters own={own} /> }),
        // Of any kind, by the path of departments.
        columns: (administers(profile, id)
          ? [...columns, resourceActions(kind, id)]
          : columns) as object as Column<Department>[],
        file: kind.list,
        below: () => kind.note?.(id),
      })}
    />
  );
}

/** The paths of all kinds are alike: that of one stands for them. */
function pathOf<Act extends 'list' | 'get' | 'create' | 'update' | 'delete'>({ list }: { list: string }, act: Act) {
  return `/api/${list}/${act}` as `/api/departments/${Act}`;
}

/** Returns the column of what can be done with an object. */
export function resourceActions<Item extends CompanyResource>(
  kind: ResourceKind<Item>,
  companyId: string,
): Column<Item> {
  return actions(t('Change'), (item) =>
    item.companyId === null ? (
      <Text size="sm">{t('of the platform')}</Text>
    ) : (
      <ResourceActions {...{ item, companyId, kind }} />
    ),
  );
}

interface AddResourceProps<Item extends CompanyResource> {
  kind: ResourceKind<Item>;
  companyId: string;
  /** Values that are not asked for, of a button in a table with this label and title. */
  given?: { label: string; title: string; values: Readonly<Record<string, string>> };
}

export function AddResource<Item extends CompanyResource>({ kind, companyId, given }: AddResourceProps<Item>) {
  const { client } = useSession();
  const own = useOwnFields(kind.entity, companyId);
  const fields = [...kind.useFields(companyId, undefined), ...ownForm(own)];
  return (
    <FormButton
      {...(given ? { label: given.label, title: given.title, size: 'xs' } : { title: kind.add, variant: 'filled' })}
      fields={fields.filter(({ name }) => given?.values[name] === undefined)}
      first={{ ...kind.first, ...ownDefaults(own) }}
      submit={kind.add}
      confirm={(typed) => kind.confirm?.({ ...typed, ...given?.values })}
      save={(typed, key) =>
        client.post(
          pathOf(kind, 'create'),
          { ...given?.values, ...nested(typed), companyId } as Body<'/api/departments/create'>,
          { key },
        )
      }
      saved={({ data }) => t('{name} added.', { name: isolated(kind.nameOf(data as object as Item)) })}
    >
      {(typed) => <Hint text={kind.hint?.({ ...typed, ...given?.values })} />}
    </FormButton>
  );
}

interface ResourceProps<Item extends CompanyResource> {
  kind: ResourceKind<Item>;
  item: Item;
  companyId: string;
}

export function ResourceActions<Item extends CompanyResource>({ kind, item, companyId }: ResourceProps<Item>) {
  const { client } = useSession();
  const isDefault = useDefault(kind.people, companyId) === item.id;
  const name = isolated(kind.nameOf(item));
  const count = kind.people?.count(item) ?? 0;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <DialogButton title={t('Edit')} of={name} size="xs">
        {(close) => <EditResource {...{ kind, item, companyId, name, close }} />}
      </DialogButton>
      <ConfirmButton
        title={t('Delete')}
        of={name}
        text={kind.removeText}
        details={
          <>
            {kind.people && count > 0 && (
              <Obstacle
                text={t(
                  '{count, plural, one {One person is in it. Move them first.} other {# people are in it. Move them first.}}',
                  { count },
                )}
                href={peopleOf(companyId, kind.people.filter, item.id)}
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
        run={() => client.post(pathOf(kind, 'delete'), { id: item.id })}
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
  const own = useOwnFields(kind.entity, companyId);
  const fields = [...kind.useFields(companyId, item), ...ownForm(own)];
  const found = useGet(pathOf(kind, 'get'), { id: item.id }, { staleTime: 0 });
  const entity = kind.entity as Change['entity'];
  return (
    <RecordForm
      title={name}
      fields={fields}
      first={typedOf(fields, found.data?.data ?? item)}
      submit={t('Save')}
      save={(changes) =>
        client.post(pathOf(kind, 'update'), { id: item.id, ...nested(changes) }, { version: found.data?.version })
      }
      changedBy={() => changedBy(client, entity, item.id)}
      saved={() => t('{name} saved.', { name })}
      close={close}
      confirm={(typed) => kind.confirm?.(typed, item.id)}
    >
      {(typed) => (
        <>
          <Hint text={kind.hint?.(typed, item.id)} />
          {kind.people && (
            <Text size="sm">
              {t('{count, plural, one {It applies to one person.} other {It applies to # people.}}', {
                count: kind.people.count(item),
              })}
            </Text>
          )}
          <Dimmed>
            {t('ID')} <Copied text={item.id} label={t('ID')} />
          </Dimmed>
          <HistoryLink entity={entity} id={item.id} name={name} />
        </>
      )}
    </RecordForm>
  );
}

function Hint({ text }: { text: string | undefined }) {
  return text !== undefined && <Note>{text}</Note>;
}

function peopleOf(companyId: string, filter: string, id: string): string {
  return `/people?${new URLSearchParams({ companyId, [filter]: id })}`;
}

/** Returns the column of the name of objects to which people belong, marked if it is the default for new ones, and that of their number. */
export function peopleColumns<Item extends CompanyResource & { name: string }>(
  name: string,
  companyId: string,
  people: PeopleOf<Item>,
): [Column<Item>, Column<Item>] {
  return [
    {
      name,
      show: (item) => <ResourceName {...{ item, companyId, people }} />,
      text: (item) => item.name,
    },
    {
      name: t('People'),
      isFigure: true,
      show: (item) => {
        const text = formatCount(people.count(item));
        if (people.count(item) === 0) return text;
        return <TextLink href={peopleOf(companyId, people.filter, item.id)}>{text}</TextLink>;
      },
      text: (item) => String(people.count(item)),
    },
  ];
}

interface ResourceNameProps<Item> {
  item: Item;
  companyId: string;
  people: PeopleOf<Item>;
}

function ResourceName<Item extends CompanyResource & { name: string }>({
  item,
  companyId,
  people,
}: ResourceNameProps<Item>) {
  return (
    <>
      <Text fw={600} component="span" me={8}>
        <bdi>{item.name}</bdi>
      </Text>
      {useDefault(people, companyId) === item.id && <Badge color="gray">{t('Default')}</Badge>}
    </>
  );
}

/** Returns the id of the company's default; undefined if it is not known, or the kind has none. */
function useDefault<Item>(people: PeopleOf<Item> | undefined, companyId: string): string | null | undefined {
  const found = useGet('/api/companies/get', people && { id: companyId });
  return found.data && people?.defaultOf(found.data.data);
}

/** Explains beforehand why it cannot be deleted, and leads to what can be done. */
function Obstacle({ text, href, label }: { text: string; href: string; label: string }) {
  return (
    <Note>
      {text}{' '}
      <TextLink href={href} underline="always">
        {label}
      </TextLink>
    </Note>
  );
}
