import { type Database, databaseWhile, type IsWanted } from '../db/database.ts';
import type { batchLoader } from '../lib/batch-loader.ts';
import type { Visibility } from './change-filter.ts';
import type { FeedPosition } from './feed-cursor.ts';
import type { FeedWatch } from './feed-watch.ts';
import { publishSome } from './publish.ts';
import { type FeedRange, findFeedPosition, listPublishedChanges } from './published-changes.ts';

/** Serialised changes. */
export interface ReadChanges {
  count: number;
  /** Comma-separated JSON. */
  json: Buffer;
  /** Position of the last change; undefined if there are none. */
  last: Pick<FeedPosition, 'position' | 'fingerprint'> | undefined;
  /** Whether no change after the start of the range has been removed. */
  isWhole: boolean;
}

/** Deduplicated reads of the feed: the same question within one turn of the event loop is read once, as waiting followers wake together. */
export interface SharedReads {
  /** Publishes committed changes, see {@link publishSome}. */
  publish(): Promise<void>;
  /** As {@link findFeedPosition} does. */
  find(position: string): Promise<FeedPosition | undefined>;
  /** As {@link listPublishedChanges} does. */
  changes(visibility: Visibility, range: FeedRange): Promise<ReadChanges>;
}

/** The change feed, for followers. */
export type Feed = FeedWatch & SharedReads;

/** Followers take turns with each other: an answer has dozens of statements, behind which the look-ups of callers would wait. */
const OF_FOLLOWERS: IsWanted = Object.assign(() => true, { share: 'feed' });

export function shareReads(database: Database, batch: typeof batchLoader): SharedReads {
  const db = databaseWhile(OF_FOLLOWERS, database);
  const published = shared(batch, () => publishSome(db));
  const positions = shared(batch, (position) => findFeedPosition(db, position));
  const changes = shared(batch, async (question) => {
    const { visibility, range } = JSON.parse(question) as { visibility: Visibility; range: FeedRange };
    const { items, last, isWhole } = await listPublishedChanges(db, visibility, range);
    return { count: items.length, json: Buffer.from(JSON.stringify(items).slice(1, -1)), last, isWhole };
  });
  return {
    publish: () => published(''),
    find: positions,
    changes: (visibility, range) => changes(JSON.stringify({ visibility, range })),
  };
}

/** Deduplicates the same question within a turn of the event loop. */
function shared<Found>(
  batch: typeof batchLoader,
  ask: (question: string) => Promise<Found>,
): (question: string) => Promise<Found> {
  const askOnce = (questions: readonly string[]) => {
    const answers = new Map([...new Set(questions)].map((question) => [question, ask(question)]));
    return Promise.all(questions.map((question) => answers.get(question) as Promise<Found>));
  };
  return batch(askOnce, Number.POSITIVE_INFINITY);
}
