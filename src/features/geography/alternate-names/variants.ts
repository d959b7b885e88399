import { fold } from '../../../lib/text-folding.ts';
import { looseForm } from './loose-form.ts';

/** Countries in which people write ä, ö, ü, ø and å as two letters where a keyboard lacks them. */
const TWO_LETTERS: ReadonlySet<string> = new Set([
  'AT',
  'BE',
  'CH',
  'DE',
  'DK',
  'EE',
  'FI',
  'IT',
  'LI',
  'LU',
  'NL',
  'NO',
  'SE',
]);
const UMLAUTS = /[äöüøå]/gi;
const SPELLINGS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** Countries in which a saint is Sankt. */
const SANKT: ReadonlySet<string> = new Set(['AT', 'CH', 'DE', 'IT', 'LI', 'LU', 'RU']);
const SAINT = /(?<![^ ])(?:saint|sainte|st|ste|sankt|sint)(?= )/g;

const PARTED = /[/(]/;

/**
 * Returns other loose forms of a location's own name, as people type it: `muenchen` for `München`, each part of `Alicante/Alacant`,
 * `saintetienne` for `Saint-Étienne`.
 */
export function ownVariants(name: string, countryCode: string): string[] {
  const variants = TWO_LETTERS.has(countryCode) ? twoLetters(name) : [];
  if (PARTED.test(name)) variants.push(...name.split(/[/()]/).map(formOf));
  if (name.includes('-')) variants.push(formOf(name.replaceAll('-', '')));
  return variants;
}

/** Returns the loose form of a name with ä as ae, å as aa and so on, where it has such letters. */
function twoLetters(name: string): string[] {
  const spelled = name.normalize('NFC').replace(UMLAUTS, (letter) => SPELLINGS[letter.toLowerCase()] ?? letter);
  return spelled === name ? [] : [formOf(spelled)];
}

/** Returns a loose form with its saints as they may be written as well: `st louis` for `saint louis`. */
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
