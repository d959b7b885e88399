import { RequestError } from './api/client.ts';
import { texts } from './texts.ts';

/**
 * Why something failed, for people: what the service says, or that no answer came at all. What was asked too often can be asked again: after
 * how long, whoever said so, a proxy without any words included.
 */
export function explain(error: Error): string {
  if (error instanceof RequestError && error.status === 429) return texts.states.tooMany(error.retryAfter);
  return error.message || texts.states.offline;
}
