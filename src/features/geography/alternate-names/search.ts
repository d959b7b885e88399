import { UNITS, unitsKey } from '../ngram-index.ts';
import { filterRanks, firstIndex, NONE } from '../number-lists.ts';
import { AIRPORT_MARK, type IndexedNames, OWN, PREFIX_LETTERS } from './build.ts';
import { looseForm } from './loose-form.ts';

const SPACE = ' '.charCodeAt(0);
const AIRPORT = /^[a-z]{3}$/;
/** Least number of letters of a needle with a wrong one, of a script that leaves out vowels more. The first is right. */
const [SIMILAR_LETTERS, SIMILAR_CONSONANTS] = [5, 7];
const CONSONANTS = /^[\u0590-\u07ff]/;
const MARKS = /\p{M}/gu;
/** Two letters of these scripts are as much as three of Latin. */
const DENSE = /^[\u0900-\u0dff\u0e00-\u0eff\u1000-\u11ff\u3040-\u9fff][^\s]/;

/** Ranks with a name that a needle with a wrong letter may mean, and the name of each. */
export type SimilarNames = { whole: Uint32Array; beginning: Uint32Array; forms: ReadonlyMap<number, string> };
export const NO_SIMILAR: SimilarNames = { whole: NONE, beginning: NONE, forms: new Map() };

/** Whether the form may be longer than the needle, and whether spaces count. */
type Match = 'own' | 'whole' | 'beginning' | 'without spaces';

export type NameSearch = ReturnType<typeof openNameSearch>;

/**
 * Finds ranks (indexes in search order) by own and alternate names, as people type them. Needles are folded; results ascend without
 * duplicates.
 */
export function openNameSearch({ keys, groupStarts, starts, units, ranks }: IndexedNames) {
  function find(needle: string, match: Match): Uint32Array {
    const letters = needle.replaceAll(' ', '');
    if (letters === '') return NONE;
    const isWhole = match === 'own' || match === 'whole';
    const isDense = match === 'beginning' && letters.length === 2 && DENSE.test(letters);
    if (!isWhole && letters.length < PREFIX_LETTERS && !isDense) return NONE;
    const wanted = unitsOf(needle);
    const key = unitsKey(letters);
    const end = groupStarts[firstGroup(key + (isDense ? UNITS : 1))] ?? 0;
    const found: number[] = [];
    for (let at = groupStarts[firstGroup(key)] ?? 0; at < end; at++) {
      const [from, to] = [starts[at] ?? 0, starts[at + 1] ?? 0];
      if (isWhole && to - from !== needle.length) continue;
      if (!(match === 'without spaces' ? hasLetters(from, to, letters) : beginsWith(from, to, wanted))) continue;
      if (match === 'own' && !((ranks[at] ?? 0) >= OWN)) continue;
      const rank = rankAt(at);
      // The forms of a rank are adjacent.
      if (found.at(-1) !== rank) found.push(rank);
    }
    return isDense ? ascending(found) : new Uint32Array(found);
  }

  const rankAt = (at: number) => (ranks[at] ?? 0) % OWN;

  /** Returns the first group whose key is at least that. */
  const firstGroup = (key: number) => firstIndex(keys.length, (group) => (keys[group] ?? 0) < key);

  function hasLetters(from: number, to: number, letters: string): boolean {
    let index = 0;
    for (let at = from; at < to && index < letters.length; at++) {
      if (units[at] === SPACE) continue;
      if (units[at] !== letters.charCodeAt(index)) return false;
      index++;
    }
    return index === letters.length;
  }

  /** Whether a form from a position on begins with the needle, or with the rest of it. */
  function beginsWith(from: number, to: number, needle: Uint16Array, rest = 0): boolean {
    if (to - from < needle.length - rest) return false;
    for (let index = rest; index < needle.length; index++) {
      if (units[from + index - rest] !== needle[index]) return false;
    }
    return true;
  }

  /** Returns how many units of the form the needle takes up if one letter of it is wrong; 0 if there is another difference. */
  function similarLength(from: number, to: number, needle: Uint16Array): number {
    const { length } = needle;
    if (to - from < length - 1) return 0;
    let at = 0;
    while (at < length && from + at < to && units[from + at] === needle[at]) at++;
    const form = from + at;
    const isSwapped = units[form] === needle[at + 1] && units[form + 1] === needle[at];
    if (isSwapped && beginsWith(form + 2, to, needle, at + 2)) return length;
    if (beginsWith(form + 1, to, needle, at + 1)) return length;
    if (beginsWith(form + 1, to, needle, at)) return length + 1;
    return beginsWith(form, to, needle, at + 1) ? length - 1 : 0;
  }

  function findSimilar(needle: string): SimilarNames {
    const [whole, beginning]: [number[], number[]] = [[], []];
    const forms = new Map<number, string>();
    const letters = needle.replaceAll(' ', '');
    const wanted = unitsOf(needle);
    const least = CONSONANTS.test(letters) ? SIMILAR_CONSONANTS : SIMILAR_LETTERS;
    if (letters.replace(MARKS, '').length < least) return NO_SIMILAR;
    const [two, three, four] = [letters.charCodeAt(1), letters.charCodeAt(2), letters.charCodeAt(3)];
    const first = letters.charCodeAt(0) * UNITS * UNITS;
    const last = firstGroup(first + UNITS * UNITS);
    for (let group = firstGroup(first); group < last; group++) {
      const key = keys[group] ?? 0;
      const [second, third] = [Math.floor(key / UNITS) % UNITS, key % UNITS];
      // The wrong letter is behind the second one, or is the second: wrong, missing, swapped or one too many.
      if (second !== two && third !== three && third !== two && (second !== three || third !== four)) continue;
      for (let at = groupStarts[group] ?? 0; at < (groupStarts[group + 1] ?? 0); at++) {
        const [from, to] = [starts[at] ?? 0, starts[at + 1] ?? 0];
        const length = similarLength(from, to, wanted);
        if (length === 0) continue;
        (to - from === length ? whole : beginning).push(rankAt(at));
        forms.set(rankAt(at), String.fromCharCode(...units.subarray(from, to)));
      }
    }
    return { whole: ascending(whole), beginning: ascending(beginning), forms };
  }

  return {
    /** Returns the ranks with a name equal to the needle. */
    whole: (needle: string) => find(looseForm(needle), 'whole'),
    /** Returns the ranks with the needle as their own name, or a part of it that stands alone. */
    own: (needle: string) => find(looseForm(needle), 'own'),
    /** Returns the ranks with a name that begins with the needle; none for fewer than three letters of a script that spells sounds. */
    beginning: (needle: string) => find(looseForm(needle), 'beginning'),
    /** As `beginning`, ignoring spaces: `newyork`, `l aquila`. */
    beginningWithoutSpaces: (needle: string) => find(looseForm(needle), 'without spaces'),
    /** Returns the ranks with that IATA code. */
    airport: (needle: string) => (AIRPORT.test(needle) ? find(AIRPORT_MARK + needle, 'whole') : NONE),
    /** Returns the ranks and names that are, or begin with, the needle with one letter wrong, missing, added or swapped with the next. */
    similar: (needle: string) => findSimilar(looseForm(needle)),
  };
}

const unitsOf = (text: string) => Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));

/** Returns the ranks ascending, each once. */
function ascending(ranks: Iterable<number>): Uint32Array {
  return Uint32Array.from(new Set(ranks)).sort();
}

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
