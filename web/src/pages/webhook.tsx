import { Stack } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Webhook } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { RecordPage } from '../parts/company-page.tsx';
import { ChangeButton, ConfirmButton, OnOffButton } from '../parts/confirm-button.tsx';
import { DialogButton, ShownOnce } from '../parts/dialog.tsx';
import { Copied, Facts } from '../parts/facts.tsx';
import { CompanyLink, HistoryButton } from '../parts/links.tsx';
import { ActButton } from '../parts/notices.tsx';
import { PageHead } from '../parts/states.tsx';
import { useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../translate.ts';
import { Deliveries } from './webhook-deliveries.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { entityNames, WebhookState } from './webhooks.tsx';

const CRUMBS = [{ href: '/webhooks', label: t('Webhooks') }];

/** The page of a webhook: its settings and its deliveries. */
export function WebhookPage({ id }: { id: string }) {
  return (
    <RecordPage found={useGet('/api/webhooks/get', { id })} crumbs={CRUMBS}>
      {(webhook) => <Shown webhook={webhook} />}
    </RecordPage>
  );
}

function Shown({ webhook }: { webhook: Webhook }) {
  const { id, url, companyId, entities, fields, headerNames, createdAt, description } = webhook;
  return (
    <Stack>
      <PageHead title={url} lead={<bdi>{description}</bdi>}>
        <HistoryButton query={{ entity: 'webhook', entityId: id }} />
        <Actions webhook={webhook} />
      </PageHead>
      <Facts
        title={t('Settings')}
        facts={[
          [t('Status'), <WebhookState key="state" of={webhook} />],
          [t('Company'), <CompanyLink key="company" id={companyId} />],
          [t('Events'), entityNames(entities)],
          [t('Fields'), fields?.join(', ') ?? t('All')],
          [t('Own headers'), headerNames?.join(', ') ?? t('None')],
          [t('Added'), formatMoment(createdAt)],
          [t('Webhook id'), <Copied key="id" text={id} label={t('Webhook id')} />],
        ]}
      />
      <Deliveries webhook={webhook} />
    </Stack>
  );
}

function Actions({ webhook }: { webhook: Webhook }) {
  const { client } = useSession();
  const [, navigate] = useLocation();
  const { id, active } = webhook;
  return (
    <>
      <DialogButton title={t('Edit')} variant="filled">
        {(close) => <WebhookForm webhook={webhook} companyId="" close={close} />}
      </DialogButton>
      <ChangeButton
        run={() => client.post('/api/webhooks/test', { id })}
        said={t('Test sent. See Deliveries for the answer.')}
      >
        {t('Send a test')}
      </ChangeButton>
      <DialogButton title={t('Roll secret')}>{(close) => <Rotate id={id} close={close} />}</DialogButton>
      <OnOffButton
        isOn={active}
        off={{
          title: t('Switch off'),
          text: t('Nothing is sent until it is switched on again.'),
          done: t('Webhook switched off.'),
        }}
        on={{
          title: t('Switch on again'),
          text: t('Delivery resumes where it stopped.'),
          done: t('Webhook switched on.'),
        }}
        set={(isOn) => client.post('/api/webhooks/update', { id, active: isOn })}
        of={{ entity: 'webhook', entityId: id }}
      />
      <ConfirmButton
        title={t('Delete')}
        text={t('It is deleted with its deliveries, and nothing is sent any more.')}
        done={t('Webhook deleted.')}
        run={async () => {
          await client.post('/api/webhooks/delete', { id });
          navigate('/webhooks');
        }}
        color="red"
      />
    </>
  );
}

function Rotate({ id, close }: { id: string; close: () => void }) {
  const { client } = useSession();
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) return <ShownOnce label={t('Secret')} secret={secret} close={close} />;
  return (
    <Stack>
      {t('The new one signs from now on. The old one goes on signing beside it for 24 hours.')}
      <ActButton
        variant="filled"
        run={() => client.post('/api/webhooks/rotate-secret', { id })}
        done={({ data }) => setSecret(data.secret)}
      >
        {t('Roll secret')}
      </ActButton>
    </Stack>
  );
}
