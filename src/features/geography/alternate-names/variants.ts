import { fold } from '../../../lib/text-folding.ts';
import { looseForm } from './loose-form.ts';

/** Countries where ä, ö, ü, ø and å are written as two letters if the keyboard lacks them. */
const TWO_LETTERS: ReadonlySet<string> = new Set('AT BE CH DE DK EE FI IT LI LU NL NO SE'.split(' '));
const UMLAUTS = /[äöüøå]/gi;
const SPELLINGS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** Countries where a saint is Sankt. */
const SANKT: ReadonlySet<string> = new Set(['AT', 'CH', 'DE', 'IT', 'LI', 'LU', 'RU']);
const SAINT = /(?<![^ ])(?:saint|sainte|st|ste|sankt|sint)(?= )/g;

/** Other words with a common abbreviation. */
const SHORTENED = new Map(
  ['fort ft', 'mount mt', 'santa sta', 'santo sto'].flatMap((pair) => {
    const [long = '', short = ''] = pair.split(' ');
    return [
      [long, short],
      [short, long],
    ] as const;
  }),
);
const SHORTENED_WORD = new RegExp(`(?<![^ ])(?:${[...SHORTENED.keys()].join('|')})(?= )`, 'g');

const PARTED = /[/(]/;

/**
 * Returns other loose forms of a location's own name, as people type them: `muenchen` for `München`, each part of `Alicante/Alacant`,
 * `saintetienne` for `Saint-Étienne`, `ft worth` for `Fort Worth`.
 */
export function ownVariants(name: string, countryCode: string): string[] {
  const variants = TWO_LETTERS.has(countryCode) ? twoLetters(name) : [];
  if (PARTED.test(name)) variants.push(...name.split(/[/()]/).map(formOf));
  if (name.includes('-')) variants.push(formOf(name.replaceAll('-', '')));
  const form = formOf(name);
  const shortened = form.replace(SHORTENED_WORD, (word) => SHORTENED.get(word) ?? word);
  return shortened === form ? variants : [...variants, shortened];
}

/** Returns the loose form of a name with ä as ae, å as aa and so on, if it has such letters. */
function twoLetters(name: string): string[] {
  const spelled = name.normalize('NFC').replace(UMLAUTS, (letter) => SPELLINGS[letter.toLowerCase()] ?? letter);
  return spelled === name ? [] : [formOf(spelled)];
}

/** Returns a loose form with other spellings of its saints: `st louis` for `saint louis`. */
export function saintVariants(form: string, countryCode: string): string[] {
  const saint = form.match(SAINT);
  if (saint === null) return [];
  const words = ['saint', 'st'];
  if (SANKT.has(countryCode)) words.push('sankt');
  if (saint.some((word) => word.endsWith('te'))) words.push('sainte', 'ste');
  return words.map((word) => form.replace(SAINT, word)).filter((variant) => variant !== form);
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
