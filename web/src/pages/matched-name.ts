import { fold } from '../../../src/lib/text-folding.ts';

/** Returns a text as names are compared here: folded, letters and digits alone. */
function lettersOf(text: string): string {
  return fold(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

/**
 * Returns the other name that a search has found a place by: the one that is what was typed, else one that begins so; undefined where the
 * place's own name has it, or no other name does. What stands behind a comma is where the place lies.
 */
export function matchedName(search: string, name: string, others: readonly string[]): string | undefined {
  const [typed = ''] = search.split(/[,،、，]/);
  const letters = lettersOf(typed);
  if (letters === '' || lettersOf(name).includes(letters)) return undefined;
  return (
    others.find((other) => lettersOf(other) === letters) ?? others.find((other) => lettersOf(other).startsWith(letters))
  );
}
