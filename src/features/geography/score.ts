/** Added to the logarithm of the population, by how a name matches: 1 outweighs ten times the people. */
export const BONUS = {
  airport: 0.4,
  airportCode: 8,
  inArea: 4,
  official: 1.2,
  ownBeginning: 0,
  otherBeginning: -1,
  similarWhole: 2,
  similarBeginning: 0,
} as const;

/** Bonus of a whole own or alternate name by the letters of the needle, up to five: a short needle is seldom meant to be whole. */
const WHOLE = {
  own: [0, 0.5, 0.5, 1, 2, 3.6],
  other: [0, -0.5, -0.5, -0.25, 1, 2],
} as const;

export function wholeBonus(form: string, isOwn: boolean): number {
  const bonuses = isOwn ? WHOLE.own : WHOLE.other;
  // A letter of Han or Hangul is a syllable or a word.
  const letters = /[\u1100-\u11ff\u3040-\u9fff]/.test(form) ? bonuses.length - 1 : form.length;
  return bonuses[Math.min(letters, bonuses.length - 1)] ?? 0;
}

/** Returns ranks, of lists that ascend, in the order of their score; one of several lists comes by its highest bonus first, and again. Weights descend with the rank. */
export function inScoreOrder(
  weights: Float32Array,
  lists: readonly { ranks: Uint32Array; bonus: number }[],
): Uint32Array {
  let left = lists
    .filter(({ ranks }) => ranks.length > 0)
    .sort((a, b) => b.bonus - a.bonus)
    .map(({ ranks, bonus }) => ({ ranks, bonus, at: 0 }));
  const merged = new Uint32Array(left.reduce((sum, { ranks }) => sum + ranks.length, 0));
  let count = 0;
  for (let [first] = left; first !== undefined; [first] = left) {
    if (left.length === 1) {
      merged.set(first.ranks.subarray(first.at), count);
      break;
    }
    let [best, most] = [first, Number.NEGATIVE_INFINITY];
    for (let index = 0; index < left.length; index++) {
      const list = left[index] ?? first;
      const score = (weights[list.ranks[list.at] ?? 0] ?? 0) + list.bonus;
      if (score > most) [best, most] = [list, score];
    }
    merged[count++] = best.ranks[best.at++] ?? 0;
    if (best.at === best.ranks.length) left = left.filter((list) => list !== best);
  }
  return merged;
}
