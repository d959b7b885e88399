import { type Static, Type } from 'typebox';
import { newIdParameter } from '../../api/list-schemas.ts';
import { pageParameters } from '../../api/pagination.ts';
import { apiKey, SCOPES } from '../../entities/api-key.ts';
import { answeredFields, newRowFields, nullable, optional, textOrNull, titled } from '../../entities/field-schemas.ts';
import { webhook } from '../../entities/webhook.ts';

const COMPANY_ID = apiKey.fields.companyId.example;
const companyId = (description: string) => optional.id(description, COMPANY_ID);
const scopes = Type.Array(Type.String({ title: 'Scope', enum: [...SCOPES] }), {
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
  description: 'Scopes of the key',
  examples: [['users.read', 'policies.evaluate']],
});

export const ApiKeyListInput = Type.Object({
  companyId: companyId('Only keys of this company; omitted: all keys, for Super Admins only'),
  ...pageParameters(100),
});

export const ApiKeyCreateInput = Type.Object({
  id: newIdParameter,
  name: newRowFields(apiKey, ['name']).name ?? Type.String(),
  scopes,
  companyId: companyId(
    'The company whose data the key can access; omitted: all active companies, for Super Admins only',
  ),
  expiresAt: optional.text({ format: 'date-time', description: 'Expiry, in the future; omitted: never' }),
  directoryId: optional.text({
    format: 'uuid',
    description: 'Of a key with scim: the directory that calls with it, beside its other keys; omitted: a new one',
  }),
});

export const ApiKeyIdInput = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Of the key', examples: [apiKey.fields.id.example] }),
});

/** What becomes of the webhooks that a revoked key made. */
export const WEBHOOK_FATES = ['stop', 'keep'] as const;

export const ApiKeyRevocationInput = Type.Object({
  ...ApiKeyIdInput.properties,
  webhooks: optional.text({
    enum: [...WEBHOOK_FATES],
    description: 'What becomes of the webhooks that it made: they stop, unless the company keeps them',
    examples: ['stop'],
  }),
});

/** Fields of the entity in responses. */
export const SHOWN_FIELDS = [
  'id',
  'name',
  'companyId',
  'prefix',
  'createdAt',
  'createdBy',
  'confirmedBy',
  'expiresAt',
  'revokedAt',
] as const;

const shown = {
  ...answeredFields(apiKey, SHOWN_FIELDS),
  scopes,
  suspended: Type.Boolean({
    description:
      'Whether whoever answers for it no longer administers the company: until it is confirmed, it only reads, and ' +
      'provisions people who have no role but EMPLOYEE',
    examples: [false],
  }),
  lastUsedAt: textOrNull({ format: 'date-time', description: 'To the minute', examples: [null] }),
};

export const ApiKeyView = Type.Object(shown, { title: 'ApiKey' });
export type ApiKeyView = Static<typeof ApiKeyView>;

export const OwnApiKeyView = titled('OwnApiKey', {
  ...shown,
  company: nullable<{ id: string; name: string }>(
    Type.Object(
      { id: Type.String({ format: 'uuid', examples: [COMPANY_ID] }), name: Type.String({ examples: ['Acme'] }) },
      { description: 'The company whose data the key can access; null: all active companies' },
    ),
  ),
});
export type OwnApiKeyView = Static<typeof OwnApiKeyView>;

export const NewApiKeyView = titled('NewApiKey', {
  ...shown,
  key: Type.String({
    description: 'The key itself; empty where it was returned before',
    examples: ['odk_8Jq2vXbT3nWm5rKc7yPd9sLf1hGa4jZe6uQx0tVb2iN'],
  }),
});
export type NewApiKeyView = Static<typeof NewApiKeyView>;

const WebhookOfKey = Type.Object(answeredFields(webhook, ['id', 'url', 'active']));
export type WebhookOfKey = Static<typeof WebhookOfKey>;

export const RevokedApiKeyView = titled('RevokedApiKey', {
  ...shown,
  webhooks: Type.Optional(Type.Array(WebhookOfKey, { description: 'The webhooks that it made, if there are any' })),
});
export type RevokedApiKeyView = Static<typeof RevokedApiKeyView>;
