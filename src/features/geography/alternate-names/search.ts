import { type IndexedNames, PREFIX_LETTERS, prefixKey } from './build.ts';
import { looseForm } from './loose-form.ts';

/** Finds rows by their own and other names, as people type them. Needles are folded; rows come in search order, each once. */
export interface NameSearch {
  /** Rows one of whose names is the needle. */
  whole(needle: string): Uint32Array;
  /** Rows one of whose names begins with the needle; of a needle that has fewer than three letters there are none. */
  beginning(needle: string): Uint32Array;
}

const NONE = new Uint32Array(0);

export function openNameSearch({ keys, groupStarts, starts, units, rows }: IndexedNames): NameSearch {
  /** Returns the rows of the forms that begin with `form`, and are no longer than `maxLength`. */
  function find(form: string, maxLength: number): Uint32Array {
    const group = groupWith(prefixKey(form.charCodeAt(0), form.charCodeAt(1) || 0, form.charCodeAt(2) || 0));
    if (group === undefined) return NONE;
    const [first, end] = [groupStarts[group] ?? 0, groupStarts[group + 1] ?? 0];
    const found = new Uint32Array(end - first);
    let count = 0;
    for (let at = first; at < end; at++) {
      const start = starts[at] ?? 0;
      const length = (starts[at + 1] ?? 0) - start;
      if (length < form.length || length > maxLength) continue;
      // The first letters are those of the group.
      let index = PREFIX_LETTERS;
      while (index < form.length && units[start + index] === form.charCodeAt(index)) index++;
      if (index < form.length) continue;
      const row = rows[at] ?? 0;
      // A row has its forms one behind the other.
      if (count === 0 || found[count - 1] !== row) found[count++] = row;
    }
    return found.subarray(0, count);
  }

  function groupWith(key: number): number | undefined {
    let [low, high] = [0, keys.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] ?? 0) < key) low = middle + 1;
      else high = middle;
    }
    return keys[low] === key ? low : undefined;
  }

  return {
    whole(needle) {
      const form = looseForm(needle);
      return form === '' ? NONE : find(form, form.length);
    },
    beginning(needle) {
      const form = looseForm(needle);
      return form.length < PREFIX_LETTERS ? NONE : find(form, Number.POSITIVE_INFINITY);
    },
  };
}
