import { checkChoices, checkOptional, checkUpdate, checkValue, parseBody, validOrThrow } from '../../api/body.ts';
import {
  allOf,
  type Checked,
  checkKnown,
  checkNewRow,
  checkPatch,
  invalid,
  mapValid,
  type RawFields,
  valid,
} from '../../entities/check-fields.ts';
import { AUDITED_ENTITIES } from '../../entities/entities.ts';
import { uuid } from '../../entities/values.ts';
import { webhook } from '../../entities/webhook.ts';

/** Fields of a webhook that a body may set; entity names separated by spaces, null for all. */
export interface WebhookFields {
  url: string;
  entities: string | null;
  description: string | null;
}
export type NewWebhook = WebhookFields & { id?: string; companyId?: string };
export type WebhookPatch = Partial<WebhookFields & { active: boolean }>;

/** Reads the body of a create. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readNewWebhook(raw: unknown): NewWebhook {
  const given = parseBody(raw);
  const url = checkNewRow(webhook, ['url'], given);
  const [{ url: address }, { description }, , entities = null, companyId, , id] = validOrThrow(
    allOf(
      url,
      checkNewRow(webhook, ['description'], given),
      checkUrl(url),
      checkEntities(given),
      checkOptional('companyId', uuid, given),
      checkKnown(given, ['id', 'url', 'description', 'entities', 'companyId']),
      checkOptional('id', uuid, given),
    ),
  );
  const ids = { ...(id === undefined ? {} : { id }), ...(companyId === undefined ? {} : { companyId }) };
  return { url: address, description, entities, ...ids };
}

/** Reads the body of an update. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readWebhookUpdate(raw: unknown): { id: string; patch: WebhookPatch } {
  const given = parseBody(raw);
  const url = checkPatch(webhook, ['url'], given);
  const [{ id, patch }, address, description, , entities] = validOrThrow(
    allOf(
      checkUpdate(webhook, ['active'], given, ['url', 'description', 'entities']),
      url,
      checkPatch(webhook, ['description'], given),
      checkUrl(url),
      checkEntities(given),
    ),
  );
  return { id, patch: { ...patch, ...address, ...description, ...(entities === undefined ? {} : { entities }) } };
}

/** Reads the body of a skip. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readSkip(raw: unknown): { id: string; changeId: string } {
  const given = parseBody(raw);
  const [{ id }, changeId] = validOrThrow(
    allOf(
      checkUpdate(webhook, [], given, ['changeId']),
      checkValue('changeId', webhook.fields.skippedChangeId.kind, given.changeId),
    ),
  );
  return { id, changeId };
}

/** @param given the checked text of `url` */
function checkUrl(given: Checked<{ url?: string }>): Checked<null> {
  if (!given.ok || given.value.url === undefined) return valid(null);
  const url = URL.canParse(given.value.url) ? new URL(given.value.url) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return valid(null);
  const message = 'url must be an address such as https://hooks.example.com/orgdesk, without a user name.';
  return invalid({ field: 'url', code: 'INVALID_FORMAT', message });
}

/** @returns undefined where `entities` is absent */
function checkEntities(given: RawFields): Checked<string | null | undefined> {
  if (given.entities === undefined) return valid(undefined);
  const { entities } = given;
  if (entities === null) return valid(null);
  if (!Array.isArray(entities) || entities.length === 0) {
    const message = `entities must be a list of ${AUDITED_ENTITIES.join(', ')}, or null.`;
    const code = Array.isArray(entities) ? 'TOO_SHORT' : 'INVALID_TYPE';
    return invalid({ field: 'entities', code, message });
  }
  return mapValid(checkChoices('entities', AUDITED_ENTITIES, entities), (names) => names.join(' '));
}
