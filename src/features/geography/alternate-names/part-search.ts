import { fold } from '../../../lib/text-folding.ts';
import { filterRanks, NONE } from '../number-lists.ts';
import { inScoreOrder } from '../score.ts';
import { looseForm } from './loose-form.ts';
import type { NameSearch } from './search.ts';

type Ranks = Uint32Array;

/** The locations in an area of a name: those in it; those in its country; and whether it is a country. */
export interface Area {
  within(ranks: Ranks): Ranks;
  around(ranks: Ranks): Ranks;
  isCountry: boolean;
}

/** Words around the name of a city: of stations and airports, and for a town's middle. */
const AROUND = looseForm(
  fold(`airport international intl internacional internazionale flughafen aeroporto aeropuerto aeroport luchthaven lufthavn
    flygplats lotnisko letiste havalimani havaalani lentoasema repuloter bandara аэропорт аеропорт
    station stn railway train bus terminal terminus junction jn bahnhof hauptbahnhof hbf bhf gare stazione estacion
    estacao centraal centralstation vokzal вокзал stanica dworzec nadrazi gari palyaudvar rautatieasema downtown cedex
    مطار محطة स्टेशन रेलवे जंक्शन एयरपोर्ट`),
).replaceAll(' ', '|');
const PREPOSITION = 'of|de|di|do|du|da|d|la|the';
const BEFORE = new RegExp(`^(?:(?:${AROUND})(?: (?:${PREPOSITION}))* )+`, 'u');
const AFTER = new RegExp(`(?: (?:${AROUND}))+$`, 'u');
/** Words that begin or end many names, and are seldom a whole one. */
const COMMON = new Set(
  looseForm(
    fold(`new old north south east west upper lower great grand little big saint sankt santa santo port fort mount lake
      las los the villa ville bad black white high central centre nord sud est park hill hills island islands beach valley
      river spring springs village street road avenue republic country nation people state union`),
  ).split(' '),
);
const ARTICLE = new RegExp(`^(?:${PREPOSITION})$`);
const BETWEEN = /[,،、，/()|;]/;
/** A word with a digit, as postal codes have; the letters of one that follow or precede it are no name. */
const CODE = /(?<![^ ])[^ ]*\d[^ ]*(?: [a-z]{2}(?= \p{L}{3}))?/gu;
const SINGLE = /(?<![^ ])[a-z](?![^ ])/g;
/** Least number of letters, apart from vowel signs, of a word that is a name among others: by the script that it begins with. */
const LETTERS = [
  { script: /^[\u0590-\u07ff]/, least: 5 },
  { script: /^[\u0900-\u0dff]/, least: 3 },
  { script: /^[\u0e00-\u0eff\u1000-\u11ff\u3040-\u9fff]/, least: 2 },
  { script: /^/, least: 4 },
];
const MARKS = /\p{M}/gu;
/** Logarithm of the people of a city that is meant by one word among others. */
const KNOWN = 4;
const AREA_WORDS = 4;
/** Most segments and words of a text that is looked into: no address has more. */
const [MAX_SEGMENTS, MAX_WORDS] = [6, 16];
/** A word more is worth as much as five times the people. */
const WORD = 0.7;
/** An own name is worth as much as forty times the people. */
const OWN = 1.6;

/**
 * Returns a function that finds ranks by a part of a text: the longest beginning or end of it that is a whole name, in the area that
 * another part names. Nothing is found if the two contradict each other.
 *
 * @param weights of the ranks, the logarithm of the population; 0: unknown
 */
