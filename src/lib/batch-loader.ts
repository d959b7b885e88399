import DataLoader from 'dataloader';

/** Items that are looked up at once, at most, where nothing else is said: more would keep one connection busy that others could share. */
const MAX_BATCH = 32;

/**
 * Looks up together what is asked for one by one within the same turn of the event loop. A busy service takes many requests a
 * turn, and a look-up of ten costs little more than one of one. Nothing is remembered from one look-up to the next.
 *
 * @param lookUp gives what it found, in the order of the items
 * @param maxBatchSize items that it is given at once, at most
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
 * Writes together what comes while the write before is in flight, so that a busy writer has a statement for many and a quiet one
 * waits for nobody.
 *
 * @param write gives what became of each item, in their order
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
