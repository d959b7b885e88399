import { changesOf, readId } from '../../api/body.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { administrators } from '../../auth/callers/access.ts';
import type { Database } from '../../db/database.ts';
import { webhook } from '../../entities/webhook.ts';
import { listDeliveries } from './list-deliveries.ts';
import { resendChange, resendSince, testWebhook } from './send-once.ts';
import { skipChange } from './skip-change.ts';
import type { WebhookTargets } from './webhook-targets.ts';
import { readNewWebhook, readResend, readSkip, readWebhookUpdate } from './webhooks-input.ts';
import {
  DeliveryListInput,
  DeliveryView,
  ResentView,
  WebhookCreateInput,
  WebhookIdInput,
  WebhookListInput,
  WebhookResendInput,
  WebhookSkipInput,
  WebhookUpdateInput,
  WebhookView,
  WebhookWithSecret,
} from './webhooks-schemas.ts';
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  rotateSecret,
  updateWebhook,
} from './webhooks-service.ts';

/** Services that the operations use. */
export interface WebhookSources {
  db: Database;
  /** For work that must finish even if the client disconnects. */
  detachedDb: Database;
  webhookTargets: WebhookTargets;
}

const common = { tag: 'Webhooks', access: administrators, scope: 'webhooks.manage' } as const;
const ofOne = {
  ...common,
  methods: ['POST'],
  writes: true,
  input: WebhookIdInput,
  parse: (raw: unknown) => readId(webhook, raw),
} as const;

const list = operation({
  ...common,
  id: 'webhooks.list',
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  description: 'The webhooks of a company, newest first. For its Corporate Admins, and for Super Admins.',
  input: WebhookListInput,
  output: page(WebhookView),
  message: 'Webhooks retrieved successfully',
  handle: ({ input, caller, scope }, { db }: WebhookSources) =>
    listWebhooks(db, { caller, scope, companyId: input.companyId }, pageRequestOf(input)),
});

const get = operation({
  ...common,
  id: 'webhooks.get',
  operationId: 'getWebhook',
  summary: 'Get a webhook',
  description: 'One webhook. For Corporate Admins of its company, and for Super Admins.',
  errors: ['NOT_FOUND'],
  input: WebhookIdInput,
  output: one(WebhookView),
  message: 'Webhook retrieved successfully',
  handle: ({ input, scope }, { db }: WebhookSources) => findWebhook(db, input.id, scope),
});

const create = operation({
  ...common,
  id: 'webhooks.create',
  operationId: 'createWebhook',
  summary: 'Create a webhook',
  description:
    'Each change from then on is sent to the URL, signed according to Standard Webhooks. The secret is returned only ' +
    'in this response. For Corporate Admins, in their company; for Super Admins, also for all companies.',
  writes: true,
  errors: ['LIMIT_REACHED', 'ALREADY_EXISTS'],
  secretField: 'secret',
  input: WebhookCreateInput,
  parse: readNewWebhook,
  output: one(WebhookWithSecret),
  message: 'Webhook created successfully',
  handle: (call, { db, webhookTargets }: WebhookSources) =>
    createWebhook(db, call, call.input, (url, companyId) =>
      webhookTargets.check(url, { companyId, response: call.reply.raw }),
    ),
});

const update = operation({
  ...common,
  id: 'webhooks.update',
  operationId: 'updateWebhook',
  summary: 'Update a webhook',
  description:
    'Changes the fields that are sent. With active true, or another URL, it resumes at once where it stopped. For ' +
    'Corporate Admins of its company, and for Super Admins.',
  writes: true,
  errors: ['NOT_FOUND'],
  input: WebhookUpdateInput,
  parse: readWebhookUpdate,
  withoutUnchanged: (given, { scope }, { db }: WebhookSources) =>
    changesOf(webhook, given, (id) => findWebhook(db, id, scope)),
  output: one(WebhookView),
  message: 'Webhook updated successfully',
  handle: (call, { db, webhookTargets }: WebhookSources) =>
    updateWebhook(db, call, call.input, (url, companyId) =>
      webhookTargets.check(url, { companyId, response: call.reply.raw }),
    ),
});

