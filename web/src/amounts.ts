/** How a reader's language parts thousands, and the whole from the fraction. */
export interface Separators {
  group: string;
  decimal: string;
}

/** Paise of a decimal text of up to two fraction digits, for exact comparison; undefined for another text. */
export function paiseOf(amount: string): bigint | undefined {
  const match = /^(\d{1,15})(?:\.(\d{1,2}))?$/.exec(amount);
  return match ? BigInt(match[1] ?? '') * 100n + BigInt((match[2] ?? '').padEnd(2, '0')) : undefined;
}

/** Words behind an amount that stand for so many zeros; the Indian ones among them. */
const ZEROS: readonly (readonly [RegExp, number])[] = [
  [/(?:k|thousand|tsd\.?)$/, 3],
  [/(?:l|lacs?|lakhs?)$/, 5],
  [/(?:cr|crores?)$/, 7],
];

/**
 * What somebody types as an amount, as decimal text: spaces and the sign of the currency do not matter, thousands may be parted as the
 * reader's language or India does it, and `60k`, `Rs 60,000/-` and `1.5 lakh` are amounts. Undefined where that could mean something
 * else, such as `1,50` where a comma parts thousands.
 */
export function readAmount(typed: string, { group, decimal }: Separators): string | undefined {
  const bare = typed
    .toLowerCase()
    .replace(/\s/g, '')
    .replace(/^(?:₹|rs\.?|inr)/, '')
    .replace(/(?:\/-|₹|inr)$/, '');
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
