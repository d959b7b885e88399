import { texts } from './texts.ts';

/** Why something failed, for people: what the service says, or that no answer came at all. */
export function explain(error: Error): string {
  return error.message || texts.states.offline;
}
