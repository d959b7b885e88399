import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { explain } from '../api/client.ts';
import type { Webhook } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { ConfirmButton, OnOffButton } from '../parts/confirm-button.tsx';
import { DialogButton, ShownOnce } from '../parts/dialog.tsx';
import { Copied, Facts } from '../parts/facts.tsx';
import { CompanyLink, HistoryButton } from '../parts/links.tsx';
import { notify } from '../parts/notices.tsx';
import { RecordPage } from '../parts/record-page.tsx';
import { PageHead } from '../parts/states.tsx';
import { useSession } from '../session/session.tsx';
import { useChanged } from '../session/use-all.ts';
import { pageTexts, texts, webhookTexts as words } from '../texts.ts';
import { Deliveries } from './webhook-deliveries.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { entityNames, WebhookState } from './webhooks.tsx';

const CRUMBS = [{ href: '/webhooks', label: texts.pages.webhooks }];

/** The page of a webhook: its settings and its deliveries. */
export function WebhookPage({ id }: { id: string }) {
  return (
    <RecordPage
      kind="webhook"
      id={id}
      crumbs={() => CRUMBS}
      load={(client, webhook, signal) => client.read('/api/webhooks/get', { id: webhook }, signal)}
    >
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
  const test = useMutation({
    mutationFn: () => client.post('/api/webhooks/test', { id }),
    onSuccess: async () => {
      notify('done', words.tested);
      await changed();
    },
    onError: (error) => notify('failed', explain(error)),
  });
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
  const rotating = useMutation({
    mutationFn: () => client.post('/api/webhooks/rotate-secret', { id }),
    onSuccess: ({ data }) => setSecret(data.secret),
    onError: (error) => notify('failed', explain(error)),
  });
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
