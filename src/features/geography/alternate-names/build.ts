import { NAME_SEPARATOR } from '../load/records.ts';
import { looseFormWriter, MAX_FORM_OF_UNIT } from './loose-form.ts';
import { KIND_ENDS, ownVariants, saintVariants, withoutKind } from './variants.ts';

/** Letters that a needle has at least which finds names that begin with it. */
export const PREFIX_LETTERS = 3;

/**
 * The names of rows by the forms in which people may type them, in groups that share their first three letters, not counting spaces. Within a
 * group forms stand in search order. Numbers alone, to be handed from one thread to another.
 */
export interface IndexedNames {
  /** The first letters of each group as one number, see {@link prefixKey}; ascending. */
  keys: Float64Array<ArrayBuffer>;
  /** Where the forms of each group begin, and where the last group's end. */
  groupStarts: Uint32Array<ArrayBuffer>;
  /** Where each form begins in `units`, and where the last one ends. */
  starts: Uint32Array<ArrayBuffer>;
  units: Uint16Array<ArrayBuffer>;
  /** The row whose name each form is. */
  rows: Uint32Array<ArrayBuffer>;
}

/** The names of rows: a list of each kind. */
export interface NamesOfRows {
  own: readonly string[];
  /** The other names with {@link NAME_SEPARATOR} between; empty: there are none. */
  others: readonly string[];
  /** ISO 3166-1 alpha-2 codes of the countries. */
  countryCodes: readonly string[];
}

/**
 * Indexes the names of rows, own ones and others.
 *
 * @param order the rows in search order
 */
export function indexNames({ own, others, countryCodes }: NamesOfRows, order: Uint32Array): IndexedNames {
  const forms = new NameForms();
  for (let place = 0; place < order.length; place++) {
    const row = order[place] ?? 0;
    const [name = '', more = '', countryCode = ''] = [own[row], others[row], countryCodes[row]];
    addName(forms, name, 0, name.length, row, countryCode);
    for (let from = 0, to = 0; from < more.length; from = to + 1) {
      to = more.indexOf(NAME_SEPARATOR, from);
      if (to === -1) to = more.length;
      addName(forms, more, from, to, row, countryCode);
    }
    for (const variant of ownVariants(name, countryCode)) forms.add(variant, row);
  }
  return forms.group();
}

function addName(forms: NameForms, text: string, from: number, to: number, row: number, countryCode: string): void {
  const before = forms.count;
  forms.addName(text, from, to, row);
  if (forms.count === before) return;
  const form = forms.lastToVary();
  if (form === undefined) return;
  for (const variant of [...saintVariants(form, countryCode), ...withoutKind(form)]) forms.add(variant, row);
}

const [S, SPACE] = ['s'.charCodeAt(0), ' '.charCodeAt(0)];

/** Returns the first letters of a form as one number, which has 16 bits for each of them; a letter that is not there is 0. */
export function prefixKey(first: number, second: number, third: number): number {
  return first * 2 ** 32 + second * 2 ** 16 + third;
}

/** Forms of names as they are found, in search order. */
class NameForms {
  #units = new Uint16Array(2 ** 20);
  #starts = new Uint32Array(2 ** 16);
  #rows = new Uint32Array(2 ** 16);
  #count = 0;
  readonly #write = looseFormWriter();

  /** Adds the form of the name that stands between two places of a text; an empty form is none. */
  addName(text: string, from: number, to: number, row: number): void {
    const start = this.#room((to - from) * MAX_FORM_OF_UNIT);
    this.#close(this.#write(text, from, to, this.#units, start), row);
  }

  add(form: string, row: number): void {
    const start = this.#room(form.length);
    for (let index = 0; index < form.length; index++) this.#units[start + index] = form.charCodeAt(index);
    this.#close(start + form.length, row);
  }

  get count(): number {
    return this.#count;
  }

