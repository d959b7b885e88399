import type { LightMyRequestResponse } from 'fastify';

/** An answer in a word: its status, and the code of an error. */
export function outcomeOf({ statusCode, body }: Pick<LightMyRequestResponse, 'statusCode' | 'body'>): string {
  return statusCode === 200 ? '200' : `${statusCode} ${(JSON.parse(body) as { code: string }).code}`;
}

/** How often each of several things has happened. */
export class Tally {
  readonly counts = new Map<string, number>();

  add(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** The most frequent first: `180 × 200 and 409 LAST_ADMIN, …`. */
  summary(): string {
    const sorted = [...this.counts].sort(([, a], [, b]) => b - a);
    return sorted.map(([what, count]) => `${count} × ${what}`).join(', ');
  }
}
