import { NAME_SEPARATOR } from '../load/records.ts';
import { looseFormWriter } from './loose-form.ts';
import { type IndexedNames, NameForms } from './name-forms.ts';
import { ownVariants, saintVariants, withoutKind } from './variants.ts';

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
 * @param write one that has learned letters already, from other rows
 */
export function indexNames(
  { own, others, countryCodes }: NamesOfRows,
  order: Uint32Array,
  write = looseFormWriter(),
): IndexedNames {
  const forms = new NameForms(write, lettersOf(own) + lettersOf(others));
  for (let place = 0; place < order.length; place++) {
    const row = order[place] ?? 0;
    const name = own[row] ?? '';
    const more = others[row] ?? '';
    const countryCode = countryCodes[row] ?? '';
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

function lettersOf(texts: readonly string[]): number {
  let letters = 0;
  for (const text of texts) letters += text.length;
  return letters;
}

function addName(forms: NameForms, text: string, from: number, to: number, row: number, countryCode: string): void {
  const form = forms.addName(text, from, to, row);
  if (form === undefined) return;
  for (const variant of saintVariants(form, countryCode)) forms.add(variant, row);
  for (const variant of withoutKind(form)) forms.add(variant, row);
}
