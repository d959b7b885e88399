/** Added to the logarithm of the population, by how a name matches: 1 outweighs ten times the people. */
export const BONUS = {
  airport: 1,
  inArea: 4,
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

/** Ranks that match in one way, ascending. */
export interface ScoredRanks {
  ranks: Uint32Array;
  bonus: number;
}

/** Returns ranks in the order of their score, each once: by its highest bonus. Weights descend with the rank. */
export function inScoreOrder(weights: Float32Array, lists: readonly ScoredRanks[]): Uint32Array {
  const filled = lists.filter(({ ranks }) => ranks.length > 0).sort((a, b) => b.bonus - a.bonus);
  if (filled.length < 2) return filled[0]?.ranks ?? new Uint32Array(0);
  const next = new Uint32Array(filled.length);
  const merged = new Uint32Array(filled.reduce((sum, { ranks }) => sum + ranks.length, 0));
  const seen = new Set<number>();
  let count = 0;
  for (let step = 0; step < merged.length; step++) {
    let [best, most] = [-1, Number.NEGATIVE_INFINITY];
    for (let list = 0; list < filled.length; list++) {
      const { ranks, bonus } = filled[list] as ScoredRanks;
      const at = next[list] ?? 0;
      if (at >= ranks.length) continue;
      const score = (weights[ranks[at] ?? 0] ?? 0) + bonus;
      if (score <= most) continue;
      [best, most] = [list, score];
    }
    const at = next[best] ?? 0;
    next[best] = at + 1;
    const rank = filled[best]?.ranks[at] ?? 0;
    if (seen.has(rank)) continue;
    seen.add(rank);
    merged[count++] = rank;
  }
  return merged.subarray(0, count);
}