export function partSearch(
  names: NameSearch,
  areaOf: (name: string) => Area | undefined,
  stateOf: (rank: number) => number | undefined,
  weights: Float32Array,
) {
  const isKnown = (rank: number) => weights[rank] === 0 || (weights[rank] ?? 0) >= KNOWN;

  return (needle: string, narrow: (ranks: Ranks) => Ranks): Ranks => {
    const segments = needle
      .split(BETWEEN)
      .map(withoutCodes)
      .filter((segment) => segment !== '' && !ARTICLE.test(segment))
      .slice(-MAX_SEGMENTS);

    /** Returns the ranks of a name, those with most people first; an own name counts as forty times as many. */
    function called(name: string): Ranks {
      if (isShort(name) && !segments.includes(name)) return NONE;
      const lists = [
        { ranks: narrow(names.own(name)), bonus: OWN },
        { ranks: narrow(names.whole(name)), bonus: 0 },
      ];
      return Uint32Array.from(new Set(inScoreOrder(weights, lists)));
    }

    /** Returns those of the ranks that lie in all areas that are known; undefined: in a state or country of that name there is none. */
    function inAreas(ranks: Ranks, areas: readonly string[]): Ranks | undefined {
      let left = ranks;
      for (const name of areas) {
        const area = areaOf(name);
        const [city] = area === undefined ? filterRanks(called(name), isKnown) : [];
        const within = area?.within(left) ?? NONE;
        if (within.length > 0) left = within;
        else if (area !== undefined) left = area.around(left);
        else if (city !== undefined) left = filterRanks(left, (rank) => stateOf(rank) === stateOf(city));
        if (left.length === 0) return area === undefined ? NONE : undefined;
      }
      return left;
    }

    for (const [at, name] of segments.entries()) {
      const named = called(name);
      const found = named.length > 0 ? inAreas(named, segments.slice(at + 1)) : NONE;
      if (found === undefined) return NONE;
      if (found.length > 0) return at > 0 ? ofItself(name, found) : found;
    }
    const words = segments.join(' ').split(' ');
    return words.length > MAX_WORDS ? NONE : byWords(words);

    function byWords(words: readonly string[]): Ranks {
      for (let count = Math.min(AREA_WORDS, words.length - 1); count > 0; count--) {
        const area = areaOf(words.slice(-count).join(' '));
        if (area === undefined) continue;
        const found = longest(words.slice(0, -count), true, (ranks) => {
          const within = area.within(ranks);
          return within.length > 0 ? within : area.around(ranks);
        });
        if (found.length > 0 || area.isCountry) return found;
      }
      return longest(words, false, (ranks, name) => filterRanks(ofItself(name, ranks), isKnown));
    }

    /** Returns the ranks of the longest beginning or end that is a name: of the two, the one with more words and people. */
    function longest(words: readonly string[], isAll: boolean, passes: (ranks: Ranks, name: string) => Ranks): Ranks {
      let [best, most]: [Ranks, number] = [NONE, 0];
      for (const isEnd of [false, true]) {
        for (let count = isAll ? words.length : words.length - 1; count > 0; count--) {
          const some = isEnd ? words.slice(-count) : words.slice(0, count);
          const name = some.join(' ');
          const found = COMMON.has(name) ? NONE : passes(called(name), isEnd ? name : '');
          if (found.length === 0) continue;
          const [first = 0] = found;
          const score = (weights[first] ?? 0) + WORD * count + (names.own(name).includes(first) ? OWN : 0);
          if (score > most) [best, most] = [found, score];
          break;
        }
      }
      return best;
    }
  };

  /** Returns the ranks, without those outside the state or country of the name if it is one: its city is meant to be in it. */
  function ofItself(name: string, ranks: Ranks): Ranks {
    return areaOf(name)?.within(ranks) ?? ranks;
  }
}

function isShort(name: string): boolean {
  const { least = 0 } = LETTERS.find(({ script }) => script.test(name)) ?? {};
  return name.replace(MARKS, '').length < least;
}

/** Returns the loose form of a text without postal codes, single letters, and words for stations and the like around it. */
function withoutCodes(text: string): string {
  const words = looseForm(text).replace(CODE, ' ').replace(SINGLE, '').replace(/ {2,}/g, ' ').trim();
  return words.replace(BEFORE, '').replace(AFTER, '');
}
