import { NAME_SEPARATOR } from '../records.ts';
import { looseFormWriter } from './loose-form.ts';
import { type IndexedNames, NameForms } from './name-forms.ts';
import { AIRPORT_MARK } from './search.ts';
import { ownVariants, saintVariants, withoutKind } from './variants.ts';

/** Names in search order, one list of each kind. */
export interface NamesInOrder {
  own: readonly string[];
  /** Alternate names, joined by {@link NAME_SEPARATOR}; empty: none. */
  others: readonly string[];
  /** ISO 3166-1 alpha-2 codes of the countries. */
  countryCodes: readonly string[];
}

/**
 * Indexes own and alternate names.
 *
 * @param write may be shared with other names, to reuse the letters it has learned
 */
export function indexNames({ own, others, countryCodes }: NamesInOrder, write = looseFormWriter()): IndexedNames {
  const forms = new NameForms(write, lettersOf(own) + lettersOf(others));
  for (let rank = 0; rank < own.length; rank++) {
    const name = own[rank] ?? '';
    const more = others[rank] ?? '';
    const countryCode = countryCodes[rank] ?? '';
    addName(forms, name, 0, name.length, rank, countryCode);
    for (let from = 0, to = 0; from < more.length; from = to + 1) {
      to = more.indexOf(NAME_SEPARATOR, from);
      if (to === -1) to = more.length;
      addName(forms, more, from, to, rank, countryCode);
      if (to - from === 3 && AIRPORT.test(more.slice(from, to))) {
        forms.add(AIRPORT_MARK + more.slice(from, to).toLowerCase(), rank);
      }
    }
    for (const variant of ownVariants(name, countryCode)) forms.add(variant, rank);
  }
  return forms.group();
}

/** An IATA code among the alternate names. */
const AIRPORT = /^[A-Z]{3}$/;

function lettersOf(texts: readonly string[]): number {
  let letters = 0;
  for (const text of texts) letters += text.length;
  return letters;
}

function addName(forms: NameForms, text: string, from: number, to: number, rank: number, countryCode: string): void {
  const form = forms.addName(text, from, to, rank);
  if (form === undefined) return;
  for (const variant of saintVariants(form, countryCode)) forms.add(variant, rank);
  for (const variant of withoutKind(form)) forms.add(variant, rank);
}
