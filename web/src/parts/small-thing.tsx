import { Group, Text } from '@mantine/core';
import type { Client } from '../api/client.ts';
import type { Change } from '../api/types.ts';
import { isolated } from '../isolated.ts';
import { useSession } from '../session/session.tsx';
import { useChanged } from '../session/use-changes.ts';
import { companyTexts as words } from '../texts-company.ts';
import { pageTexts } from '../texts-pages.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { Copied } from './copied.tsx';
import { DialogButton } from './dialog-button.tsx';
import type { FormField, Sent, Typed } from './form-fields.ts';
import { HistoryLink } from './history-link.tsx';
import { tell } from './notices.tsx';
import { RecordForm } from './record-form.tsx';

/** How the things of a kind that a company has are added, changed and deleted in the list that they stand in. */
export interface SmallKind<Item extends { id: string; name: string }> {
  /** What the history calls it. */
  entity: Change['entity'];
  /** What adds one. */
  add: string;
  fields: readonly FormField[];
  typed: (item: Item) => Typed;
  create: (client: Client, body: Sent & { companyId: string }) => Promise<{ data: { name: string } }>;
  update: (client: Client, body: Sent & { id: string }) => Promise<unknown>;
  remove: (client: Client, id: string) => Promise<unknown>;
}

export function AddSmall<Item extends { id: string; name: string }>({
  kind,
  companyId,
}: {
  kind: SmallKind<Item>;
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
            tell('done', words.added(isolated(data.name)));
          }}
          done={close}
          cancel={close}
        />
      )}
    </DialogButton>
  );
}

export function ChangeSmall<Item extends { id: string; name: string }>({
  kind,
  item,
}: {
  kind: SmallKind<Item>;
  item: Item;
}) {
  const { client } = useSession();
  const changed = useChanged();
  const name = isolated(item.name);
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <DialogButton title={`${pageTexts.form.edit}: ${name}`} label={pageTexts.form.edit} size="xs">
        {(close) => (
          <RecordForm
            title={name}
            fields={kind.fields}
            first={kind.typed(item)}
            submit={pageTexts.form.save}
            save={async (changes) => {
              await kind.update(client, { id: item.id, ...changes });
              await changed();
              tell('done', words.saved(name));
            }}
            done={close}
            cancel={close}
          >
            <Text size="sm" c="dimmed">
              {pageTexts.form.id} <Copied text={item.id} label={pageTexts.form.id} />
            </Text>
            <HistoryLink entity={kind.entity} id={item.id} name={name} />
          </RecordForm>
        )}
      </DialogButton>
      <ConfirmButton
        title={`${pageTexts.form.remove}: ${name}`}
        label={pageTexts.form.remove}
        text={words.removeText}
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
