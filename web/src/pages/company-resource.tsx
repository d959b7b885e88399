import { Alert, Anchor, Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Client } from '../api/client.ts';
import type { Change, CompanyDetail } from '../api/types.ts';
import { formatCount } from '../format.ts';
import { isolated } from '../isolated.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Copied } from '../parts/copied.tsx';
import { DialogButton } from '../parts/dialog-button.tsx';
import type { FormField, Sent } from '../parts/form-fields.ts';
import { HistoryLink } from '../parts/history-link.tsx';
import type { Typed } from '../parts/merge-typed.ts';
import { notify } from '../parts/notices.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { ownKey } from '../session/query-keys.ts';
import { useSession } from '../session/session.tsx';
import { useChanged } from '../session/use-changes.ts';
import { companyQuery } from '../session/use-company.ts';
import { pageTexts, companyTexts as words } from '../texts.ts';
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
  /** The label of the button that adds one. */
  add: string;
  fields: readonly FormField[];
  typed: (item: Item) => Typed;
  create: (client: Client, body: Sent & { companyId: string }) => Promise<{ data: { name: string } }>;
  /** Reads one together with its version. */
  read: (client: Client, id: string, signal: AbortSignal) => Promise<{ data: Item; version: string }>;
  update: (client: Client, body: Sent & { id: string }, version: string | undefined) => Promise<unknown>;
  remove: (client: Client, id: string) => Promise<unknown>;
}

export function AddResource<Item extends CompanyResource>({
  kind,
  companyId,
}: {
  kind: ResourceKind<Item>;
  companyId: string;
}) {
  const { client } = useSession();
  const changed = useChanged();
  return (
    <DialogButton title={kind.add} variant="filled">
      {(close) => (
        <RecordForm
          title={kind.add}
          fields={kind.fields}
          first={{}}
          submit={kind.add}
          save={async (typed) => {
            const { data } = await kind.create(client, { ...typed, companyId });
            await changed();
            notify('done', words.added(isolated(data.name)));
          }}
          done={close}
          cancel={close}
        />
      )}
    </DialogButton>
  );
}

interface ResourceProps<Item extends CompanyResource> {
  kind: ResourceKind<Item>;
  item: Item;
  companyId: string;
}

export function ResourceActions<Item extends CompanyResource>({ kind, item, companyId }: ResourceProps<Item>) {
  const { client } = useSession();
  const changed = useChanged();
  const isDefault = useDefault(kind, companyId) === item.id;
  const name = isolated(item.name);
  const count = item._count.users;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <DialogButton title={`${pageTexts.form.edit}: ${name}`} label={pageTexts.form.edit} size="xs">
        {(close) => <EditResource {...{ kind, item, name, close }} />}
      </DialogButton>
      <ConfirmButton
        title={`${pageTexts.form.remove}: ${name}`}
        label={pageTexts.form.remove}
        text={words.removeText}
        details={
          <>
            {count > 0 && <InUse count={count} href={peopleOf(companyId, kind.filter, item.id)} />}
            {isDefault && <IsDefault companyId={companyId} />}
          </>
        }
        isPossible={count === 0 && !isDefault}
        done={words.removed(name)}
        run={async () => {
          await kind.remove(client, item.id);
          await changed();
        }}
        color="red"
        size="xs"
      />
    </Group>
  );
}

interface EditResourceProps<Item extends CompanyResource> {
  kind: ResourceKind<Item>;
  item: Item;
  name: string;
  close: () => void;
}

/** The form that updates one. It reads the version first, as the list has none, to detect concurrent changes. */
function EditResource<Item extends CompanyResource>({ kind, item, name, close }: EditResourceProps<Item>) {
  const { client, userId } = useSession();
  const changed = useChanged();
  const found = useQuery({
    queryKey: ownKey(userId, kind.entity, item.id),
    queryFn: ({ signal }) => kind.read(client, item.id, signal),
    staleTime: 0,
  });
  return (
    <RecordForm
      title={name}
      fields={kind.fields}
      first={kind.typed(found.data?.data ?? item)}
      submit={pageTexts.form.save}
      save={async (changes) => {
        await kind.update(client, { id: item.id, ...changes }, found.data?.version);
        await changed();
        notify('done', words.saved(name));
      }}
      changedBy={() => changedBy(client, kind.entity, item.id)}
      done={close}
      cancel={close}
    >
      <Text size="sm" c="dimmed">
        {pageTexts.form.id} <Copied text={item.id} label={pageTexts.form.id} />
      </Text>
      <HistoryLink entity={kind.entity} id={item.id} name={name} />
    </RecordForm>
  );
}

function peopleOf(companyId: string, filter: string, id: string): string {
  return `/people?${new URLSearchParams({ companyId, [filter]: id })}`;
}

/** The number of its people, as a link to them. */
export function PeopleCount({
  kind,
  item,
  companyId,
}: {
  kind: { filter: string };
  item: CompanyResource;
  companyId: string;
}) {
  const count = formatCount(item._count.users);
  if (item._count.users === 0) return count;
  return (
    <Anchor component={Link} href={peopleOf(companyId, kind.filter, item.id)} inherit>
      {count}
    </Anchor>
  );
}

function useDefault<Item extends CompanyResource>(
  kind: ResourceKind<Item>,
  companyId: string,
): string | null | undefined {
  const { client, userId } = useSession();
  const found = useQuery(companyQuery(client, userId, companyId));
  return found.data && kind.defaultOf(found.data.data);
}

/** Its name, marked if it is the default for new people. */
export function ResourceName<Item extends CompanyResource>({ kind, item, companyId }: ResourceProps<Item>) {
  const isDefault = useDefault(kind, companyId) === item.id;
  return (
    <>
      <Text fw={600} component="span" mr={8}>
        <bdi>{item.name}</bdi>
      </Text>
      {isDefault && (
        <Badge variant="light" color="gray" miw="max-content">
          {words.isDefault}
        </Badge>
      )}
    </>
  );
}

/** Explains beforehand that the company's default cannot be deleted, and that the default can be changed. */
function IsDefault({ companyId }: { companyId: string }) {
  return (
    <Alert color="yellow" role="note">
      {words.defaultInUse}{' '}
      <Anchor component={Link} href={`/companies/${companyId}`} inherit underline="always">
        {words.chooseDefault}
      </Anchor>
    </Alert>
  );
}

/** Explains beforehand why it cannot be deleted. */
function InUse({ count, href }: { count: number; href: string }) {
  return (
    <Alert color="yellow" role="note">
      {words.inUse(count)}{' '}
      <Anchor component={Link} href={href} inherit underline="always">
        {words.showPeople}
      </Anchor>
    </Alert>
  );
}