const remove = operation({
  ...ofOne,
  id: 'webhooks.delete',
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Returns the deleted webhook. For Corporate Admins of its company, and for Super Admins.',
  errors: ['NOT_FOUND'],
  output: one(WebhookView),
  message: 'Webhook deleted successfully',
  handle: (call, { db }: WebhookSources) => deleteWebhook(db, call, call.input.id),
});

const rotate = operation({
  ...ofOne,
  secretField: 'secret',
  id: 'webhooks.rotateSecret',
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook',
  description:
    'Creates a new secret, which is returned only in this response. Earlier secrets also sign for another 24 hours, ' +
    'ten secrets in all: a further rotation is refused. For Corporate Admins of its company, and for Super Admins.',
  errors: ['NOT_FOUND', 'LIMIT_REACHED'],
  output: one(WebhookWithSecret),
  message: 'Webhook secret rotated successfully',
  handle: (call, { db }: WebhookSources) => rotateSecret(db, call, call.input.id),
});

const test = operation({
  ...ofOne,
  id: 'webhooks.test',
  operationId: 'testWebhook',
  summary: 'Test a webhook',
  description:
    'Sends one message of the type test, and returns the outcome. After a success it resumes at once where it stopped. ' +
    'For Corporate Admins of its company, and for Super Admins.',
  errors: ['NOT_FOUND'],
  output: one(DeliveryView),
  message: 'Webhook tested successfully',
  async handle({ input: { id }, scope, reply }, { db, detachedDb, webhookTargets }: WebhookSources) {
    await findWebhook(db, id, scope);
    return webhookTargets.test(id, reply.raw, () => testWebhook(detachedDb, webhookTargets.client, id));
  },
});

const skip = operation({
  ...common,
  id: 'webhooks.skip',
  operationId: 'skipWebhookChange',
  summary: 'Skip the change first in line',
  description:
    'Skips the change that is first in line, and resumes after it. Skipping the same change again is a no-op. For ' +
    'Corporate Admins of its company, and for Super Admins.',
  writes: true,
  errors: ['NOT_FOUND', 'NOT_FIRST_IN_LINE'],
  input: WebhookSkipInput,
  parse: readSkip,
  output: one(WebhookView),
  message: 'Change skipped successfully',
  handle: (call, { db }: WebhookSources) => skipChange(db, call, call.input),
});

const deliveries = operation({
  ...common,
  id: 'webhooks.deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook',
  description: 'The last 1,000 attempts, newest first. For Corporate Admins of its company, and for Super Admins.',
  errors: ['NOT_FOUND'],
  input: DeliveryListInput,
  output: page(DeliveryView),
  message: 'Webhook Deliveries retrieved successfully',
  async handle({ input, scope }, { db }: WebhookSources) {
    await findWebhook(db, input.id, scope);
    return listDeliveries(db, input.id, pageRequestOf(input));
  },
});

const resend = operation({
  ...common,
  id: 'webhooks.resend',
  operationId: 'resendWebhookChanges',
  summary: 'Send changes of a webhook again',
  description:
    'Sends one change again and returns the outcome, or has all changes since a time sent again in order; the webhook then ' +
    'goes on from there. Each message has the id that it had. For Corporate Admins of its company, and for Super Admins.',
  writes: true,
  errors: ['NOT_FOUND'],
  input: WebhookResendInput,
  parse: readResend,
  output: one(ResentView),
  message: 'Changes sent again successfully',
  async handle({ input: { id, changeId, since }, scope, reply }, { db, detachedDb, webhookTargets }: WebhookSources) {
    const { companyId } = await findWebhook(db, id, scope);
    const { client } = webhookTargets;
    const work = async () => {
      if (since !== undefined) await resendSince(detachedDb, id, since);
      return changeId === undefined ? null : resendChange(detachedDb, client, { id, companyId, changeId });
    };
    const delivery = await webhookTargets.test(id, reply.raw, work);
    return { webhook: await findWebhook(db, id, scope), delivery };
  },
});

export const webhooksOperations = [list, get, create, update, remove, rotate, test, skip, resend, deliveries];
