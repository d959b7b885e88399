import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Webhook } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { RecordPage } from '../parts/company-page.tsx';
import { ConfirmButton, OnOffButton } from '../parts/confirm-button.tsx';
import { DialogButton, ShownOnce } from '../parts/dialog.tsx';
import { Copied, Facts } from '../parts/facts.tsx';
import { CompanyLink, HistoryButton } from '../parts/links.tsx';
import { notify, useAct } from '../parts/notices.tsx';
import { PageHead } from '../parts/states.tsx';
import { useChanged, useGet } from '../session/queries.ts';
import { useSession } from '../session/session.tsx';
import { pageTexts, texts, webhookTexts as words } from '../texts.ts';
import { Deliveries } from './webhook-deliveries.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { entityNames, WebhookState } from './webhooks.tsx';

const CRUMBS = [{ href: '/webhooks', label: texts.pages.webhooks }];

/** The page of a webhook: its settings and its deliveries. */
export function WebhookPage({ id }: { id: string }) {
  return (
    <RecordPage found={useGet('/api/webhooks/get', { id })} crumbs={CRUMBS}>
      {(webhook) => <Shown webhook={webhook} />}
    </RecordPage>
  );
}

function Shown({ webhook }: { webhook: Webhook }) {
  const { id, url, companyId, entities, createdAt, description } = webhook;
  return (
    <Stack>
      <PageHead title={url} lead={<bdi>{description}</bdi>}>
        <HistoryButton query={{ entity: 'webhook', entityId: id }} />
        <Actions webhook={webhook} />
      </PageHead>
      <Facts
        title={words.settings}
        facts={[
          [words.state, <WebhookState key="state" of={webhook} />],
          [pageTexts.lists.company, <CompanyLink key="company" id={companyId} />],
          [words.entities, entityNames(entities)],
          [words.created, formatMoment(createdAt)],
          [words.id, <Copied key="id" text={id} label={words.id} />],
        ]}
      />
      <Deliveries webhook={webhook} />
    </Stack>
  );
}

function Actions({ webhook }: { webhook: Webhook }) {
  const { client } = useSession();
  const changed = useChanged();
  const [, navigate] = useLocation();
  const { id, active } = webhook;
  const tested = () => {
    notify('done', words.tested);
    return changed();
  };
  const test = useAct(() => client.post('/api/webhooks/test', { id }), tested);
  return (
    <>
      <DialogButton title={pageTexts.form.edit} variant="filled">
        {(close) => <WebhookForm webhook={webhook} companyId="" close={close} />}
      </DialogButton>
      <Button variant="default" onClick={() => test.mutate()} loading={test.isPending}>
        {words.test}
      </Button>
      <DialogButton title={words.rotate}>{(close) => <Rotate id={id} close={close} />}</DialogButton>
      <OnOffButton
        isOn={active}
        off={{ title: words.switchOff, text: words.switchOffText, done: words.switchedOff }}
        on={{ title: words.switchOn, text: words.switchOnText, done: words.switchedOn }}
        set={(isOn) => client.post('/api/webhooks/update', { id, active: isOn })}
        of={{ entity: 'webhook', entityId: id }}
      />
      <ConfirmButton
        title={words.remove}
        text={words.removeText}
        done={words.removed}
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
  const rotate = () => client.post('/api/webhooks/rotate-secret', { id });
  const rotating = useAct(rotate, ({ data }) => setSecret(data.secret));
  if (secret !== undefined) return <ShownOnce label={words.secret} secret={secret} close={close} />;
  return (
    <Stack>
      {words.rotateText}
      <Button onClick={() => rotating.mutate()} loading={rotating.isPending}>
        {words.rotate}
      </Button>
    </Stack>
  );
}
