import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { Person, Webhook } from '../api/types.ts';
import { formatMoment } from '../format.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { DialogButton } from '../parts/dialog-button.tsx';
import { texts } from '../texts.ts';
import { historyTexts } from '../texts-history.ts';
import { webhookTexts as words } from '../texts-keys.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookState } from './webhook-state.tsx';

const COLUMNS: readonly Column<Webhook>[] = [
  {
    name: words.url,
    show: ({ id, url }) => (
      <Anchor component={Link} href={`/webhooks/${id}`} fw={600}>
        <bdi>{url}</bdi>
      </Anchor>
    ),
  },
  { name: words.description, show: ({ description }) => <bdi>{description}</bdi> },
  { name: words.entities, show: ({ entities }) => entityNames(entities) },
  { name: words.created, show: ({ createdAt }) => formatMoment(createdAt) },
  { name: words.state, show: (webhook) => <WebhookState of={webhook} /> },
];

/** The things of whose changes a webhook tells, by their names. */
export function entityNames(entities: Webhook['entities']): string {
  return entities === null ? words.all : entities.map((entity) => historyTexts.entities[entity]).join(', ');
}

/** The webhooks of a company. */
export function WebhooksPage({ profile }: { profile: Person }) {
  return (
    <CompanyList<Webhook>
      profile={profile}
      title={texts.pages.webhooks}
      lead={words.lead}
      kind="webhooks"
      load={(client, query, signal) => client.get('/api/webhooks/list', query, signal)}
      actions={({ id }) => (
        <DialogButton title={words.add} variant="filled">
          {(close) => <WebhookForm webhook={undefined} companyId={id} close={close} />}
        </DialogButton>
      )}
      show={(webhooks, isStale) => (
        <DataTable label={words.table} columns={COLUMNS} rows={webhooks} keyOf={({ id }) => id} isStale={isStale} />
      )}
    />
  );
}
