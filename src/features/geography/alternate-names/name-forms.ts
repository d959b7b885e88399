import { type LooseFormWriter, MAX_FORM_OF_UNIT } from './loose-form.ts';
import { GrowingPrefixGroups, type PrefixGroups } from './prefix-groups.ts';
import { mayVary } from './variants.ts';

/**
 * Names in the forms that people may type, grouped by their first three letters without spaces. Within a group, forms are in search order.
 * Typed arrays only, to be transferred between threads.
 */
export interface IndexedNames {
  groups: PrefixGroups;
  /** Start of each group's forms, and the end of the last group. */
  groupStarts: Uint32Array<ArrayBuffer>;
  /** Start of each form in `units`, and the end of the last one. */
  starts: Uint32Array<ArrayBuffer>;
  units: Uint16Array<ArrayBuffer>;
  /** For each form, the rank that it names: an index in search order. */
  ranks: Uint32Array<ArrayBuffer>;
}

const SPACE = ' '.charCodeAt(0);

/** The average form is longer. */
const LETTERS_OF_A_FORM = 8;

/** Collects forms of names in search order. */
export class NameForms {
  #units: Uint16Array<ArrayBuffer>;
  #starts: Uint32Array<ArrayBuffer>;
  #ranks: Uint32Array<ArrayBuffer>;
  #groupOf: Uint32Array<ArrayBuffer>;
  #count = 0;
  readonly #groups = new GrowingPrefixGroups();
  readonly #write: LooseFormWriter;

  /** @param letters total of all names; that much is allocated at once, as memory costs nothing before it is written */
  constructor(write: LooseFormWriter, letters: number) {
    this.#write = write;
    const forms = Math.ceil(letters / LETTERS_OF_A_FORM) + 1;
    this.#units = new Uint16Array(2 * letters);
    this.#starts = new Uint32Array(forms);
    this.#ranks = new Uint32Array(forms);
    this.#groupOf = new Uint32Array(forms);
  }

  /**
   * Adds the form of the name between two positions of a text; an empty form is skipped.
   *
   * @returns the form, if it may have variants
   */
  addName(text: string, from: number, to: number, rank: number): string | undefined {
    const start = this.#room((to - from) * MAX_FORM_OF_UNIT);
    const end = this.#write(text, from, to, this.#units, start);
    if (end === start) return undefined;
    this.#close(start, end, rank);
    return mayVary(this.#units, start, end) ? String.fromCharCode(...this.#units.subarray(start, end)) : undefined;
  }

  add(form: string, rank: number): void {
    if (form === '') return;
    const start = this.#room(form.length);
    for (let index = 0; index < form.length; index++) this.#units[start + index] = form.charCodeAt(index);
    this.#close(start, start + form.length, rank);
  }

  /** Copies the forms into contiguous groups. */
  group(): IndexedNames {
    const [count, from, groupOf, fromRanks] = [this.#count, this.#starts, this.#groupOf, this.#ranks];
    const groupStarts = new Uint32Array(this.#groups.count + 1);
    const nextUnit = new Uint32Array(this.#groups.count + 1);
    for (let form = 0; form < count; form++) {
      const after = (groupOf[form] ?? 0) + 1;
      groupStarts[after] = (groupStarts[after] ?? 0) + 1;
      nextUnit[after] = (nextUnit[after] ?? 0) + (from[form + 1] ?? 0) - (from[form] ?? 0);
    }
    for (let group = 1; group < groupStarts.length; group++) {
      groupStarts[group] = (groupStarts[group] ?? 0) + (groupStarts[group - 1] ?? 0);
      nextUnit[group] = (nextUnit[group] ?? 0) + (nextUnit[group - 1] ?? 0);
    }
    const next = groupStarts.slice();
    const fromUnits = this.#units;
    const units = new Uint16Array(from[count] ?? 0);
    const starts = new Uint32Array(count + 1);
    const ranks = new Uint32Array(count);
    starts[count] = units.length;
    for (let form = 0; form < count; form++) {
      const group = groupOf[form] ?? 0;
      const at = next[group] ?? 0;
      let end = nextUnit[group] ?? 0;
      starts[at] = end;
      ranks[at] = fromRanks[form] ?? 0;
      const stop = from[form + 1] ?? 0;
      for (let unit = from[form] ?? 0; unit < stop; unit++) units[end++] = fromUnits[unit] ?? 0;
      nextUnit[group] = end;
      next[group] = at + 1;
    }
    return { groups: this.#groups.finish(), groupStarts, starts, units, ranks };
  }

  /** Makes room for so many code units. @returns where they begin */
  #room(count: number): number {
    const start = this.#starts[this.#count] ?? 0;
    if (start + count > this.#units.length) {
      const larger = new Uint16Array(2 * this.#units.length + count);
      larger.set(this.#units);
      this.#units = larger;
    }
    return start;
  }

  #close(start: number, end: number, rank: number): void {
    if (this.#count + 2 > this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#ranks = doubled(this.#ranks);
      this.#groupOf = doubled(this.#groupOf);
    }
    this.#groupOf[this.#count] = this.#groupOfForm(start, end);
    this.#ranks[this.#count] = rank;
    this.#count += 1;
    this.#starts[this.#count] = end;
  }

  #groupOfForm(start: number, end: number): number {
    const units = this.#units;
    const letters = [0, 0, 0];
    for (let at = start, count = 0; at < end && count < 3; at++) {
      const unit = units[at] ?? 0;
      if (unit !== SPACE) letters[count++] = unit;
    }
    return this.#groups.numberOf(letters[0] ?? 0, letters[1] ?? 0, letters[2] ?? 0);
  }
}

function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}
