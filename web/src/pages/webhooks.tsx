import { Anchor, Badge, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { Person, Webhook } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { type Column, DataTable, plain } from '../parts/data-table.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { COMPANY_COLUMN } from '../parts/links.tsx';
import { historyTexts, texts, webhookTexts as words } from '../texts.ts';
import { WebhookForm } from './webhook-form.tsx';

const ADDRESS: Column<Webhook> = {
  name: words.url,
  show: (webhook) => (
    <>
      <Anchor component={Link} href={`/webhooks/${webhook.id}`} fw={600}>
        <bdi>{webhook.url}</bdi>
      </Anchor>
      {webhookStateOf(webhook) !== words.on && <WebhookState of={webhook} />}
    </>
  ),
  text: ({ url }) => url,
};
const COLUMNS: readonly Column<Webhook>[] = [
  { name: words.description, ...plain(({ description }) => description ?? '') },
  { name: words.entities, ...plain(({ entities }) => entityNames(entities)) },
  { name: words.created, ...plain(({ createdAt }) => formatMoment(createdAt)) },
  {
    name: words.state,
    text: (webhook) => webhook.disabledReason ?? webhookStateOf(webhook),
  },
];

/** Returns the names of the entities whose changes a webhook delivers. */
export function entityNames(entities: Webhook['entities']): string {
  return entities === null ? words.all : entities.map((entity) => historyTexts.entities[entity]).join(', ');
}

/** The webhooks of a company, or of all. */
export function WebhooksPage({ profile }: { profile: Person }) {
  return (
    <CompanyList<Webhook>
      profile={profile}
      title={texts.pages.webhooks}
      lead={words.lead}
      leadOfAll={words.leadOfAll}
      kind="webhooks"
      load={(client, query, signal) => client.get('/api/webhooks/list', query, signal)}
      file={{ name: 'webhooks', columns: [ADDRESS, COMPANY_COLUMN, ...COLUMNS] }}
      actions={({ id }) => (
        <DialogButton title={words.add} variant="filled">
          {(close) => <WebhookForm webhook={undefined} companyId={id} close={close} />}
        </DialogButton>
      )}
      show={(webhooks, isStale, { id: companyId }) => (
        <DataTable
          label={words.table}
          columns={[ADDRESS, ...(companyId === '' ? [COMPANY_COLUMN] : []), ...COLUMNS]}
          rows={webhooks}
          keyOf={({ id }) => id}
          isStale={isStale}
        />
      )}
    />
  );
}

/** Returns whether a webhook is on, off or failing, in a word. */
export function webhookStateOf({ active, failedAttempts }: Webhook): string {
  if (!active) return words.off;
  return failedAttempts > 0 ? words.failing : words.on;
}

/** The state of a webhook: on, or why and until when it is off or failing. */
export function WebhookState({ of: webhook }: { of: Webhook }) {
  const { active, disabledReason, failedAttempts, nextAttemptAt } = webhook;
  if (active && failedAttempts === 0) return words.on;
  return (
    <Stack gap={2}>
      <Badge variant="light" miw="max-content" color="red">
        {webhookStateOf(webhook)}
      </Badge>
      {disabledReason !== null && <Text size="sm">{disabledReason}</Text>}
      {nextAttemptAt !== null && <Text size="sm">{words.nextAttempt(formatMoment(nextAttemptAt))}</Text>}
    </Stack>
  );
}
