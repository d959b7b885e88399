import DataLoader from 'dataloader';

/** Items that are looked up at once, at most: more would keep one connection busy that others could share. */
const MAX_BATCH = 32;

/**
 * Looks up together what is asked for one by one within the same turn of the event loop. A busy service takes many requests a
 * turn, and a look-up of ten costs little more than one of one. Nothing is remembered from one look-up to the next.
 *
 * @param lookUp gives what it found, in the order of the items
 */
export function batchLoader<Item, Found>(
  lookUp: (items: readonly Item[]) => Promise<readonly Found[]>,
): (item: Item) => Promise<Found> {
  const loader = new DataLoader<Item, Found>(lookUp, {
    cache: false,
    maxBatchSize: MAX_BATCH,
    batchScheduleFn: setImmediate,
  });
  return (item) => loader.load(item);
}
