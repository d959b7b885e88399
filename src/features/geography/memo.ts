/** Remembers what was made for the latest keys, within a bound of memory. */
export interface Memo<Value extends Uint8Array | Uint32Array> {
  /** What is remembered for the key, or else what `make` gives, which is then remembered. */
  get(key: string, make: () => Value): Value;
  /** What has been used of late for the key, if anything. */
  peek(key: string): Value | undefined;
  /** The memory in use, in bytes, roughly. */
  readonly bytes: number;
}

/** What an entry takes beside its key's letters and its value, roughly: the map's slot, the array's and the string's header. */
const OVERHEAD = 200;

/**
 * Two generations: a key is remembered in the younger one, and the elder is forgotten whole when the younger has grown
 * to half of the capacity. (One Map with the keys in order of use costs far more: to delete and set the same key again
 * and again makes V8 walk over all that was deleted.)
 *
 * @param capacity bytes in use at most. A result of more than a sixteenth of it is not kept: it would push out many others.
 */
export function createMemo<Value extends Uint8Array | Uint32Array>(capacity: number): Memo<Value> {
  let younger = new Map<string, Value>();
  let elder = younger;
  let youngerBytes = 0;
  let elderBytes = 0;

  return {
    get bytes() {
      return youngerBytes + elderBytes;
    },
    peek: (key) => younger.get(key),
    get(key, make) {
      const known = younger.get(key);
      if (known !== undefined) return known;
      const value = elder.get(key) ?? make();
      const weight = OVERHEAD + 2 * key.length + value.byteLength;
      if (weight > capacity / 16) return value;
      if (youngerBytes + weight > capacity / 2) {
        elder = younger;
        elderBytes = youngerBytes;
        younger = new Map();
        youngerBytes = 0;
      }
      younger.set(key, value);
      youngerBytes += weight;
      return value;
    },
  };
}
