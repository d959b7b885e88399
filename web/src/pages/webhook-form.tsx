import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Body, Webhook } from '../api/types.ts';
import { ShownOnce } from '../parts/dialog.tsx';
import { Choices } from '../parts/form-field.tsx';
import type { FormField, Sent } from '../parts/form-fields.ts';
import { notify } from '../parts/notices.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';
import { SUBJECT_LABELS } from './entity-pages.ts';
import { ACTIONS } from './history-sentences.ts';

type Entity = NonNullable<Webhook['entities']>[number];

/** The actions of which a webhook can choose. */
const WEBHOOK_ACTIONS = {
  added: ACTIONS.added,
  changed: ACTIONS.changed,
  removed: ACTIONS.removed,
  erased: ACTIONS.erased,
};
type Action = keyof typeof WEBHOOK_ACTIONS;

const FIELDS: readonly FormField[] = [
  { name: 'url', label: t('URL'), hint: t('https://'), isRequired: true },
  { name: 'description', label: t('Description'), isNullable: true },
  {
    name: 'fields',
    label: t('Fields'),
    hint: t('Names as in the API, separated by spaces; empty: changes of any field.'),
    mayBeEmpty: true,
  },
  {
    name: 'headers',
    label: t('Own headers'),
    hint: t('Such as {example}, separated by semicolons. They replace those that are there, and are not shown again.', {
      example: 'X-Team: travel',
    }),
  },
];

/** Reads headers as they are typed: `name: value; name: value`. */
function headersOf(typed: string): Record<string, string> {
  const lines = typed.split(';').map((line) => line.trim());
  return Object.fromEntries(
    lines.filter(Boolean).map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.trim(), value.join(':').trim()];
    }),
  );
}

interface WebhookFormProps {
  /** Undefined: the form adds one. */
  webhook: Webhook | undefined;
  /** Empty: changes of all companies are delivered. */
  companyId: string;
  close: () => void;
}

/** Adds a webhook, whose secret is displayed once, or changes one. */
export function WebhookForm({ webhook, companyId, close }: WebhookFormProps) {
  const { client } = useSession();
  const [, navigate] = useLocation();
  const first = webhook?.entities ?? [];
  const [entities, setEntities] = useState<readonly Entity[]>(first);
  const firstActions = (webhook?.actions ?? []) as readonly Action[];
  const [actions, setActions] = useState(firstActions);
  const [made, setMade] = useState<{ id: string; secret: string }>();
  if (made) {
    return <ShownOnce label={t('Secret')} secret={made.secret} close={() => navigate(`/webhooks/${made.id}`)} />;
  }
  const isChanged = entities.join() !== first.join() || actions.join() !== firstActions.join();
  const orAll = <Value,>(chosen: readonly Value[]) => (chosen.length === 0 ? null : [...chosen]);
  const save = async ({ fields, headers, ...typed }: Sent, key: string) => {
    const names = fields === undefined ? undefined : orAll(String(fields).split(/\s+/).filter(Boolean));
    const body = {
      ...typed,
      ...(names === undefined ? {} : { fields: names }),
      ...(headers ? { headers: headersOf(String(headers)) } : {}),
      ...(isChanged ? { entities: orAll(entities), actions: orAll(actions) } : {}),
    };
    if (webhook) await client.post('/api/webhooks/update', { id: webhook.id, ...body });
    if (webhook) return undefined;
    const given = { ...(companyId === '' ? {} : { companyId }), ...body } as Body<'/api/webhooks/create'>;
    return (await client.post('/api/webhooks/create', given, { key })).data;
  };
  return (
    <RecordForm
      title={webhook?.url ?? t('Add a webhook')}
      fields={FIELDS}
      first={
        webhook
          ? { url: webhook.url, description: webhook.description ?? '', fields: webhook.fields?.join(' ') ?? '' }
          : {}
      }
      submit={webhook ? t('Save') : t('Add a webhook')}
      save={save}
      done={(added) => {
        setMade(added);
        if (added) return;
        close();
        notify('done', t('Webhook saved.'));
      }}
      close={close}
      extra={{ isChanged, problem: undefined }}
    >
      <Choices
        title={t('Events')}
        hint={t('All events if none is selected.')}
        names={SUBJECT_LABELS}
        chosen={entities}
        choose={setEntities}
      />
      <Choices
        title={t('Actions')}
        hint={t('All actions if none is selected.')}
        names={WEBHOOK_ACTIONS}
        chosen={actions}
        choose={setActions}
      />
    </RecordForm>
  );
}
