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
