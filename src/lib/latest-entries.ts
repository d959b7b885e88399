import { LRUCache } from 'lru-cache';

/**
 * Returns a cache that keeps the `most` most recently used entries. It is bounded by size, as a bound by number (the library's `max`) would
 * allocate memory for all entries up front.
 *
 * @param dispose is called with each value that is evicted or replaced
 */
export function latestEntries<Value extends NonNullable<unknown>>(
  most: number,
  dispose?: (value: Value) => void,
): LRUCache<string, Value> {
  return new LRUCache<string, Value>({ maxSize: most, sizeCalculation: () => 1, ...(dispose && { dispose }) });
}
