import type { RowFilter } from '../row-lists.ts';
import { sortedUnion } from '../row-lists.ts';
import { looseForm } from './loose-form.ts';
import type { NameSearch } from './search.ts';
import { withoutKind } from './variants.ts';

/** Finds rows by what people type: a name, maybe with the state or country that it lies in behind it. Needles are folded. */
export interface TypedNameSearch {
  /** Rows one of whose names is the needle, or what stands before a comma and their area: `springfield, il`. */
  whole(needle: string): Uint32Array;
  /** Rows one of whose names begins with the needle, or what stands before that comma, or is what stands before their area: `dallas tx`. */
  beginning(needle: string): Uint32Array;
  /** For a needle that is found nowhere else: rows with a name that begins with another spelling of it. */
  respelled(needle: string): Uint32Array;
}

/** Returns the filter of what lies in an area that is so called; undefined: none is. */
export type AreaFilter = (name: string) => Pick<RowFilter, 'narrow'> | undefined;

/** Words that an area's name has, at most, where no comma stands before it. */
const AREA_WORDS = 4;
const COMMA = /[,،、，]/;
const UMLAUT = /[aou]e/g;

export function typedNameSearch(
  names: NameSearch,
  areaFilter: AreaFilter,
  compare: (one: number, other: number) => number,
): TypedNameSearch {
  const merge = (one: Uint32Array, other: Uint32Array) => sortedUnion(one, other, compare);

  /** Returns the rows of a name that lie in all of the areas; one letter of an area does not count yet. */
  function withAreas(find: (name: string) => Uint32Array, [name = '', ...areas]: string[]): Uint32Array {
    const filters = areas
      .map((one) => one.trim())
      .filter(({ length }) => length > 1)
      .map(areaFilter);
    if (filters.includes(undefined)) return NONE;
    return filters.reduce((rows, filter) => filter?.narrow(rows) ?? NONE, find(name));
  }

  /** Returns the rows whose whole name has the name of their area behind it, without a comma. */
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
      merge(names.whole(needle), COMMA.test(needle) ? withAreas(names.whole, needle.split(COMMA)) : NONE),
    beginning: (needle) =>
      merge(
        names.beginning(needle),
        COMMA.test(needle) ? withAreas(names.beginning, needle.split(COMMA)) : wholeBeforeArea(needle),
      ),
    respelled(needle) {
      const found = names.beginningWithoutSpaces(needle);
      if (found.length > 0) return found;
      const others = [...withoutKind(looseForm(needle)), needle.replace(UMLAUT, (letters) => letters.charAt(0))];
      return others.map((other) => merge(names.whole(other), names.beginning(other))).reduce(merge);
    },
  };
}

const NONE = new Uint32Array(0);
