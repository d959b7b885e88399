/** The separators of a locale's numbers. */
export interface Separators {
  group: string;
  decimal: string;
}

/** Returns the paise of a decimal text with up to two fraction digits, for exact comparison; undefined for any other text. */
export function paiseOf(amount: string): bigint | undefined {
  const match = /^(\d{1,15})(?:\.(\d{1,2}))?$/.exec(amount);
  return match ? BigInt(match[1] ?? '') * 100n + BigInt((match[2] ?? '').padEnd(2, '0')) : undefined;
}

/** Suffixes of amounts and the zeros that they stand for, Indian ones included. */
const ZEROS: readonly (readonly [RegExp, number])[] = [
  [/(?:k|thousand|tsd\.?)$/, 3],
  [/(?:l|lacs?|lakhs?)$/, 5],
  [/(?:cr|crores?)$/, 7],
];

/**
 * Parses a typed amount to a decimal text. Spaces and currency signs are ignored, thousands may be grouped as in the
 * reader's locale or India, and `60k`, `Rs 60,000/-` and `1.5 lakh` are amounts.
 *
 * Returns undefined for ambiguous texts, such as `1,50` where a comma groups thousands.
 */
export function readAmount(typed: string, { group, decimal }: Separators): string | undefined {
  const bare = typed
    .toLowerCase()
    .replace(/\s/g, '')
    .replace(/^(?:\p{Sc}|rs\.?|inr)/u, '')
    .replace(/(?:\/-|\p{Sc}|inr)$/u, '');
  const [word, zeros] = ZEROS.find(([ending]) => ending.test(bare)) ?? [/$/, 0];
  const [whole = '', fraction = '', ...more] = bare.replace(word, '').split(decimal);
  const digits = withoutGroups(whole, group.trim());
  if (more.length > 0 || digits === undefined || !/^\d*$/.test(fraction)) return undefined;
  const shifted = fraction.padEnd(zeros, '0');
  const rest = zeros === 0 ? fraction : shifted.slice(zeros).replace(/0+$/, '');
  const amount = `${digits === '' ? '' : `${digits}${shifted.slice(0, zeros)}`}${rest === '' ? '' : `.${rest}`}`;
  return paiseOf(amount) === undefined ? undefined : amount.replace(/^0+(?=\d)/, '');
}

function withoutGroups(whole: string, group: string): string | undefined {
  const groups = group === '' ? [whole] : whole.split(group);
  if (groups.length === 1) return whole;
  const fits = groups.every((digits, at) => {
    if (at === groups.length - 1) return /^\d{3}$/.test(digits);
    return at === 0 ? /^[1-9]\d{0,2}$/.test(digits) : /^\d{2,3}$/.test(digits);
  });
  return fits ? groups.join('') : undefined;
}
