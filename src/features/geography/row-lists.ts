/** Lists of rows in one block of memory, by numbers. */
export interface RowLists {
  rows: Uint32Array<ArrayBuffer>;
  /** Where the list of each number begins; that of the next is where it ends. */
  starts: Uint32Array<ArrayBuffer>;
}

/** The rows of each id. */
export interface RowsOfIds extends RowLists {
  /** The id that each number stands for. */
  ids: Int32Array<ArrayBuffer>;
}

/** Lists the rows of each id, in the order in which they are given. */
export function listRowsOfIds(idOfRow: Int32Array, order: Iterable<number>): RowsOfIds {
  const numbers = new Map<number, number>();
  const counts: number[] = [];
  for (const id of idOfRow) {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    counts[number] = (counts[number] ?? 0) + 1;
  }
  const starts = new Uint32Array(numbers.size + 1);
  for (const [number, count] of counts.entries()) starts[number + 1] = (starts[number] ?? 0) + count;
  const rows = new Uint32Array(idOfRow.length);
  const next = starts.slice();
  for (const row of order) {
    const number = numbers.get(idOfRow[row] ?? 0) ?? 0;
    const at = next[number] ?? 0;
    rows[at] = row;
    next[number] = at + 1;
  }
  return { ids: Int32Array.from(numbers.keys()), starts, rows };
}

/** The lists by their ids. */
export function rowsById({ ids, starts, rows }: RowsOfIds): Map<number, Uint32Array> {
  return new Map(Array.from(ids, (id, number) => [id, rows.subarray(starts[number], starts[number + 1])]));
}

/** Rows that a list may have, at most. */
const MAX_ROWS = 2 ** 21;

/** @returns a function that gives the row of an id that `ids` has once; it is made ready when it is first asked */
export function rowFinder(ids: Int32Array): (id: number) => number | undefined {
  // Ids with their rows behind them, in one number each: these sort ten times as fast as rows by a comparison.
  let sorted: Float64Array | undefined;
  return (id) => {
    sorted ??= Float64Array.from(ids, (known, row) => known * MAX_ROWS + row).sort();
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] ?? 0) < id * MAX_ROWS) low = middle + 1;
      else high = middle;
    }
    const row = (sorted[low] ?? Number.POSITIVE_INFINITY) - id * MAX_ROWS;
    return row < MAX_ROWS ? row : undefined;
  };
}

/** What leaves some rows and not others. */
export interface RowFilter {
  /** Rows with all that it leaves among them, in search order. */
  rows: Uint32Array;
  /** Leaves those of the rows that pass, in their order. */
  narrow(rows: Uint32Array): Uint32Array;
}

/** A filter's id, what the filter holds of each row, and the rows that have that id in search order. */
export interface Condition {
  id: number;
  ids: Int32Array;
  rows: Uint32Array;
}

/** Returns the filter of all conditions; undefined: there is none. */
export function filterBy(conditions: readonly Condition[]): RowFilter | undefined {
  const [first] = conditions;
  if (first === undefined) return undefined;
  return {
    rows: conditions.map(({ rows }) => rows).reduce(shorter, first.rows),
    narrow: (rows) =>
      conditions.reduce((left, condition) => (left === condition.rows ? left : withId(left, condition)), rows),
  };
}

function withId(rows: Uint32Array, { id, ids }: Condition): Uint32Array {
  const hits = new Uint32Array(rows.length);
  let count = 0;
  // By index: `for … of` takes twice as long here.
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? 0;
    if (ids[row] === id) hits[count++] = row;
  }
  return hits.subarray(0, count);
}

/** Returns the filter that leaves so few rows, which are in search order. */
export function filterTo(rows: Uint32Array): RowFilter {
  const left = new Set(rows);
  return { rows, narrow: (others) => (others === rows ? rows : rowsThat(others, (row) => left.has(row))) };
}

/** Leaves the rows that pass, in their order: `TypedArray.prototype.filter` takes five times as long. */
export function rowsThat(rows: Uint32Array, passes: (row: number) => boolean): Uint32Array {
  const left = new Uint32Array(rows.length);
  let count = 0;
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? 0;
    if (passes(row)) left[count++] = row;
  }
  return left.subarray(0, count);
}

/** The shorter of two lists, the first where they are as long. */
export function shorter(one: Uint32Array, other: Uint32Array): Uint32Array {
  return other.length < one.length ? other : one;
}

/** Returns the rows of all lists in their order, each once. @param rowCount more than any row */
export function union(lists: readonly Uint32Array[], rowCount: number): Uint32Array {
  const filled = lists.filter(({ length }) => length > 0);
  if (filled.length < 2) return filled[0] ?? new Uint32Array(0);
  const seen = new Uint8Array(rowCount);
  const all = new Uint32Array(filled.reduce((sum, { length }) => sum + length, 0));
  let count = 0;
  for (const rows of filled) {
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] ?? 0;
      if (seen[row] === 1) continue;
      seen[row] = 1;
      all[count++] = row;
    }
  }
  return all.subarray(0, count);
}

/** Returns the rows of two lists that are in search order, each once, in search order. */
export function sortedUnion(
  one: Uint32Array,
  other: Uint32Array,
  compare: (one: number, other: number) => number,
): Uint32Array {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const merged = new Uint32Array(one.length + other.length);
  let [first, second, count] = [0, 0, 0];
  while (first < one.length && second < other.length) {
    const [left, right] = [one[first] ?? 0, other[second] ?? 0];
    const difference = compare(left, right);
    merged[count++] = difference <= 0 ? left : right;
    if (difference <= 0) first++;
    if (difference >= 0) second++;
  }
  merged.set(one.subarray(first), count);
  count += one.length - first;
  merged.set(other.subarray(second), count);
  count += other.length - second;
  return merged.subarray(0, count);
}
