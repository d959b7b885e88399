/** Remembers what was found for the latest keys, within a bound of memory. */
export interface HitMemo {
  /** What is remembered for the key, or what `find` gives, which is then remembered. */
  get(key: string, find: () => Uint32Array): Uint32Array;
  /** The memory that is used, in bytes, roughly. */
  readonly bytes: number;
}

/** What an entry takes beside its key and its rows, roughly: the map's slot, the array's header, the string's. */
const OVERHEAD = 200;

/**
 * @param capacity bytes that are used at most; what was asked for longest ago goes first.
 *   A result of more than a sixteenth of it is not kept: one large answer would push out many small ones.
 */
export function createHitMemo(capacity: number): HitMemo {
  // A Map keeps the order in which keys came in: the first is the one that was used longest ago.
  const found = new Map<string, Uint32Array>();
  let bytes = 0;
  const weigh = (key: string, rows: Uint32Array): number => OVERHEAD + 2 * key.length + rows.byteLength;

  return {
    get bytes() {
      return bytes;
    },
    get(key, find) {
      const known = found.get(key);
      if (known !== undefined) {
        found.delete(key);
        found.set(key, known);
        return known;
      }
      const rows = find();
      const weight = weigh(key, rows);
      if (weight > capacity / 16) return rows;
      found.set(key, rows);
      bytes += weight;
      for (const [oldest, its] of found) {
        if (bytes <= capacity) break;
        found.delete(oldest);
        bytes -= weigh(oldest, its);
      }
      return rows;
    },
  };
}
