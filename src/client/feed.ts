import type { Answer, Query, RequestOptions, Schemas } from './contract.ts';
import { pause, pauseBefore } from './repetition.ts';
import type { Send } from './send.ts';

type EventQuery = Query<'/api/events/list'>;
type Cursor = string | null | undefined;

/** Start, filter and cursor storage of a feed reader. */
export interface FeedOptions extends RequestOptions, Pick<EventQuery, 'entity' | 'companyId' | 'userId' | 'limit'> {
  /** `now` starts after the newest change. Absent, and without a cursor: at the oldest one. */
  from?: 'now' | undefined;
  /** Cursor to continue after. */
  after?: Cursor;
  /** Loads the stored cursor; takes precedence over `after` and `from`. */
  load?: (() => Cursor | Promise<Cursor>) | undefined;
  /** Stores a cursor once everything before it has been consumed. */
  save?: ((cursor: string) => unknown) | undefined;
  /** Long-poll time in seconds; 25 by default. */
  wait?: number | undefined;
  /** `false`: ends when there is nothing new, instead of waiting. */
  live?: boolean | undefined;
}

/** Changes in order, and the cursor after them. */
export interface FeedPart {
  data: Schemas['Change'][];
  next: string;
}

/** Yields the changes by response; a live follower outlasts outages until its signal ends it. A response's cursor is saved when the next one is requested. */
export async function* followFeed(send: Send, options: FeedOptions): AsyncGenerator<FeedPart, void, undefined> {
  const { load, save, wait = 25, live = true, signal, timeout } = options;
  const { from, after, entity, companyId, userId, limit } = options;
  let cursor = (await load?.()) ?? after ?? undefined;
  let failures = 0;
  for (;;) {
    const place = cursor === undefined ? { from } : { after: cursor, wait: live ? wait : undefined };
    const query = { ...place, entity, companyId, userId, limit };
    const requested = {
      method: 'get',
      path: '/api/events/list',
      query,
      signal,
      timeout,
      wait: query.wait,
      repeatable: true,
    } as const;
    let answer: Answer<'/api/events/list'>;
    try {
      answer = (await send(requested)) as Answer<'/api/events/list'>;
    } catch (error) {
      failures += 1;
      const seconds = live ? pauseBefore(error, failures, true) : undefined;
      if (seconds === undefined) throw error;
      await pause(seconds, signal);
      continue;
    }
    failures = 0;
    const { data, next } = answer;
    const isNew = next !== cursor;
    if (isNew) {
      yield { data, next };
      await save?.(next);
    }
    if (!isNew && !live) return;
    cursor = next;
  }
}
