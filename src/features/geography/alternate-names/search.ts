import { looseForm } from './loose-form.ts';
import type { IndexedNames } from './name-forms.ts';
import { findGroup, PREFIX_LETTERS } from './prefix-groups.ts';

/**
 * Finds places (indexes in search order) by own and alternate names, as people type them. Needles are folded; results ascend without
 * duplicates.
 */
export interface NameSearch {
  /** Places with a name equal to the needle. */
  whole(needle: string): Uint32Array;
  /** Places with a name that begins with the needle; none for a needle of fewer than three letters. */
  beginning(needle: string): Uint32Array;
  /** As `beginning`, ignoring spaces: `newyork`, `l aquila`. */
  beginningWithoutSpaces(needle: string): Uint32Array;
}

const NONE = new Uint32Array(0);
const SPACE = ' '.charCodeAt(0);

/** Whether the form may be longer than the needle, and whether spaces count. */
type Match = 'whole' | 'beginning' | 'without spaces';

export function openNameSearch({ groups, groupStarts, starts, units, places }: IndexedNames): NameSearch {
  function find(needle: string, match: Match): Uint32Array {
    const letters = needle.replaceAll(' ', '');
    if (letters === '' || (match !== 'whole' && letters.length < PREFIX_LETTERS)) return NONE;
    const group = findGroup(groups, letters.charCodeAt(0), letters.charCodeAt(1) || 0, letters.charCodeAt(2) || 0);
    if (group === undefined) return NONE;
    const [first, end] = [groupStarts[group] ?? 0, groupStarts[group + 1] ?? 0];
    const found = new Uint32Array(end - first);
    let count = 0;
    for (let at = first; at < end; at++) {
      const [from, to] = [starts[at] ?? 0, starts[at + 1] ?? 0];
      if (match === 'whole' && to - from !== needle.length) continue;
      if (!(match === 'without spaces' ? hasLetters(from, to, letters) : beginsWith(from, to, needle))) continue;
      const place = places[at] ?? 0;
      // The forms of a place are adjacent.
      if (count === 0 || found[count - 1] !== place) found[count++] = place;
    }
    return found.subarray(0, count);
  }

  function beginsWith(from: number, to: number, needle: string): boolean {
    if (to - from < needle.length) return false;
    let index = 0;
    while (index < needle.length && units[from + index] === needle.charCodeAt(index)) index++;
    return index === needle.length;
  }

  function hasLetters(from: number, to: number, letters: string): boolean {
    let index = 0;
    for (let at = from; at < to && index < letters.length; at++) {
      if (units[at] === SPACE) continue;
      if (units[at] !== letters.charCodeAt(index)) return false;
      index++;
    }
    return index === letters.length;
  }

  return {
    whole: (needle) => find(looseForm(needle), 'whole'),
    beginning: (needle) => find(looseForm(needle), 'beginning'),
    beginningWithoutSpaces: (needle) => find(looseForm(needle), 'without spaces'),
  };
}
