import { filterRanks } from '../number-lists.ts';
import { looseForm } from './loose-form.ts';
import { NO_SIMILAR, type SimilarNames } from './search.ts';

/** Hebrew, Arabic and scripts of India: a wrong letter of a short word often makes another name. */
const SHORT_WORDS = /^[\u0590-\u0dff]/;
/** Logarithms of how many times the people: a letter twice, once or swapped is worth as much; so far ahead is the name that is meant. */
const [SLIP, AHEAD] = [1, Math.log10(2)];

/**
 * Returns the ranks that a needle with a wrong letter means. In scripts of short words it means nothing where another name is about as
 * near: a letter twice, once or swapped is nearer than another letter, and a place with more people than one with few.
 *
 * @param weights of the ranks: the logarithm of the population
 */
export function likelyNames(needle: string, { whole, beginning, forms }: SimilarNames, weights: Float32Array) {
  const form = looseForm(needle);
  if (!SHORT_WORDS.test(form) || whole.length === 0) return { whole, beginning };
  const scored = Array.from(whole, (rank) => {
    const name = forms.get(rank) ?? '';
    return { name, score: (weights[rank] ?? 0) + (isSlip(form, name) ? SLIP : 0) };
  }).sort((one, other) => other.score - one.score);
  const [best] = scored;
  const next = scored.find(({ name }) => name !== best?.name);
  if (best === undefined || (next !== undefined && best.score - next.score < AHEAD)) return NO_SIMILAR;
  return { whole: filterRanks(whole, (rank) => forms.get(rank) === best.name), beginning };
}

/** Whether two texts that differ in a letter have the same ones, but for their order or how often one is repeated. */
function isSlip(one: string, other: string): boolean {
  const once = (text: string) => text.replace(/(.)\1/gu, '$1');
  const sorted = (text: string) => [...text].sort().join('');
  return once(one) === once(other) || sorted(one) === sorted(other);
}
