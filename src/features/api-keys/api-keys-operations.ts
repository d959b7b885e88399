import { readId } from '../../api/body.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { administrators, apiKeyOnly } from '../../auth/callers/access.ts';
import type { Database } from '../../db/database.ts';
import { apiKey } from '../../entities/api-key.ts';
import {
  ApiKeyCreateInput,
  ApiKeyIdInput,
  ApiKeyListInput,
  ApiKeyRevocationInput,
  ApiKeyView,
  NewApiKeyView,
  OwnApiKeyView,
  RevokedApiKeyView,
} from './api-keys-schemas.ts';
import {
  confirmApiKey,
  createApiKey,
  findOwnKey,
  listApiKeys,
  readNewApiKey,
  readRevocation,
  revokeApiKey,
} from './api-keys-service.ts';

const common = { tag: 'API keys', access: administrators } as const;

const list = operation({
  ...common,
  id: 'apiKeys.list',
  operationId: 'listApiKeys',
  summary: 'List API keys',
  description:
    'The keys of a company, newest first, including revoked ones. For its Corporate Admins, and for Super Admins.',
  input: ApiKeyListInput,
  output: page(ApiKeyView),
  message: 'API Keys retrieved successfully',
  handle: ({ input, caller, scope }, { db }: { db: Database }) =>
    listApiKeys(db, { caller, scope, companyId: input.companyId }, pageRequestOf(input)),
});

const create = operation({
  ...common,
  id: 'apiKeys.create',
  operationId: 'createApiKey',
  summary: 'Create an API key',
  description:
    'Creates a key by which another system calls the service. The key is returned only in this response. A company ' +
    'may have 50 valid keys. For Corporate Admins, in their company; for Super Admins, also for the platform.',
  writes: true,
  errors: ['LIMIT_REACHED', 'ALREADY_EXISTS'],
  secretField: 'key',
  input: ApiKeyCreateInput,
  parse: readNewApiKey,
  output: one(NewApiKeyView),
  message: 'API Key created successfully',
  handle: (call, { db }: { db: Database }) => createApiKey(db, call, call.input),
});

const ofOne = {
  ...common,
  writes: true,
  errors: ['NOT_FOUND'],
  input: ApiKeyIdInput,
  parse: (raw: unknown) => readId(apiKey, raw),
  output: one(ApiKeyView),
} as const;

const revoke = operation({
  ...ofOne,
  input: ApiKeyRevocationInput,
  parse: readRevocation,
  output: one(RevokedApiKeyView),
  id: 'apiKeys.revoke',
  operationId: 'revokeApiKey',
  summary: 'Revoke an API key',
  description:
    'The key is refused from the next request on, and the webhooks that it made stop or stay. For Corporate Admins of its company, and for Super Admins.',
  message: 'API Key revoked successfully',
  handle: (call, { db }: { db: Database }) => revokeApiKey(db, call, call.input),
});

const confirm = operation({
  ...ofOne,
  id: 'apiKeys.confirm',
  operationId: 'confirmApiKey',
  summary: 'Confirm an API key',
  description:
    'Makes the caller answer for a suspended key, which is whole again; a key that is not suspended stays as it is. ' +
    'For Corporate Admins of its company, and for Super Admins.',
  message: 'API Key confirmed successfully',
  handle: (call, { db }: { db: Database }) => confirmApiKey(db, call, call.input.id),
});

const self = operation({
  id: 'apiKeys.self',
  operationId: 'getOwnApiKey',
  tag: 'API keys',
  summary: 'Get the calling API key',
  description: 'The key that calls, with its company and scopes. For API keys of any scope.',
  access: apiKeyOnly,
  scope: 'any',
  output: one(OwnApiKeyView),
  message: 'API Key retrieved successfully',
  handle({ caller }, { db }: { db: Database }) {
    if (!('keyId' in caller)) throw new TypeError('Only API keys are admitted');
    return findOwnKey(db, caller);
  },
});

export const apiKeysOperations = [self, list, create, revoke, confirm];