  /** Returns the form that was added last, where a word of it begins with an S, or it may end with what kind of place it is. */
  lastToVary(): string | undefined {
    const [start = 0, end = 0] = this.#starts.subarray(this.#count - 1, this.#count + 1);
    let isVaried = KIND_ENDS.has(this.#units[end - 1] ?? 0);
    for (let at = start; at < end && !isVaried; at++) {
      isVaried = this.#units[at] === S && (at === start || this.#units[at - 1] === SPACE);
    }
    return isVaried ? String.fromCharCode(...this.#units.subarray(start, end)) : undefined;
  }

  group(): IndexedNames {
    const [units, count] = [this.#units, this.#count];
    const [starts, rows] = [this.#starts.subarray(0, count + 1), this.#rows.subarray(0, count)];
    const { groupOf, keys } = numberGroups(units, starts);
    const groupStarts = new Uint32Array(keys.length + 1);
    for (let form = 0; form < count; form++) {
      const group = (groupOf[form] ?? 0) + 1;
      groupStarts[group] = (groupStarts[group] ?? 0) + 1;
    }
    for (let group = 0; group < keys.length; group++) {
      groupStarts[group + 1] = (groupStarts[group + 1] ?? 0) + (groupStarts[group] ?? 0);
    }
    const order = new Uint32Array(count);
    const next = groupStarts.slice();
    for (let form = 0; form < count; form++) {
      const group = groupOf[form] ?? 0;
      const at = next[group] ?? 0;
      order[at] = form;
      next[group] = at + 1;
    }
    return { keys, groupStarts, ...inOrder(order, { units, starts, rows }) };
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

  #close(end: number, row: number): void {
    if (end === this.#starts[this.#count]) return;
    if (this.#count + 2 > this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#rows = doubled(this.#rows);
    }
    this.#rows[this.#count++] = row;
    this.#starts[this.#count] = end;
  }
}

function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

/** Numbers the groups of forms in the order of their keys. */
function numberGroups(units: Uint16Array, starts: Uint32Array) {
  const groupOf = new Uint32Array(starts.length - 1);
  // A hash table with one place more than there are groups at most, and the number of a group, plus one, at each place that is taken.
  const bits = 32 - Math.clz32(2 * groupOf.length);
  const table = new Uint32Array(2 ** bits);
  const keys: number[] = [];
  for (let form = 0; form < groupOf.length; form++) {
    const end = starts[form + 1] ?? 0;
    let at = starts[form] ?? 0;
    const next = (): number => {
      while (at < end && units[at] === SPACE) at++;
      return at < end ? (units[at++] ?? 0) : 0;
    };
    const [first, second, third] = [next(), next(), next()];
    const key = prefixKey(first, second, third);
    let place = Math.imul(Math.imul((first << 16) ^ second, 0x9e37_79b1) ^ third, 0x85eb_ca6b) >>> (32 - bits);
    let group = table[place] ?? 0;
    while (group !== 0 && keys[group - 1] !== key) {
      place = (place + 1) % table.length;
      group = table[place] ?? 0;
    }
    if (group === 0) {
      group = keys.push(key);
      table[place] = group;
    }
    groupOf[form] = group - 1;
  }
  const sorted = Float64Array.from(keys).sort();
  const places = new Map(Array.from(sorted, (key, place) => [key, place]));
  const placeOf = Uint32Array.from(keys, (key) => places.get(key) ?? 0);
  for (let form = 0; form < groupOf.length; form++) groupOf[form] = placeOf[groupOf[form] ?? 0] ?? 0;
  return { groupOf, keys: sorted };
}

type Forms = Pick<IndexedNames, 'units' | 'starts' | 'rows'>;

/** Copies forms into another order: those of a group are read one behind the other. */
function inOrder(order: Uint32Array, from: Forms): Forms {
  const units = new Uint16Array(from.starts.at(-1) ?? 0);
  const starts = new Uint32Array(from.starts.length);
  const rows = new Uint32Array(from.rows.length);
  let end = 0;
  for (let place = 0; place < order.length; place++) {
    const form = order[place] ?? 0;
    const stop = from.starts[form + 1] ?? 0;
    for (let at = from.starts[form] ?? 0; at < stop; at++) units[end++] = from.units[at] ?? 0;
    rows[place] = from.rows[form] ?? 0;
    starts[place + 1] = end;
  }
  return { units, starts, rows };
}
