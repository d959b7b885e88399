import { type Static, Type } from 'typebox';
import { pageParameters } from '../../api/pagination.ts';
import { AUDITED_ENTITIES } from '../../entities/entity.ts';
import { answeredFields, newRowFields } from '../../entities/field-schemas.ts';
import { webhook } from '../../entities/webhook.ts';

const id = Type.String({ format: 'uuid', description: 'Of the webhook', examples: [webhook.fields.id.example] });
const companyId = (description: string) =>
  Type.Optional(Type.String({ format: 'uuid', description, examples: [webhook.fields.companyId.example] }));

const entities = Type.Array(Type.String({ title: 'EntityName', enum: [...AUDITED_ENTITIES] }), {
  description: 'Of which things changes are sent; null: of all',
  maxItems: AUDITED_ENTITIES.length,
  examples: [['user', 'companyRole']],
});
const entitiesOrNull = Type.Unsafe<string[] | null>({ ...entities, type: ['array', 'null'] });
const { url, description } = newRowFields(webhook, ['url', 'description']);

/** Fields that a body may set besides the company. */
const settable = {
  url: url ?? Type.String(),
  entities: Type.Optional(entitiesOrNull),
  description: description ?? Type.String(),
};

export const WebhookIdInput = Type.Object({ id });

export const WebhookListInput = Type.Object({
  companyId: companyId('Only webhooks of this company; left out: all of them, for Super Admins alone'),
  ...pageParameters(100),
});

export const WebhookCreateInput = Type.Object({
  ...settable,
  companyId: companyId('The company whose changes are sent; left out: all changes, for Super Admins alone'),
});

export const WebhookUpdateInput = Type.Object({
  id,
  ...Type.Partial(Type.Object(settable)).properties,
  active: Type.Optional(Type.Boolean({ description: 'true switches it on again: it resumes where it stopped' })),
});

export const WebhookSkipInput = Type.Object({
  id,
  changeId: Type.String({
    ...webhook.fields.skippedChangeId.kind.schema,
    description: 'The change that stands first in line, as the deliveries name it',
    examples: ['4711'],
  }),
});

/** Fields of the entity in responses. */
export const SHOWN_FIELDS = ['id', 'companyId', 'url', 'description', 'active', 'disabledReason', 'createdAt'] as const;

const timeOrNull = (about: string, example: string | null) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: about,
    examples: [example],
  });

const shown = {
  ...answeredFields(webhook, SHOWN_FIELDS),
  entities: entitiesOrNull,
  failedAttempts: Type.Integer({
    description: 'Attempts to deliver the change first in line that have failed; 0: nothing fails',
    examples: [0],
  }),
  nextAttemptAt: timeOrNull('When that change is sent again; null: nothing fails, or the webhook is disabled', null),
};

export const WebhookView = Type.Object(shown, { title: 'Webhook' });
export type WebhookView = Static<typeof WebhookView>;

export const WebhookWithSecret = Type.Object(
  {
    ...shown,
    secret: Type.String({
      description: 'Signs what is sent (Standard Webhooks): it is told this once',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDzPQ7Fv8yqvM='],
    }),
  },
  { title: 'WebhookWithSecret' },
);
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

export const DeliveryListInput = Type.Object({ id, ...pageParameters(100) });

const textOrNull = (about: string, example: string | null) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description: about, examples: [example] });

export const DeliveryView = Type.Object(
  {
    at: Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] }),
    webhookId: id,
    changeId: textOrNull('Of the audit trail; null: a test', '4711'),
    type: Type.String({ examples: ['user.changed'] }),
    attempt: Type.Integer({
      description: 'From 1; of a change that was skipped, how many attempts had failed',
      examples: [1],
    }),
    status: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Of the answer; null: there was none',
      examples: [200],
    }),
    error: textOrNull('Why there was no answer', null),
    milliseconds: Type.Integer({ examples: [35] }),
    nextAttemptAt: timeOrNull('When the change is sent again; null where that is not to be', null),
    payload: textOrNull(
      'The JSON text that was sent, without personal values that have been erased since; null: the change was skipped',
      '{"type":"user.changed","timestamp":"2026-01-31T09:30:00.000Z","data":{"id":"4711"}}',
    ),
    response: textOrNull('The first 4 KiB of the body of the answer; null: there was no answer', 'ok'),
    skippedBy: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'uuid',
      description: 'The person who gave up on the change; null: it was sent',
      examples: [null],
    }),
  },
  { title: 'Delivery' },
);
export type DeliveryView = Static<typeof DeliveryView>;
