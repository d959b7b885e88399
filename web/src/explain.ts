import { RequestError } from './api/client.ts';
import { texts } from './texts.ts';

/**
 * Why something failed, in the reader's language by the code of the service, whose own sentence stands where there is none; or that no answer
 * came at all. What was asked too often can be asked again: after how long, whoever said so, a proxy without any words included.
 */
export function explain(error: Error): string {
  if (error instanceof RequestError && error.status === 429) return texts.states.tooMany(error.retryAfter);
  const known = error instanceof RequestError ? texts.refusals[error.code] : undefined;
  return known || error.message || texts.states.offline;
}
