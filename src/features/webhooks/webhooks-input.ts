import {
  checkChoices,
  checkOptional,
  checkUpdate,
  parseBody,
  readValues,
  throwIfInvalid,
  validOrThrow,
} from '../../api/body.ts';
import { type FieldProblem, problemOf } from '../../entities/api-error.ts';
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
import { ALL_ENTITIES, AUDITED_ENTITIES } from '../../entities/entities.ts';
import { timestamp, uuid } from '../../entities/values.ts';
import { webhook } from '../../entities/webhook.ts';

/** Own headers of a webhook, by their names in lower case. */
export type OwnHeaders = Readonly<Record<string, string>>;

/** Fields of a webhook that a body may set; names separated by spaces, null for all. */
export interface WebhookFields {
  url: string;
  entities: string | null;
  actions: string | null;
  fields: string | null;
  description: string | null;
  /** All of them; undefined: they stay. */
  headers?: OwnHeaders | undefined;
}
export type NewWebhook = WebhookFields & { id?: string; companyId?: string };
export type WebhookPatch = Partial<WebhookFields & { active: boolean }>;

/** Reads the body of a create. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readNewWebhook(raw: unknown): NewWebhook {
  const given = parseBody(raw);
  const url = checkNewRow(webhook, ['url'], given);
  const [{ url: address }, { description }, , lists, headers, companyId, , id] = validOrThrow(
    allOf(
      url,
      checkNewRow(webhook, ['description'], given),
      checkUrl(url),
      checkLists(given),
      checkHeaders(given.headers),
      checkOptional('companyId', uuid, given),
      checkKnown(given, ['id', 'url', 'description', 'companyId', 'headers', ...LISTS]),
      checkOptional('id', uuid, given),
    ),
  );
  const ids = { ...(id === undefined ? {} : { id }), ...(companyId === undefined ? {} : { companyId }) };
  return { url: address, description, ...ALL, ...lists, ...(headers && { headers }), ...ids };
}

/** Reads the body of an update. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readWebhookUpdate(raw: unknown): { id: string; patch: WebhookPatch } {
  const given = parseBody(raw);
  const url = checkPatch(webhook, ['url'], given);
  const [{ id, patch }, address, description, , lists, headers] = validOrThrow(
    allOf(
      checkUpdate(webhook, ['active'], given, ['url', 'description', 'headers', ...LISTS]),
      url,
      checkPatch(webhook, ['description'], given),
      checkUrl(url),
      checkLists(given),
      checkHeaders(given.headers),
    ),
  );
  return { id, patch: { ...patch, ...address, ...description, ...lists, ...(headers && { headers }) } };
}

const changeId = webhook.fields.skippedChangeId.kind;

/** Reads the body of a skip. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export const readSkip = (raw: unknown) => readValues(raw, { id: uuid, changeId });

/** @param given the checked text of `url` */
function checkUrl(given: Checked<{ url?: string }>): Checked<null> {
  if (!given.ok || given.value.url === undefined) return valid(null);
  const url = URL.canParse(given.value.url) ? new URL(given.value.url) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return valid(null);
  const message = 'url must be an address such as https://hooks.example.com/orgdesk, without a user name.';
  return invalid({ field: 'url', code: 'INVALID_FORMAT', message });
}

/** Values that each list of names takes. */
export const CHOICES = {
  entities: AUDITED_ENTITIES,
  actions: ['added', 'changed', 'removed', 'erased'],
  fields: [...new Set(ALL_ENTITIES.flatMap(({ fields }) => Object.keys(fields)))],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export const LISTS = ['entities', 'actions', 'fields'] as const;
const ALL = { entities: null, actions: null, fields: null };

/** Checks the lists that are given; null: all. */
function checkLists(given: RawFields): Checked<Partial<typeof ALL>> {
  const sent = LISTS.filter((name) => given[name] !== undefined);
  return mapValid(allOf(...sent.map((name) => checkList(name, given[name]))), (values) =>
    Object.fromEntries(sent.map((name, index) => [name, values[index]])),
  );
}

function checkList(name: (typeof LISTS)[number], given: unknown): Checked<string | null> {
  if (given === null) return valid(null);
  const choices: readonly string[] = CHOICES[name];
  if (!Array.isArray(given) || given.length === 0) {
    const examples = name === 'fields' ? 'names of fields' : choices.join(', ');
    const code = Array.isArray(given) ? 'TOO_SHORT' : 'INVALID_TYPE';
    return invalid({ field: name, code, message: `${name} must be a list of ${examples}, or null.` });
  }
  return mapValid(checkChoices(name, choices, given), (names) => names.join(' '));
}

export const MAX_HEADERS = 10;
const WRITTEN_BY_SERVICE = 'the service does not write itself: not webhook-*, content-* or one of the connection';
/** Names of headers that the service writes itself, or that are about the connection. */
const RESERVED =
  /^(?:webhook-.*|content-.*|proxy-.*|host|user-agent|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect)$/;
const [NAME, VALUE] = [/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/, /^[!-~](?:[ -~]{0,1998}[!-~])?$/];

function checkHeaders(given: unknown): Checked<OwnHeaders | undefined> {
  if (given === undefined) return valid(undefined);
  if (given === null) return valid({});
  const isObject = typeof given === 'object' && !Array.isArray(given);
  if (!isObject || Object.keys(given).length > MAX_HEADERS) {
    const message = `headers must be an object with at most ${MAX_HEADERS} names and their values, or null.`;
    return invalid({ field: 'headers', code: isObject ? 'TOO_LONG' : 'INVALID_TYPE', message });
  }
  const entries = Object.entries(given as RawFields).map(([name, value]) => [name.toLowerCase(), value] as const);
  const problems = entries.flatMap(([name, value], index): FieldProblem[] => {
    const field = NAME.test(name) ? `headers.${name}` : 'headers';
    const isFree = NAME.test(name) && !RESERVED.test(name) && entries.findIndex(([other]) => other === name) === index;
    if (!isFree) return [problemOf(field, 'INVALID_VALUE', `must be a header, once, that ${WRITTEN_BY_SERVICE}`)];
    if (typeof value === 'string' && VALUE.test(value)) return [];
    return [problemOf(field, 'INVALID_VALUE', 'must be 1 to 2000 printable characters of ASCII')];
  });
  return problems.length > 0 ? { ok: false, problems } : valid(Object.fromEntries(entries) as OwnHeaders);
}

/** Reads the body of a resend. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readResend(raw: unknown) {
  const given = readValues(raw, { id: uuid }, { changeId, since: timestamp });
  if ((given.changeId === undefined) === (given.since === undefined)) {
    throwIfInvalid([problemOf('changeId', 'INVALID_VALUE', 'must be given, or since, and not both')]);
  }
  return given;
}
