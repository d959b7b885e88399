import { checkChoices, checkUpdate, checkValue, parseBody, throwIfInvalid } from '../../api/body.ts';
import { checkNewRow, checkPatch, type RawFields, unknownFields } from '../../entities/check-fields.ts';
import { AUDITED_ENTITIES } from '../../entities/entity.ts';
import { uuid } from '../../entities/values.ts';
import { webhook } from '../../entities/webhook.ts';
import type { FieldProblem } from '../../lib/errors.ts';

/** What a body sets of a webhook; entities are separated by blanks, null stands for all. */
export interface WebhookFields {
  url: string;
  entities: string | null;
  description: string | null;
}
export type NewWebhook = WebhookFields & { companyId?: string };
export type WebhookPatch = Partial<WebhookFields & { active: boolean }>;

/** Reads the body of a create. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readNewWebhook(raw: unknown): NewWebhook {
  const given = parseBody(raw);
  const row = checkNewRow(webhook, ['url', 'description'], given);
  const entities = checkEntities(given);
  const isOfCompany = Object.hasOwn(given, 'companyId');
  const companyId = isOfCompany ? checkValue('companyId', uuid, given.companyId) : { value: undefined, problems: [] };
  const unknown = unknownFields(given, ['url', 'description', 'entities', 'companyId']);
  throwIfInvalid(row.problems, checkUrl(row.values.url), entities.problems, companyId.problems, unknown);
  return {
    ...row.values,
    entities: entities.value ?? null,
    ...(companyId.value === undefined ? {} : { companyId: companyId.value }),
  };
}

/** Reads the body of an update. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readWebhookUpdate(raw: unknown): { id: string; patch: WebhookPatch } {
  const given = parseBody(raw);
  const { values, problems } = checkUpdate(webhook, ['active'], given, ['url', 'description', 'entities']);
  const row = checkPatch(webhook, ['url', 'description'], given);
  const entities = checkEntities(given);
  throwIfInvalid(problems, row.problems, checkUrl(row.values.url), entities.problems);
  const named = entities.value === undefined ? {} : { entities: entities.value };
  return { id: values.id, patch: { ...values.patch, ...row.values, ...named } };
}

/** Reads the body of a skip. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readSkip(raw: unknown): { id: string; changeId: string } {
  const given = parseBody(raw);
  const { values, problems } = checkUpdate(webhook, [], given, ['changeId']);
  const changeId = checkValue('changeId', webhook.fields.skippedChangeId.kind, given.changeId);
  throwIfInvalid(problems, changeId.problems);
  return { id: values.id, changeId: changeId.value ?? '' };
}

function checkUrl(given: string | undefined): FieldProblem[] {
  if (given === undefined) return [];
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return [];
  const message = 'url must be an address such as https://hooks.example.com/orgdesk, without a user name.';
  return [{ field: 'url', code: 'INVALID_FORMAT', message }];
}

/** @returns undefined where none are given */
function checkEntities(given: RawFields): { value: string | null | undefined; problems: FieldProblem[] } {
  if (!Object.hasOwn(given, 'entities')) return { value: undefined, problems: [] };
  const { entities } = given;
  if (entities === null) return { value: null, problems: [] };
  if (!Array.isArray(entities) || entities.length === 0) {
    const message = `entities must be a list of ${AUDITED_ENTITIES.join(', ')}, or null.`;
    const code = Array.isArray(entities) ? 'TOO_SHORT' : 'INVALID_TYPE';
    return { value: undefined, problems: [{ field: 'entities', code, message }] };
  }
  const { value, problems } = checkChoices('entities', AUDITED_ENTITIES, entities);
  return { value: value.join(' '), problems };
}
