/** Returns the Levenshtein distance. */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [column, compared] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === compared ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Characters that may be wrong, missing or too many. */
const MAX_DISTANCE = 2;
/** Longest name that is compared: the work is the product of the lengths. */
const MAX_LENGTH = 60;

/** Returns the known name that a mistyped one is nearest to, without regard to case, `_` and `-`; undefined where none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const plain = (text: string) => text.replaceAll(/[_-]/g, '').toUpperCase();
  const [nearest] = known
    .map((each) => ({ each, distance: editDistance(plain(each), plain(name)) }))
    .filter(({ each, distance }) => distance <= MAX_DISTANCE && distance < each.length / 2)
    .sort((one, other) => one.distance - other.distance);
  return nearest?.each;
}
