import { fold } from '../../lib/text-folding.ts';

/** Code units that are folded at a time where a text may be too long. */
const CHUNK = 64;

/**
 * Folds a search text.
 *
 * A request may hold a text of 64 KiB, and one code point can fold to eighteen: what is longer than all that it could
 * be found in is not folded to its end.
 *
 * @returns undefined where the folded text is longer than `longest` code units
 */
export function foldNeedle(search: string, longest: number): string | undefined {
  if (search.length > longest) {
    let length = 0;
    for (let start = 0, end = 0; start < search.length; start = end) {
      end = start + CHUNK;
      if (isHighSurrogate(search.charCodeAt(end - 1))) end++;
      // The chunks' spaces at the ends are missing: together they are no longer than the whole.
      length += fold(search.slice(start, end)).length;
      if (length > longest) return undefined;
    }
  }
  const needle = fold(search);
  return needle.length > longest ? undefined : needle;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
