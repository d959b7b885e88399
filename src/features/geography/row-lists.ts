/**
 * Lists the rows of each key.
 *
 * @param keys numbers below `keyCount`; 0 stands for no key and gets an empty list
 * @param rowOf the row that each of the keys stands for, ascending; absent: the key's own place
 * @returns for each key its rows, ascending and each once, all in one block of memory
 */
export function rowsByKey(keys: Uint32Array, keyCount: number, rowOf?: Uint32Array): Uint32Array[] {
  const latest = new Uint32Array(keyCount);
  const ends = new Uint32Array(keyCount);
  const each = (visit: (key: number, row: number) => void): void => {
    latest.fill(0);
    for (let place = 0; place < keys.length; place++) {
      const key = keys[place] ?? 0;
      const row = rowOf === undefined ? place : (rowOf[place] ?? 0);
      if (key === 0 || latest[key] === row + 1) continue;
      latest[key] = row + 1;
      visit(key, row);
    }
  };
  each((key) => {
    ends[key] = (ends[key] ?? 0) + 1;
  });
  let total = 0;
  const starts = ends.map((count) => (total += count) - count);
  const rows = new Uint32Array(total);
  ends.set(starts);
  each((key, row) => {
    const end = ends[key] ?? 0;
    rows[end] = row;
    ends[key] = end + 1;
  });
  return Array.from(starts, (start, key) => rows.subarray(start, ends[key]));
}
