import { RequestError } from './api/client.ts';
import { texts } from './texts.ts';

/**
 * Returns the message for an error in the reader's language, by its code; otherwise the service's own message, or
 * that no response came. For a 429, also of a proxy, it tells when to retry.
 */
export function explain(error: Error): string {
  if (error instanceof RequestError && error.status === 429) return texts.states.tooMany(error.retryAfter);
  const known = error instanceof RequestError ? texts.refusals[error.code] : undefined;
  return known || error.message || texts.states.offline;
}
