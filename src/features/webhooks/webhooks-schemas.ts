import { type Static, Type } from 'typebox';
import { newIdParameter, timeFields } from '../../api/list-schemas.ts';
import { pageParameters } from '../../api/pagination.ts';
import { AUDITED_ENTITIES } from '../../entities/entities.ts';
import { answeredFields, newRowFields, nullable, optional, textOrNull, titled } from '../../entities/field-schemas.ts';
import { webhook } from '../../entities/webhook.ts';
import { CHOICES, MAX_HEADERS } from './webhooks-input.ts';

const id = Type.String({ format: 'uuid', description: 'Of the webhook', examples: [webhook.fields.id.example] });
const companyId = (description: string) => optional.id(description, webhook.fields.companyId.example);

const entities = Type.Array(Type.String({ title: 'EntityName', enum: [...AUDITED_ENTITIES] }), {
  description: 'Entities whose changes are sent; null: all',
  minItems: 1,
  maxItems: AUDITED_ENTITIES.length,
  uniqueItems: true,
  examples: [['user', 'companyRole']],
});
const entitiesOrNull = Type.Unsafe<string[] | null>({ ...entities, type: ['array', 'null'] });
const namesOrNull = (names: readonly string[], about: string, examples: string[]) =>
  Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string', ...(names.length < 10 ? { enum: [...names] } : {}) },
    description: about,
    minItems: 1,
    maxItems: names.length,
    uniqueItems: true,
    examples: [examples],
  });
const lists = {
  entities: entitiesOrNull,
  actions: namesOrNull(CHOICES.actions, 'What has to have happened; null: anything', ['added', 'changed']),
  fields: namesOrNull(CHOICES.fields, 'Fields of which a changed row needs one in its change; null: any', [
    'departmentId',
  ]),
};
const { url, description } = newRowFields(webhook, ['url', 'description']);

/** Fields that a body may set besides the company. */
const settable = {
  url: url ?? Type.String(),
  ...Type.Partial(Type.Object(lists)).properties,
  headers: Type.Optional(
    Type.Unsafe<Record<string, string> | null>({
      type: ['object', 'null'],
      additionalProperties: { type: 'string' },
      maxProperties: MAX_HEADERS,
      description: 'Own headers of each request, all of them; null: none. Their values are never returned',
      examples: [{ 'x-team': 'travel' }],
    }),
  ),
  description: description ?? Type.String(),
};

export const WebhookIdInput = Type.Object({ id });

export const WebhookListInput = Type.Object({
  companyId: companyId('Only webhooks of this company; omitted: all of them, for Super Admins only'),
  ...pageParameters(100),
});

export const WebhookCreateInput = Type.Object({
  id: newIdParameter,
  ...settable,
  companyId: companyId('The company whose changes are sent; omitted: all changes, for Super Admins only'),
});

export const WebhookUpdateInput = Type.Object({
  id,
  ...Type.Partial(Type.Object(settable)).properties,
  active: optional.boolean('true enables it again: it resumes where it stopped'),
});

export const WebhookSkipInput = Type.Object({
  id,
  changeId: Type.String({
    ...webhook.fields.skippedChangeId.kind.schema,
    description: 'Id of the change that is first in line, as in the deliveries',
    examples: ['4711'],
  }),
});

/** Fields of the entity in responses. */
export const SHOWN_FIELDS = ['id', 'companyId', 'url', 'description', 'active', 'disabledReason', 'createdAt'] as const;

const timeOrNull = (about: string, example: string | null) =>
  textOrNull({ format: 'date-time', description: about, examples: [example] });

const shown = {
  ...answeredFields(webhook, SHOWN_FIELDS),
  updatedAt: timeFields.updatedAt,
  ...lists,
  headerNames: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'Names of its own headers; null: it has none',
    examples: [['x-team']],
  }),
  failedAttempts: Type.Integer({
    description: 'Failed attempts to deliver the change that is first in line; 0 if none failed',
    examples: [0],
  }),
  nextAttemptAt: timeOrNull('Time of the next attempt; null if none failed, or the webhook is disabled', null),
};

export const WebhookView = titled('Webhook', shown);
export type WebhookView = Static<typeof WebhookView>;

export const WebhookWithSecret = titled('WebhookWithSecret', {
  ...shown,
  secret: Type.String({
    description: 'Signing secret (Standard Webhooks); empty where it was returned before',
    examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDzPQ7Fv8yqvM='],
  }),
});
export type WebhookWithSecret = Static<typeof WebhookWithSecret>;

export const DeliveryListInput = Type.Object({ id, ...pageParameters(100) });

export const DeliveryView = titled('Delivery', {
  at: Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] }),
  webhookId: id,
  changeId: textOrNull({ description: 'Of the audit trail; null: a test', examples: ['4711'] }),
  type: Type.String({ examples: ['user.changed'] }),
  attempt: Type.Integer({
    description: 'Number of the attempt, from 1; for a skipped change the number of failed attempts',
    examples: [1],
  }),
  status: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Status of the response; null if there was none',
    examples: [200],
  }),
  error: textOrNull({ description: 'Why there was no response', examples: [null] }),
  milliseconds: Type.Integer({ examples: [35] }),
  nextAttemptAt: timeOrNull('Time of the next attempt; null if there is none', null),
  payload: textOrNull({
    description: 'The JSON body that was sent, without personal values erased since; null if the change was skipped',
    examples: ['{"type":"user.changed","timestamp":"2026-01-31T09:30:00.000Z","data":{"id":"4711"}}'],
  }),
  response: textOrNull({
    description: 'First 4 KiB of the response body; null if there was no response',
    examples: ['ok'],
  }),
  skippedBy: textOrNull({
    format: 'uuid',
    description: 'The person or API key that skipped the change; null if it was sent',
    examples: [null],
  }),
});
export type DeliveryView = Static<typeof DeliveryView>;

export const WebhookResendInput = Type.Object({
  id,
  changeId: Type.Optional(
    Type.String({
      ...webhook.fields.skippedChangeId.kind.schema,
      description: 'Sends this change alone, at once',
      examples: ['4711'],
    }),
  ),
  since: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Sends all changes from this time on again, in order',
    }),
  ),
});

export const ResentView = titled('Resent', { webhook: WebhookView, delivery: nullable<DeliveryView>(DeliveryView) });
export type ResentView = Static<typeof ResentView>;
