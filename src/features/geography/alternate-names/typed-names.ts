import { type PlaceFilter, sortedUnion } from '../number-lists.ts';
import { looseForm } from './loose-form.ts';
import type { NameSearch } from './search.ts';
import { withoutKind } from './variants.ts';

/** Finds places by what people type: a name, optionally followed by its state or country. Needles are folded. */
export interface TypedNameSearch {
  /** Places with a name equal to the needle, or to its part before a comma and their area: `springfield, il`. */
  whole(needle: string): Uint32Array;
  /**
   * Places with a name that begins with the needle or with its part before that comma, or that equals its part before their area:
   * `dallas tx`.
   */
  beginning(needle: string): Uint32Array;
  /** Places with a name that begins with another spelling of the needle; for needles found nowhere else. */
  respelled(needle: string): Uint32Array;
}

/** Returns a filter for places in an area of that name; undefined if there is no such area. */
export type AreaFilter = (name: string) => Pick<PlaceFilter, 'narrow'> | undefined;

/** Maximum number of words in an area's name without a comma before it. */
const AREA_WORDS = 4;
const COMMA = /[,،、，]/;
const UMLAUT = /[aou]e/g;

export function typedNameSearch(names: NameSearch, areaFilter: AreaFilter): TypedNameSearch {
  /** Returns the places of a name that lie in all of the areas; an area of one letter is ignored. */
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

  /** Returns the places whose whole name is followed by the name of their area, without a comma. */
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
      return others
        .map((other) => sortedUnion(names.whole(other), names.beginning(other)))
        .reduce((one, other) => sortedUnion(one, other));
    },
  };
}

const NONE = new Uint32Array(0);
