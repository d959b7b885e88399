/** Lists of rows or ranks in contiguous memory. */
export interface NumberLists {
  numbers: Uint32Array<ArrayBuffer>;
  /** Start of each list; it ends at the start of the next. */
  starts: Uint32Array<ArrayBuffer>;
}

/** Texts as code units in contiguous memory. */
export interface WrittenTexts {
  units: Uint16Array<ArrayBuffer>;
  /** Start of each text in `units`, and the end of the last one. */
  starts: Uint32Array<ArrayBuffer>;
}

/** Returns the start of each part of a whole, by their lengths, and the end of the last one. */
export function startsOf(lengths: readonly number[]): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(lengths.length + 1);
  for (const [index, length] of lengths.entries()) starts[index + 1] = (starts[index] ?? 0) + length;
  return starts;
}

export function joinLists(lists: readonly (readonly number[])[]): NumberLists {
  return { numbers: Uint32Array.from(lists.flat()), starts: startsOf(lists.map(({ length }) => length)) };
}

export function writeTexts(texts: readonly string[]): WrittenTexts {
  const starts = startsOf(texts.map(({ length }) => length));
  const units = new Uint16Array(starts.at(-1) ?? 0);
  for (const [index, text] of texts.entries()) {
    const start = starts[index] ?? 0;
    for (let at = 0; at < text.length; at++) units[start + at] = text.charCodeAt(at);
  }
  return { units, starts };
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
  const keys = new Float64Array(ids.length);
  for (let index = 0; index < ids.length; index++) keys[index] = (ids[index] ?? 0) * INDEXES + index;
  keys.sort();
  const indexes = new Uint32Array(ids.length);
  for (let at = 0; at < ids.length; at++) indexes[at] = (keys[at] ?? 0) % INDEXES;
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

/** The required ids of a filter, the filter's id at each rank, and the ranks with a required one, ascending. */
export interface Condition {
  required: ReadonlySet<number>;
  ids: Int32Array;
  ranks: Uint32Array;
}

/** Returns the filter for all conditions; undefined if there are none. */
export function filterBy(conditions: readonly Condition[]): RankFilter | undefined {
  const [first] = conditions;
  if (first === undefined) return undefined;
  return {
    ranks: conditions.map(({ ranks }) => ranks).reduce(shorter, first.ranks),
    narrow: (ranks) =>
      conditions.reduce((left, condition) => (left === condition.ranks ? left : withIds(left, condition)), ranks),
  };
}

function withIds(ranks: Uint32Array, { required, ids }: Condition): Uint32Array {
  const [only] = required.size === 1 ? required : [];
  if (only === undefined) return filterRanks(ranks, (rank) => required.has(ids[rank] ?? 0));
  const hits = new Uint32Array(ranks.length);
  let count = 0;
  // Without a call for each rank, which takes twice as long.
  for (let index = 0; index < ranks.length; index++) {
    const rank = ranks[index] ?? 0;
    if (ids[rank] === only) hits[count++] = rank;
  }
  return hits.subarray(0, count);
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
  merged.set(one.subarray(first), count);
  count += one.length - first;
  merged.set(other.subarray(second), count);
  count += other.length - second;
  return merged.subarray(0, count);
}
