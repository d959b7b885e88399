/**
 * Lists the rows of each key.
 *
 * @param keys numbers below `keyCount`; 0 stands for no key and has no rows
 * @param rowOf the row that each of the keys belongs to, ascending; absent: the row is the key's own place
 * @returns for each key its rows, ascending and each once; all lists share one block of memory
 */
export function rowsByKey(keys: Uint32Array, keyCount: number, rowOf?: Uint32Array): Uint32Array[] {
  const rowAt = (place: number): number => (rowOf === undefined ? place : (rowOf[place] ?? 0));

  const counts = new Uint32Array(keyCount);
  // The row that a key was met in last, plus one.
  const met = new Uint32Array(keyCount);
  for (let place = 0; place < keys.length; place++) {
    const key = keys[place] ?? 0;
    const mark = rowAt(place) + 1;
    if (key === 0 || met[key] === mark) continue;
    met[key] = mark;
    counts[key] = (counts[key] ?? 0) + 1;
  }

  const starts = new Uint32Array(keyCount + 1);
  for (let key = 0; key < keyCount; key++) starts[key + 1] = (starts[key] ?? 0) + (counts[key] ?? 0);
  const rows = new Uint32Array(starts[keyCount] ?? 0);
  const ends = starts.slice();
  met.fill(0);
  for (let place = 0; place < keys.length; place++) {
    const key = keys[place] ?? 0;
    const mark = rowAt(place) + 1;
    if (key === 0 || met[key] === mark) continue;
    met[key] = mark;
    const end = ends[key] ?? 0;
    rows[end] = mark - 1;
    ends[key] = end + 1;
  }
  return Array.from({ length: keyCount }, (_, key) => rows.subarray(starts[key], starts[key + 1]));
}
