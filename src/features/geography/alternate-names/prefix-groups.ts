/** Number of leading letters that determine a form's group. */
export const PREFIX_LETTERS = 3;

/** Hash table from three letters to group numbers (0, 1, 2 …); typed arrays only, to be transferred between threads. */
export interface PrefixGroups {
  /** Three code units per group; 0 for a missing one. */
  letters: Uint16Array<ArrayBuffer>;
  /** Group number plus one; 0 for a free slot. The size is a power of two, at least twice the number of groups. */
  slots: Uint32Array<ArrayBuffer>;
}

/** Returns the number of a group; undefined if there is none. */
export function findGroup(groups: PrefixGroups, first: number, second: number, third: number): number | undefined {
  const number = groups.slots[slotOf(groups, first, second, third)] ?? 0;
  return number === 0 ? undefined : number - 1;
}

/** Returns the slot of a group, or the free one where it belongs. */
function slotOf({ letters, slots }: PrefixGroups, first: number, second: number, third: number): number {
  const last = slots.length - 1;
  let hash = Math.imul(Math.imul((first << 16) ^ second, 0x9e37_79b1) ^ third, 0x85eb_ca6b);
  hash ^= hash >>> 15;
  for (let slot = hash & last; ; slot = (slot + 1) & last) {
    const number = slots[slot] ?? 0;
    const at = 3 * number - 3;
    if (number === 0 || (letters[at] === first && letters[at + 1] === second && letters[at + 2] === third)) return slot;
  }
}

/** Prefix groups under construction. */
export class GrowingPrefixGroups {
  #groups: PrefixGroups = { letters: new Uint16Array(3 * 2 ** 10), slots: new Uint32Array(2 ** 11) };
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Returns the number of a group, adding it if it is new. */
  numberOf(first: number, second: number, third: number): number {
    const { letters, slots } = this.#groups;
    const slot = slotOf(this.#groups, first, second, third);
    const known = slots[slot] ?? 0;
    if (known !== 0) return known - 1;
    const at = 3 * this.#count;
    letters[at] = first;
    letters[at + 1] = second;
    letters[at + 2] = third;
    this.#count += 1;
    slots[slot] = this.#count;
    if (3 * this.#count === letters.length) this.#grow();
    return this.#count - 1;
  }

  finish(): PrefixGroups {
    return { letters: this.#groups.letters.slice(0, 3 * this.#count), slots: this.#groups.slots };
  }

  #grow(): void {
    const { letters, slots } = this.#groups;
    const larger = { letters: new Uint16Array(2 * letters.length), slots: new Uint32Array(2 * slots.length) };
    larger.letters.set(letters);
    for (let number = 0; number < this.#count; number++) {
      const [first = 0, second = 0, third = 0] = letters.subarray(3 * number, 3 * number + 3);
      larger.slots[slotOf(larger, first, second, third)] = number + 1;
    }
    this.#groups = larger;
  }
}
