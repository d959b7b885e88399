import { fold } from '../../../lib/text-folding.ts';
import { unitsKey } from '../ngram-index.ts';
import { startsOf, writeTexts } from '../number-lists.ts';
import { NAME_SEPARATOR, OWN_NAMES_END } from '../records.ts';
import { looseForm } from './loose-form.ts';

/** Precedes the form of an IATA code, which no needle has. */
export const AIRPORT_MARK = '\u0001';
/** An IATA code among the alternate names. */
const AIRPORT = /^[A-Z]{3}$/;
/** Number of leading letters that determine a form's group. */
export const PREFIX_LETTERS = 3;

/** Added to the rank of a form of the own name; more than any rank. */
export const OWN = 2 ** 31;

/** Names in the forms that people may type, grouped by their first letters. Within a group, forms are in search order. */
export type IndexedNames = ReturnType<typeof indexNames>;

/**
 * Indexes names in search order, one list of each kind.
 *
 * @param others alternate names, joined by {@link NAME_SEPARATOR}; empty: none
 * @param countryCodes of ISO 3166-1 alpha-2
 */
export function indexNames({
  own,
  others,
  countryCodes,
}: Record<'own' | 'others' | 'countryCodes', readonly string[]>) {
  const groups = new Map<number, { form: string; rank: number }[]>();
  for (const [rank, name] of own.entries()) {
    const otherNames = others[rank]?.split(NAME_SEPARATOR) ?? [];
    const [common = '', rest] = others[rank]?.split(OWN_NAMES_END) ?? [];
    const ownNames = rest === undefined ? [] : common.split(NAME_SEPARATOR);
    const countryCode = countryCodes[rank] ?? '';
    const ownForms = formsOf(name, ownNames, countryCode);
    for (const form of new Set([...ownForms, ...formsOf(name, otherNames, countryCode)])) {
      const key = unitsKey(form.slice(0, 6).replaceAll(' ', ''));
      const group = groups.get(key) ?? [];
      group.push({ form, rank: ownForms.has(form) ? rank + OWN : rank });
      groups.set(key, group);
    }
  }
  const sorted = [...groups].sort(([one], [other]) => one - other);
  const forms = sorted.flatMap(([, group]) => group);
  return {
    /** The {@link unitsKey} of the letters of each group, without spaces, ascending. */
    keys: Float64Array.from(sorted, ([key]) => key),
    /** The first form of each group, and the number of forms. */
    groupStarts: startsOf(sorted.map(([, group]) => group.length)),
    /** For each form, the rank that it names: an index in search order; plus {@link OWN} if it is a form of the own name. */
    ranks: Uint32Array.from(forms, ({ rank }) => rank),
    ...writeTexts(forms.map(({ form }) => form)),
  };
}

/** Countries where ä, ö, ü, ø and å are written as two letters if the keyboard lacks them. */
const TWO_LETTERS: ReadonlySet<string> = new Set('AT BE CH DE DK EE FI IT LI LU NL NO SE'.split(' '));
const UMLAUTS = /[äöüøå]/gi;
const SPELLINGS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** Countries where a saint is Sankt. */
const SANKT: ReadonlySet<string> = new Set(['AT', 'CH', 'DE', 'IT', 'LI', 'LU', 'RU']);
const SAINT = /(?<![^ ])(?:saint|sainte|st|ste|sankt|sint)(?= )/g;

/** Other words with a common abbreviation, each followed by it or by the whole word. */
const SHORTENED = 'fort ft fort mount mt mount santa sta santa santo sto santo';
const SHORTENED_WORD = /(?<![^ ])(?:fort|ft|mount|mt|santa|sta|santo|sto)(?= )/g;

const PARTED = /[/(]/;
/** What follows a name that stands alone: `cartagena de indias`, `rostov na donu`, `washington dc`. */
const LONGER = /^(.{5,}?) (?:dc$|(?:de|del|da|do|dos|das|na|am|an der|upon|on|sur) .)/;
/** Words before it that are no name. */
const NO_NAME =
  /^(?:ciudad|cidade|villa|vila|ville|puerto|porto|pueblo|monte|costa|colonia|barra|punta|ponta|santa|santo|saint|playa|praia|campo|fazenda|hacienda|lagoa?|laguna|valle|estacion|barrio|bairro|rincon|fuente|fontaine|port|isla|ilha)$/;

/**
 * Returns the loose forms of a location's names. Of its own name there are more: `muenchen` for `München`, each part of `Alicante/Alacant`,
 * `saintetienne` for `Saint-Étienne`, `ft worth` for `Fort Worth`.
 */
function formsOf(name: string, others: readonly string[], countryCode: string): Set<string> {
  const forms = new Set([name, ...others].map(formOf));
  for (const form of [...forms]) {
    for (const variant of [...saintVariants(form, countryCode), ...withoutKind(form)]) forms.add(variant);
  }
  for (const other of others) if (AIRPORT.test(other)) forms.add(AIRPORT_MARK + other.toLowerCase());
  const spelled = TWO_LETTERS.has(countryCode)
    ? name.normalize('NFC').replace(UMLAUTS, (letter) => SPELLINGS[letter.toLowerCase()] ?? letter)
    : name;
  for (const own of [spelled, ...(PARTED.test(name) ? name.split(/[/()]/) : []), name.replaceAll('-', '')]) {
    if (own !== name) forms.add(formOf(own));
  }
  const [, shorter = ''] = LONGER.exec(formOf(name)) ?? [];
  if (!NO_NAME.test(shorter)) forms.add(shorter);
  const words = SHORTENED.split(' ');
  forms.add(formOf(name).replace(SHORTENED_WORD, (word) => words[words.indexOf(word) + 1] ?? word));
  forms.delete('');
  return forms;
}

/** Returns a loose form with other spellings of its saints: `st louis` for `saint louis`. */
function saintVariants(form: string, countryCode: string): string[] {
  const saint = form.match(SAINT);
  if (saint === null) return [];
  const words = ['saint', 'st'];
  if (SANKT.has(countryCode)) words.push('sankt');
  if (saint.some((word) => word.endsWith('te'))) words.push('sainte', 'ste');
  return words.map((word) => form.replace(SAINT, word));
}

function formOf(name: string): string {
  return looseForm(fold(name));
}

/** Suffix for the kind of location: city, province, county, capital, prefecture; in Korean city, province. */
const KIND = /(?<=..)(?:[市省县都府]|\u1109\u1175|\u1103\u1169)$/u;

/** Returns a loose form without the suffix of its kind: `广岛` for `广岛市`; nothing if it has none. */
export function withoutKind(form: string): string[] {
  return KIND.test(form) ? [form.replace(KIND, '')] : [];
}
