import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Body, Webhook } from '../api/types.ts';
import { ENTITY_LABELS } from '../labels.ts';
import { ShownOnce } from '../parts/dialog.tsx';
import { Choices } from '../parts/form-field.tsx';
import type { FormField } from '../parts/form-fields.ts';
import { notify } from '../parts/notices.tsx';
import { RecordForm } from '../parts/record-form.tsx';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';

type Entity = NonNullable<Webhook['entities']>[number];

const FIELDS: readonly FormField[] = [
  { name: 'url', label: t('URL'), hint: t('https://'), isRequired: true },
  { name: 'description', label: t('Description'), isNullable: true },
];

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
  const [made, setMade] = useState<{ id: string; secret: string }>();
  if (made) {
    return <ShownOnce label={t('Secret')} secret={made.secret} close={() => navigate(`/webhooks/${made.id}`)} />;
  }
  const isChanged = entities.join() !== first.join();
  const save = async (typed: object, key: string) => {
    const body = { ...typed, ...(isChanged ? { entities: entities.length === 0 ? null : [...entities] } : {}) };
    if (webhook) await client.post('/api/webhooks/update', { id: webhook.id, ...body });
    if (webhook) return undefined;
    const given = { ...(companyId === '' ? {} : { companyId }), ...body } as Body<'/api/webhooks/create'>;
    return (await client.post('/api/webhooks/create', given, { key })).data;
  };
  return (
    <RecordForm
      title={webhook?.url ?? t('Add a webhook')}
      fields={FIELDS}
      first={webhook ? { url: webhook.url, description: webhook.description ?? '' } : {}}
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
        names={ENTITY_LABELS}
        chosen={entities}
        choose={setEntities}
      />
    </RecordForm>
  );
}
