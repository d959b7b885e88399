import type { Answer, Query, RequestOptions, Schemas } from './contract.ts';
import type { Send } from './send.ts';

type EventQuery = Query<'/api/events/list'>;
type Cursor = string | null | undefined;

/** Where a follower of the changes begins, what it sees, and where it keeps its place. */
export interface FeedOptions extends RequestOptions, Pick<EventQuery, 'entity' | 'companyId' | 'userId' | 'limit'> {
  /** Behind the last change; absent, and without a cursor: at the first change there ever was. */
  from?: 'now' | undefined;
  /** A cursor that was kept: behind that. */
  after?: Cursor;
  /** Gives the cursor that was kept; it goes before `after` and `from`. */
  load?: (() => Cursor | Promise<Cursor>) | undefined;
  /** Keeps a cursor: what came before it has been worked on. */
  save?: ((cursor: string) => unknown) | undefined;
  /** Seconds for which the service holds an answer until something comes: 25 unless given. */
  wait?: number | undefined;
  /** `false`: it ends when there is nothing new, and does not wait for more. */
  live?: boolean | undefined;
}

/** Changes in their order, and the cursor behind them. */
export interface FeedPart {
  data: Schemas['Change'][];
  next: string;
}

/** The changes as they come, in the parts in which they are answered. A part is saved when the next one is asked for. */
export async function* followFeed(send: Send, options: FeedOptions): AsyncGenerator<FeedPart, void, undefined> {
  const { from, after, load, save, wait = 25, live = true, signal, entity, companyId, userId, limit } = options;
  let cursor = (await load?.()) ?? after ?? undefined;
  for (;;) {
    const place = cursor === undefined ? { from } : { after: cursor, wait: live ? wait : undefined };
    const query = { ...place, entity, companyId, userId, limit };
    const asked = { method: 'get', path: '/api/events/list', query, signal, repeatable: true } as const;
    const { data, next } = (await send(asked)) as Answer<'/api/events/list'>;
    const isNew = next !== cursor;
    if (isNew) {
      yield { data, next };
      await save?.(next);
    }
    if (!isNew && !live) return;
    cursor = next;
  }
}
