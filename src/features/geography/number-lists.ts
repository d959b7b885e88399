/** Texts as code units in contiguous memory. */
export interface WrittenTexts {
  units: Uint16Array<ArrayBuffer>;
  /** Start of each text in `units`, and the end of the last one. */
  starts: Uint32Array<ArrayBuffer>;
}

export const NONE = new Uint32Array(0);

/** Returns the start of each part of a whole, by their lengths, and the end of the last one. */
export function startsOf(lengths: readonly number[]): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(lengths.length + 1);
  for (const [index, length] of lengths.entries()) starts[index + 1] = (starts[index] ?? 0) + length;
  return starts;
}

export function writeTexts(texts: readonly string[]): WrittenTexts {
  const bytes = new Uint8Array(Buffer.from(texts.join(''), 'utf16le'));
  return { units: new Uint16Array(bytes.buffer), starts: startsOf(texts.map(({ length }) => length)) };
}

export function textAt({ units, starts }: WrittenTexts, index: number): string {
  return String.fromCharCode(...units.subarray(starts[index], starts[index + 1]));
}

/** Returns the rows at ranks, in their order. */
export function rowsAt(ranks: Uint32Array, order: Uint32Array): Uint32Array {
  const rows = new Uint32Array(ranks.length);
  for (let index = 0; index < ranks.length; index++) rows[index] = order[ranks[index] ?? 0] ?? 0;
  return rows;
}

/** Returns the first index below `length` from which on a condition no longer holds. */
export function firstIndex(length: number, isBefore: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** More than any index. */
const INDEXES = 2 ** 20;

/** Returns a function that returns the indexes of an id, ascending. */
export function indexById(ids: Int32Array): (id: number) => Uint32Array {
  const keys = new Float64Array(ids);
  for (let index = 0; index < ids.length; index++) keys[index] = (keys[index] ?? 0) * INDEXES + index;
  const indexes = new Uint32Array(keys.sort().map((key) => key % INDEXES));
  const from = (id: number) => firstIndex(indexes.length, (at) => (ids[indexes[at] ?? 0] ?? 0) < id);
  return (id) => indexes.subarray(from(id), from(id + 1));
}

/** Passes some ranks and not others. */
export interface RankFilter {
  /** A superset of the ranks that pass, ascending. */
  ranks: Uint32Array;
  /** Returns those of the ranks that pass, in their order. */
  narrow(ranks: Uint32Array): Uint32Array;
}

/** Returns the filter that passes the ranks with one of the required ids. @param ranks those with one of them, ascending */
export function filterToIds(required: ReadonlySet<number>, ids: Int32Array, ranks: Uint32Array): RankFilter {
  const [only] = required.size === 1 ? required : [];
  function narrow(others: Uint32Array): Uint32Array {
    if (others === ranks) return ranks;
    if (only === undefined) return filterRanks(others, (rank) => required.has(ids[rank] ?? 0));
    const hits = new Uint32Array(others.length);
    let count = 0;
    // Without a call for each rank, which takes twice as long.
    for (let index = 0; index < others.length; index++) {
      const rank = others[index] ?? 0;
      if (ids[rank] === only) hits[count++] = rank;
    }
    return hits.subarray(0, count);
  }
  return { ranks, narrow };
}

/** Returns the filter that passes these ranks, which ascend. */
export function filterTo(ranks: Uint32Array): RankFilter {
  const left = new Set(ranks);
  return { ranks, narrow: (others) => (others === ranks ? ranks : filterRanks(others, (rank) => left.has(rank))) };
}

/** Returns the ranks that pass, in their order: `TypedArray.prototype.filter` takes five times as long. */
export function filterRanks(ranks: Uint32Array, passes: (rank: number) => boolean): Uint32Array {
  const left = new Uint32Array(ranks.length);
  let count = 0;
  for (let index = 0; index < ranks.length; index++) {
    const rank = ranks[index] ?? 0;
    if (passes(rank)) left[count++] = rank;
  }
  return left.subarray(0, count);
}

/** Returns the shorter of two lists, the first if they are equally long. */
export function shorter(one: Uint32Array, other: Uint32Array): Uint32Array {
  return other.length < one.length ? other : one;
}

/** Returns a function that concatenates lists of ranks without duplicates. @param count more than any rank */
export function unionOf(count: number): (lists: readonly Uint32Array[]) => Uint32Array {
  // Shared by all calls, and clear between them.
  const seen = new Uint8Array(count);
  return (lists) => {
    const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
    let length = 0;
    for (const ranks of lists) {
      for (let index = 0; index < ranks.length; index++) {
        const rank = ranks[index] ?? 0;
        if (seen[rank] === 1) continue;
        seen[rank] = 1;
        all[length++] = rank;
      }
    }
    for (let index = 0; index < length; index++) seen[all[index] ?? 0] = 0;
    return all.subarray(0, length);
  };
}

/** Returns the union of two ascending lists, ascending and without duplicates. */
export function sortedUnion(one: Uint32Array, other: Uint32Array): Uint32Array {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const merged = new Uint32Array(one.length + other.length);
  let [first, second, count] = [0, 0, 0];
  while (first < one.length && second < other.length) {
    const [left, right] = [one[first] ?? 0, other[second] ?? 0];
    merged[count++] = Math.min(left, right);
    if (left <= right) first++;
    if (right <= left) second++;
  }
  const [rest, from] = first < one.length ? [one, first] : [other, second];
  merged.set(rest.subarray(from), count);
  return merged.subarray(0, count + rest.length - from);
}
