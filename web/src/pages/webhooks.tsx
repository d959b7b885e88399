import { Badge, Code, Stack, Text } from '@mantine/core';
import { company } from '../../../src/entities/company.ts';
import { ENTITIES } from '../../../src/entities/entities.ts';
import type { Entity } from '../../../src/entities/entity.ts';
import { user } from '../../../src/entities/user.ts';
import type { Person, Webhook } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { type Column, plain } from '../parts/data-table.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { COMPANY_COLUMN, TextLink } from '../parts/links.tsx';
import { historyTexts, texts, webhookTexts as words } from '../texts.ts';
import { WebhookForm } from './webhook-form.tsx';

const ADDRESS: Column<Webhook> = {
  name: words.url,
  show: (webhook) => (
    <>
      <TextLink href={`/webhooks/${webhook.id}`} fw={600} inherit={false}>
        {webhook.url}
      </TextLink>
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
      actions={({ id }) => (
        <>
          <DialogButton title={words.events}>{() => <EventCatalogue />}</DialogButton>
          <DialogButton title={words.add} variant="filled">
            {(close) => <WebhookForm webhook={undefined} companyId={id} close={close} />}
          </DialogButton>
        </>
      )}
      list={({ id }) => ({
        kind: 'webhooks',
        load: (client, query, signal) => client.get('/api/webhooks/list', query, signal),
        label: words.table,
        columns: [ADDRESS, ...(id === '' ? [COMPANY_COLUMN] : []), ...COLUMNS],
        file: 'webhooks',
        fileColumns: [ADDRESS, COMPANY_COLUMN, ...COLUMNS],
      })}
    />
  );
}

/** The events that webhooks and the feed deliver, each with an example. */
function EventCatalogue() {
  return (
    <Stack gap="xs">
      <Text size="sm">{words.eventsNote}</Text>
      {ENTITIES.filter(({ name }) => name !== 'booking').map((entity) => (
        <details key={entity.name}>
          <summary>{historyTexts.entities[entity.name as 'user']}</summary>
          <Text size="sm">
            {['added', 'changed', 'removed'].map((action) => `${entity.name}.${action}`).join(', ')}
          </Text>
          <Code block tabIndex={0}>
            {JSON.stringify(exampleOf(entity), null, 2)}
          </Code>
        </details>
      ))}
    </Stack>
  );
}

/** Returns an example of an event that tells the first change of a field. */
function exampleOf({ name, id, fields, auditSubject }: Entity): object {
  const examples = Object.entries(fields).flatMap(([field, { example }]) =>
    example === undefined ? [] : [[field, example]],
  );
  const [field, after] = examples.find(([each]) => each !== id) ?? [];
  const ofUser = auditSubject !== undefined && 'user' in auditSubject;
  return {
    type: `${name}.changed`,
    timestamp: '2026-01-31T09:30:00.000Z',
    data: {
      id: '4711',
      changedAt: '2026-01-31T09:30:00.000Z',
      action: 'changed',
      entity: name,
      entityId: user.fields.id.example,
      userId: ofUser ? user.fields.id.example : null,
      companyId: company.fields.id.example,
      actor: { kind: 'user', userId: user.fields.id.example, runId: null },
      requestId: '5f0c6a0e6f2c4a6e8f3c0a4a3d0f9b7e',
      changes: [{ field, before: null, after, kept: true }],
    },
  };
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
      <Badge color="red">{webhookStateOf(webhook)}</Badge>
      {disabledReason !== null && <Text size="sm">{disabledReason}</Text>}
      {nextAttemptAt !== null && <Text size="sm">{words.nextAttempt(formatMoment(nextAttemptAt))}</Text>}
    </Stack>
  );
}
