import { fold } from '../../../lib/text-folding.ts';
import { unitsKey } from '../ngram-index/build.ts';
import { startsOf, type WrittenTexts, writeTexts } from '../number-lists.ts';
import { NAME_SEPARATOR } from '../records.ts';
import { looseForm } from './loose-form.ts';
import { ownVariants, saintVariants, withoutKind } from './variants.ts';

/** Names in search order, one list of each kind. */
export interface NamesInOrder {
  own: readonly string[];
  /** Alternate names, joined by {@link NAME_SEPARATOR}; empty: none. */
  others: readonly string[];
  /** ISO 3166-1 alpha-2 codes of the countries. */
  countryCodes: readonly string[];
}

/** Names in the forms that people may type, grouped by their first letters. Within a group, forms are in search order. */
export interface IndexedNames extends WrittenTexts {
  /** The {@link unitsKey} of the letters of each group, without spaces, ascending. */
  keys: Float64Array<ArrayBuffer>;
  /** The first form of each group, and the number of forms. */
  groupStarts: Uint32Array<ArrayBuffer>;
  /** For each form, the rank that it names: an index in search order. */
  ranks: Uint32Array<ArrayBuffer>;
}

/** Precedes the form of an IATA code, which no needle has. */
export const AIRPORT_MARK = '\u0001';
/** An IATA code among the alternate names. */
const AIRPORT = /^[A-Z]{3}$/;
/** Number of leading letters that determine a form's group. */
export const PREFIX_LETTERS = 3;

/** Indexes own and alternate names. */
export function indexNames({ own, others, countryCodes }: NamesInOrder): IndexedNames {
  const groups = new Map<number, { form: string; rank: number }[]>();
  function add(form: string, rank: number): void {
    if (form === '') return;
    const key = unitsKey(form.slice(0, 6).replaceAll(' ', ''));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [{ form, rank }]);
    else group.push({ form, rank });
  }
  for (const [rank, name] of own.entries()) {
    const countryCode = countryCodes[rank] ?? '';
    for (const each of [name, ...(others[rank] ? others[rank].split(NAME_SEPARATOR) : [])]) {
      const form = looseForm(fold(each));
      add(form, rank);
      for (const variant of saintVariants(form, countryCode)) add(variant, rank);
      for (const variant of withoutKind(form)) add(variant, rank);
      if (each !== name && AIRPORT.test(each)) add(AIRPORT_MARK + each.toLowerCase(), rank);
    }
    for (const variant of ownVariants(name, countryCode)) add(variant, rank);
  }
  const sorted = [...groups].sort(([one], [other]) => one - other);
  const forms = sorted.flatMap(([, group]) => group);
  return {
    keys: Float64Array.from(sorted, ([key]) => key),
    groupStarts: startsOf(sorted.map(([, group]) => group.length)),
    ranks: Uint32Array.from(forms, ({ rank }) => rank),
    ...writeTexts(forms.map(({ form }) => form)),
  };
}
