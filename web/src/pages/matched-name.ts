import { fold } from '../../../src/lib/text-folding.ts';

/** Returns a text as names are compared here: folded, letters and digits only. */
function lettersOf(text: string): string {
  return fold(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

/**
 * Returns the alternate name by which a search found a place: an exact match, otherwise one with the typed prefix;
 * undefined if the place's own name matches, or no other does. The search text after a comma names the region, and is
 * ignored.
 */
export function matchedName(search: string, name: string, others: readonly string[]): string | undefined {
  const [typed = ''] = search.split(/[,،、，]/);
  const letters = lettersOf(typed);
  if (letters === '' || lettersOf(name).includes(letters)) return undefined;
  return (
    others.find((other) => lettersOf(other) === letters) ?? others.find((other) => lettersOf(other).startsWith(letters))
  );
}
