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
import { t } from '../translate.ts';
import { SUBJECT_LABELS } from './entity-pages.ts';
import { WebhookForm } from './webhook-form.tsx';

const ADDRESS: Column<Webhook> = {
  name: t('URL'),
  show: (webhook) => (
    <>
      <TextLink href={`/webhooks/${webhook.id}`} fw={600} inherit={false}>
        {webhook.url}
      </TextLink>
      {webhookStateOf(webhook) !== t('On') && <WebhookState of={webhook} />}
    </>
  ),
  text: ({ url }) => url,
};
const COLUMNS: readonly Column<Webhook>[] = [
  { name: t('Description'), ...plain(({ description }) => description ?? '') },
  { name: t('Events'), ...plain(({ entities }) => entityNames(entities)) },
  { name: t('Added'), ...plain(({ createdAt }) => formatMoment(createdAt)) },
  {
    name: t('Status'),
    text: (webhook) => webhook.disabledReason ?? webhookStateOf(webhook),
  },
];

/** Returns the names of the entities whose changes a webhook delivers. */
export function entityNames(entities: Webhook['entities']): string {
  return entities === null ? t('all') : entities.map((entity) => SUBJECT_LABELS[entity]).join(', ');
}

/** The webhooks of a company, or of all. */
export function WebhooksPage({ profile }: { profile: Person }) {
  return (
    <CompanyList
      path="/api/webhooks/list"
      profile={profile}
      title={t('Webhooks')}
      lead={(company) => t('Changes of {company} are sent to these URLs.', { company })}
      leadOfAll={t('The webhooks of all companies, and those that are sent the changes of every company.')}
      actions={({ id }) => (
        <>
          <DialogButton title={t('Events and examples')}>{() => <EventCatalogue />}</DialogButton>
          <DialogButton title={t('Add a webhook')} variant="filled">
            {(close) => <WebhookForm webhook={undefined} companyId={id} close={close} />}
          </DialogButton>
        </>
      )}
      list={({ id }) => ({
        emptyHint: t('With a webhook, a program hears of each change as soon as it is made.'),
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
      <Text size="sm">
        {t('What webhooks deliver. GET /api/events/list returns the same as data, for programs that ask themselves.')}
      </Text>
      {ENTITIES.filter(({ name }) => name !== 'booking').map((entity) => (
        <details key={entity.name}>
          <summary>{SUBJECT_LABELS[entity.name as 'user']}</summary>
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
function webhookStateOf({ active, failedAttempts }: Webhook): string {
  if (!active) return t('Off');
  return failedAttempts > 0 ? t('Failing') : t('On');
}

/** The state of a webhook: on, or why and until when it is off or failing. */
export function WebhookState({ of: webhook }: { of: Webhook }) {
  const { active, disabledReason, failedAttempts, nextAttemptAt } = webhook;
  if (active && failedAttempts === 0) return t('On');
  return (
    <Stack gap={2}>
      <Badge color="red">{webhookStateOf(webhook)}</Badge>
      {disabledReason !== null && <Text size="sm">{disabledReason}</Text>}
      {nextAttemptAt !== null && <Text size="sm">{t('Next attempt: {at}', { at: formatMoment(nextAttemptAt) })}</Text>}
    </Stack>
  );
}
