import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { Schemas } from './contract.ts';

/** A webhook message of the service. */
export type WebhookMessage = { id: string; timestamp: string } & (
  | { type: `${Schemas['EntityName']}.${Schemas['Change']['action']}`; data: Schemas['Change'] }
  | { type: 'test'; data: { webhookId: string } }
);

/** Thrown for a message that is not from the service, or too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** Headers of the Fetch API or of Node. */
type GivenHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * Verifies that the service sent a message, within five minutes, and parses it. `id` is the same for each delivery attempt.
 *
 * @param body the raw, unparsed body
 * @param secret of the webhook: `whsec_…`
 * @throws WebhookError
 * @throws TypeError for a body that is parsed already
 */
export function verifyWebhook(body: string | Uint8Array, headers: GivenHeaders, secret: string): WebhookMessage {
  if (typeof body !== 'string' && !ArrayBuffer.isView(body)) {
    throw new TypeError(
      'verifyWebhook needs the raw body, as a text or bytes: this one is parsed already, and its signature cannot be verified. ' +
        'Read the body before any JSON parser does, such as by express.raw({ type: "application/json" }).',
    );
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = Object.fromEntries(SIGNED.map((name) => [name, headerOf(headers, name)]));
  try {
    const message = new Webhook(secret).verify(text, signed) as Omit<WebhookMessage, 'id'>;
    return { id: signed['webhook-id'], ...message } as WebhookMessage;
  } catch (error) {
    if (error instanceof WebhookVerificationError) throw new WebhookError(error.message, { cause: error });
    throw error;
  }
}

function headerOf(headers: GivenHeaders, name: string): string {
  const given = typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name];
  return typeof given === 'string' ? given : '';
}
