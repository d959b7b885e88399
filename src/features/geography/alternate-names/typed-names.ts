import { type PlaceFilter, sortedUnion } from '../number-lists.ts';
import { looseForm } from './loose-form.ts';
import type { NameSearch } from './search.ts';
import { withoutKind } from './variants.ts';

/** Finds places by what people type: a name, maybe with the state or country that it lies in behind it. Needles are folded. */
export interface TypedNameSearch {
  /** Places one of whose names is the needle, or what stands before a comma and their area: `springfield, il`. */
  whole(needle: string): Uint32Array;
  /** Places one of whose names begins with the needle, or what stands before that comma, or is what stands before their area: `dallas tx`. */
  beginning(needle: string): Uint32Array;
  /** For a needle that is found nowhere else: places with a name that begins with another spelling of it. */
  respelled(needle: string): Uint32Array;
}

/** Returns the filter of what lies in an area that is so called; undefined: none is. */
export type AreaFilter = (name: string) => Pick<PlaceFilter, 'narrow'> | undefined;

/** Words that an area's name has, at most, where no comma stands before it. */
const AREA_WORDS = 4;
const COMMA = /[,،、，]/;
const UMLAUT = /[aou]e/g;

export function typedNameSearch(names: NameSearch, areaFilter: AreaFilter): TypedNameSearch {
  /** Returns the places of a name that lie in all of the areas; one letter of an area does not count yet. */
  function withAreas(find: (name: string) => Uint32Array, [name = '', ...areas]: string[]): Uint32Array {
    const found = find(name);
    if (found.length === 0) return NONE;
    const filters = areas
      .map((one) => one.trim())
      .filter(({ length }) => length > 1)
      .map(areaFilter);
    if (filters.includes(undefined)) return NONE;
    return filters.reduce((places, filter) => filter?.narrow(places) ?? NONE, found);
  }

  /** Returns the places whose whole name has the name of their area behind it, without a comma. */
  function wholeBeforeArea(needle: string): Uint32Array {
    const words = needle.split(' ');
    for (let count = 1; count <= AREA_WORDS && count < words.length; count++) {
      const [name, area] = [words.slice(0, -count).join(' '), words.slice(-count).join(' ')];
      const found = area.length > 1 ? withAreas(names.whole, [name, area]) : NONE;
      if (found.length > 0) return found;
    }
    return NONE;
  }

  return {
    whole: (needle) =>
      sortedUnion(names.whole(needle), COMMA.test(needle) ? withAreas(names.whole, needle.split(COMMA)) : NONE),
    beginning: (needle) =>
      sortedUnion(
        names.beginning(needle),
        COMMA.test(needle) ? withAreas(names.beginning, needle.split(COMMA)) : wholeBeforeArea(needle),
      ),
    respelled(needle) {
      const found = names.beginningWithoutSpaces(needle);
      if (found.length > 0) return found;
      const others = [...withoutKind(looseForm(needle)), needle.replace(UMLAUT, (letters) => letters.charAt(0))];
      return others.map((other) => sortedUnion(names.whole(other), names.beginning(other))).reduce(sortedUnion);
    },
  };
}

const NONE = new Uint32Array(0);
