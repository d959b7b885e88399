import type { ServerResponse } from 'node:http';
import { type ApiError, apiErrors, tryAgain } from '../../entities/api-error.ts';
import { withoutSlot } from '../../http/connections/in-flight.ts';
import { limitByKey, unlessFull } from '../../lib/limit-by-key.ts';
import { ForbiddenHostError, type HostRules, permittedAddresses } from '../../lib/public-addresses.ts';
import { openWebhookClient, type WebhookClient } from './webhook-client.ts';

/** Concurrent and queued name look-ups per company; each may take three seconds. */
const LOOKUPS_OF_A_COMPANY = { running: 4, waiting: 16 };
/** Concurrent and queued tests per webhook. */
const TESTS_OF_A_WEBHOOK = { running: 1, waiting: 4 };

/** Company for which a URL is checked, and response of the request that waits for it. */
export interface TargetRequest {
  companyId: string | null;
  response: ServerResponse;
}

/** Checks and tests of webhook URLs on behalf of requests. Disposal closes the connections. */
export interface WebhookTargets extends Disposable {
  client: WebhookClient;
  /** Checks whether a URL is a permitted target. @throws ApiError `INVALID_INPUT`, `TOO_MANY_REQUESTS` */
  check(url: string, request: TargetRequest): Promise<void>;
  /** Runs the tests of a webhook one at a time. @throws ApiError `UNAVAILABLE` where too many wait */
  test<Result>(webhookId: string, response: ServerResponse, work: () => Promise<Result>): Promise<Result>;
}

export function webhookTargets(rules: HostRules): WebhookTargets {
  const client = openWebhookClient(rules);
  const lookups = limitByKey(LOOKUPS_OF_A_COMPANY);
  const tests = limitByKey(TESTS_OF_A_WEBHOOK);
  return {
    client,
    async check(url, { companyId, response }) {
      const { protocol, hostname } = new URL(url);
      if (protocol !== 'https:' && !rules.permitsPrivate) throw invalidUrl('url must begin with https://.');
      const look = () => lookups(companyId ?? '', () => permittedAddresses(hostname, rules));
      await unlessFull(withoutSlot(response, look), manyLookups).catch((error: unknown) => {
        throw error instanceof ForbiddenHostError ? invalidUrl(`url: ${error.message}`) : error;
      });
    },
    test(webhookId, response, work) {
      const turn = withoutSlot(response, () => tests(webhookId, work));
      return unlessFull(turn, busyWebhook);
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  };
}

function manyLookups(): ApiError {
  const message = 'Many names of webhooks of this company are being looked up: try again shortly.';
  return tryAgain('TOO_MANY_REQUESTS', message, 3);
}

/** Returns the error for a webhook that stays busy. */
export function busyWebhook(): ApiError {
  return tryAgain('UNAVAILABLE', 'A delivery to this webhook is in progress: try again shortly.', 5);
}

function invalidUrl(message: string): ApiError {
  return apiErrors.invalidInput([{ field: 'url', code: 'INVALID_VALUE', message }]);
}
