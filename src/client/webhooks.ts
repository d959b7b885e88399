import { Webhook } from 'standardwebhooks';
import type { Schemas } from './contract.ts';

/** A webhook message of the service. */
export type WebhookMessage = { id: string; timestamp: string } & (
  | { type: `${Schemas['EntityName']}.${Schemas['Change']['action']}`; data: Schemas['Change'] }
  | { type: 'test'; data: { webhookId: string } }
);

/** Thrown for a message that is not from the service, or too old, and for a secret that is none. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** Headers of the Fetch API, of Node, or of an event of a function; names in any case. */
type GivenHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Seconds by which the clocks may differ, and a message may be late. */
const TOLERANCE = 300;

/**
 * Verifies that the service sent a message, within five minutes or `tolerance` seconds, and parses it. `id` is the same for each
 * delivery attempt.
 *
 * @param body the raw, unparsed body
 * @param secret of the webhook: `whsec_…`
 * @throws WebhookError
 */
export function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: GivenHeaders,
  secret: string,
  { tolerance = TOLERANCE }: { tolerance?: number } = {},
): WebhookMessage {
  const text = textOf(body);
  const [id, sent, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const given = headerOf(headers, name);
    if (given === '') throw new WebhookError(`The header ${name} is missing`);
    return given;
  }) as [string, string, string];
  if (!/^\d{1,12}$/.test(sent)) throw new WebhookError('The header webhook-timestamp is not a number of seconds');
  const late = Date.now() / 1000 - Number(sent);
  if (!(Math.abs(late) <= tolerance)) throw new WebhookError(`The message is too ${late > 0 ? 'old' : 'new'}`);
  const expected = signed(secret, id, Number(sent), text);
  if (!signatures.split(/[\s]+/).some((signature) => isEqual(signature, expected))) {
    throw new WebhookError('No signature of the message is by this secret');
  }
  try {
    return { id, ...(JSON.parse(text) as Omit<WebhookMessage, 'id'>) } as WebhookMessage;
  } catch (cause) {
    throw new WebhookError('The message is not JSON', { cause });
  }
}

function signed(secret: string, id: string, seconds: number, text: string): string {
  try {
    return new Webhook(secret).sign(id, new Date(seconds * 1000), text);
  } catch (cause) {
    throw new WebhookError('The secret of the webhook is missing, or is not whsec_ and base64', { cause });
  }
}

/** Compares in a time that does not tell where two texts differ. */
function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < other.length; index++) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body;
  const isBuffer = Object.prototype.toString.call(body) === '[object ArrayBuffer]';
  if (isBuffer || ArrayBuffer.isView(body)) {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body as Uint8Array);
  }
  throw new WebhookError(
    'verifyWebhook needs the raw body, as a text or bytes: this one is parsed already, and its signature cannot be verified. ' +
      'Read the body before any JSON parser does, such as by express.raw({ type: "application/json" }).',
  );
}

function headerOf(headers: GivenHeaders, name: string): string {
  const own = headers as Readonly<Record<string, unknown>>;
  const given =
    typeof headers?.get === 'function'
      ? headers.get(name)
      : own?.[Object.keys(own ?? {}).find((each) => each.toLowerCase() === name) ?? ''];
  return (Array.isArray(given) ? given : [given]).filter((value) => typeof value === 'string').join(' ');
}
