import { type RankFilter, sortedUnion } from '../number-lists.ts';
import { looseForm } from './loose-form.ts';
import type { NameSearch } from './search.ts';
import { withoutKind } from './variants.ts';

/** Finds ranks by what people type: a name, optionally followed by its state or country. Needles are folded. */
export interface TypedNameSearch {
  /** Ranks with a name equal to the needle's part before its area, with a comma or without: `springfield, il`, `dallas tx`. */
  wholeInArea(needle: string): Uint32Array;
  /** Ranks with a name that begins with the needle or with its part before a comma and their area. */
  beginning(needle: string): Uint32Array;
  /** Ranks with a name that is another spelling of the needle; for needles found nowhere else. */
  respelled(needle: string): Uint32Array;
}

/** Returns a filter for ranks in an area of that name; undefined if there is no such area. */
export type AreaFilter = (name: string) => Pick<RankFilter, 'narrow'> | undefined;

/** Maximum number of words in an area's name without a comma before it. */
const AREA_WORDS = 4;
const COMMA = /[,،、，]/;
const UMLAUT = /[aou]e/g;
/** A postal code after a state. */
const POSTCODE = /(?<=\p{L}[\s.]+)\d[\d\s-]*$/u;
/** Words for a kind of division or state, and their articles, before or after its name. */
const KIND_BEFORE =
  /^(?:the |(?:county|co\.?|province|state|city|republic|kingdom|canton|emirate|region|district|governorate|autonomous (?:region|community)|islamic republic|prov\.?|provincia|estado|departamento|comunidad|region|regione|land) (?:of |de |di |d')?)+/;
const KIND_AFTER =
  /(?:[ -](?:county|province|state|city|prefecture|region|oblast|krai|district|department|governorate|republic|voivodeship|municipality|canton|parish|territory|division|lan|fylke|kommune|maakond|kraj|megye|ken|fu|to|do|si|shi|sheng|emirate|islands?|s lan))+$/;
const KIND_ENDING = new RegExp(`(?<=..)(?:s lan|${'특별자치도|특별자치시|특별시|광역시'.normalize('NFKD')})$`, 'u');

/** @param areOfficial whether the names have official forms, as those of states and countries do */
export function typedNameSearch(names: NameSearch, areaFilter: AreaFilter, areOfficial: boolean): TypedNameSearch {
  /** Returns the ranks of a name that lie in all of the areas; an area of one letter is ignored. */
  function withAreas(find: (name: string) => Uint32Array, [name = '', ...areas]: string[]): Uint32Array {
    const found = find(name);
    if (found.length === 0) return NONE;
    const filters = areas
      .map((one) => one.trim().replace(POSTCODE, '').trim())
      .filter(({ length }) => length > 1)
      .map((area) => areaFilter(area));
    if (filters.includes(undefined)) return NONE;
    return filters.reduce((ranks, filter) => filter?.narrow(ranks) ?? NONE, found);
  }

  /** Returns the ranks whose whole name is followed by the name of their area, without a comma. */
  function wholeBeforeArea(needle: string): Uint32Array {
    const words = needle.split(' ');
    for (let count = 1; count <= AREA_WORDS && count < words.length; count++) {
      const [name, area] = [words.slice(0, -count).join(' '), words.slice(-count).join(' ')];
      const found = area.length > 1 ? withAreas(names.whole, [name, area]) : NONE;
      if (found.length > 0) return found;
    }
    return NONE;
  }

  const wholeOrBeginning = (name: string) => sortedUnion(names.whole(name), names.beginning(name));

  return {
    wholeInArea(needle) {
      if (COMMA.test(needle)) return withAreas(names.whole, needle.split(COMMA));
      return wholeBeforeArea(needle.replace(POSTCODE, '').trim());
    },
    beginning: (needle) =>
      sortedUnion(names.beginning(needle), COMMA.test(needle) ? withAreas(names.beginning, needle.split(COMMA)) : NONE),
    respelled(needle) {
      const found = names.beginningWithoutSpaces(needle);
      if (found.length > 0) return found;
      for (const others of [
        [...withoutKind(looseForm(needle)), needle.replace(UMLAUT, (letters) => letters.charAt(0))],
        areOfficial ? officialForms(needle) : [],
      ]) {
        const lists = others.filter((other) => other !== needle).map(wholeOrBeginning);
        const respelled = lists.reduce((one, other) => sortedUnion(one, other), NONE);
        if (respelled.length > 0) return respelled;
      }
      return NONE;
    },
  };
}

/** Returns the shorter forms of an official name: `county cork` as `cork`, `iran (islamic republic of)` as `iran`. */
function officialForms(needle: string): string[] {
  const forms = new Set<string>();
  const [before = '', after] = needle.split(/[,(]/, 2);
  if (after !== undefined) {
    const inverted = `${after.replace(/\).*/, '').trim()} ${before.trim()}`;
    forms.add(inverted).add(inverted.replace(/^the /, ''));
  }
  const bare = looseForm(before.trim());
  const short = bare.replace(KIND_BEFORE, '').replace(KIND_AFTER, '').replace(KIND_ENDING, '').trim();
  if (
    after === undefined ||
    /^\s*(?:the|republic|state|kingdom|islamic|plurinational|bolivarian|federated|united)\b/.test(after)
  ) {
    forms.add(short);
  }
  return [...forms].filter((form) => form.length > 1);
}

const NONE = new Uint32Array(0);
