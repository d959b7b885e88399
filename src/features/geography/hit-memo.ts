/** Remembers what was found for the latest keys, within a bound of memory. */
export interface HitMemo {
  /** What is remembered for the key, or else what `find` gives, which is then remembered. */
  get(key: string, find: () => Uint32Array): Uint32Array;
  /** The memory in use, in bytes, roughly. */
  readonly bytes: number;
}

/** What an entry takes beside its key's letters and its rows, roughly: the map's slot, the array's and the string's header. */
const OVERHEAD = 200;

/**
 * Two generations: a key is remembered in the younger one, and the elder is forgotten whole when the younger has grown
 * to half of the capacity. (One Map with the keys in order of use costs far more: to delete and set the same key again
 * and again makes V8 walk over all that was deleted.)
 *
 * @param capacity bytes in use at most. A result of more than a sixteenth of it is not kept: it would push out many others.
 */
export function createHitMemo(capacity: number): HitMemo {
  let younger = new Map<string, Uint32Array>();
  let elder = younger;
  let youngerBytes = 0;
  let elderBytes = 0;

  return {
    get bytes() {
      return youngerBytes + elderBytes;
    },
    get(key, find) {
      const known = younger.get(key);
      if (known !== undefined) return known;
      const rows = elder.get(key) ?? find();
      const weight = OVERHEAD + 2 * key.length + rows.byteLength;
      if (weight > capacity / 16) return rows;
      if (youngerBytes + weight > capacity / 2) {
        elder = younger;
        elderBytes = youngerBytes;
        younger = new Map();
        youngerBytes = 0;
      }
      younger.set(key, rows);
      youngerBytes += weight;
      return rows;
    },
  };
}
