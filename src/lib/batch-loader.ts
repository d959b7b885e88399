import DataLoader from 'dataloader';

/** Default maximum of items per look-up: larger batches would occupy one connection where several could share the work. */
const MAX_BATCH = 32;

/**
 * Batches the look-ups of one turn of the event loop. A busy service takes many requests per turn, and looking up ten items costs
 * little more than one. Nothing is cached.
 *
 * @param lookUp returns the results in the order of the items
 * @param maxBatchSize maximum of items per call
 */
export function batchLoader<Item, Found>(
  lookUp: (items: readonly Item[]) => Promise<readonly Found[]>,
  maxBatchSize = MAX_BATCH,
): (item: Item) => Promise<Found> {
  const loader = new DataLoader<Item, Found>(lookUp, {
    cache: false,
    maxBatchSize,
    batchScheduleFn: setImmediate,
  });
  return (item) => loader.load(item);
}

/**
 * Batches the writes that arrive while the previous one is in flight: a busy writer needs fewer statements, and an idle one does not
 * wait.
 *
 * @param write returns the results in the order of the items
 */
export function groupWrites<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let before: Promise<unknown> = Promise.resolve();
  const group = (items: readonly Item[]) => {
    const writing = write(items);
    before = writing.catch(() => undefined);
    return writing;
  };
  const loader = new DataLoader<Item, Result>(group, {
    cache: false,
    batchScheduleFn: (go) => void before.then(() => setImmediate(go)),
  });
  return (item) => loader.load(item);
}
