/** Money as a decimal string with two fraction digits, such as `75000.00`; never converted to a JavaScript number. */
export type DecimalString = string;

/** An amount in requests, files and forms. */
export const AMOUNT = /^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$/;

/**
 * Parses a plain decimal amount, not negative, below 10^13, with up to two fraction digits: `75000` gives `75000.00`.
 *
 * @returns undefined for anything else: signs, exponents, NaN, separators, a third fraction digit (nothing is rounded)
 */
export function parseAmount(text: string): DecimalString | undefined {
  const match = AMOUNT.exec(text);
  return match ? `${match[1]}.${(match[2] ?? '').padEnd(2, '0')}` : undefined;
}

/** Parses an amount like {@link parseAmount} that may be negative. */
export function parseSigned(text: string): DecimalString | undefined {
  const amount = parseAmount(text.replace(/^-/, ''));
  return amount && text.startsWith('-') && cents(amount) > 0n ? `-${amount}` : amount;
}

/** Returns the amount of so many hundredths of the unit. */
export function amountOf(hundredths: bigint): DecimalString {
  const digits = String(hundredths < 0n ? -hundredths : hundredths).padStart(3, '0');
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Returns the amount in hundredths of the unit, for comparison. */
export function cents(amount: DecimalString): bigint {
  return BigInt(amount.replace('.', ''));
}

/** Returns the next lower amount. */
export function nextLower(amount: DecimalString): DecimalString {
  return amountOf(cents(amount) - 1n);
}

/** Returns the hundredths of a plain amount; undefined for any other text. */
export function paiseOf(text: string): bigint | undefined {
  const amount = parseAmount(text);
  return amount === undefined ? undefined : cents(amount);
}

/** The separators of a locale's numbers. */
export interface Separators {
  group: string;
  decimal: string;
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
  const units = digits === '' ? '' : `${digits}${shifted.slice(0, zeros)}`.replace(/^0+(?=\d)/, '');
  const amount = `${units}${rest === '' ? '' : `.${rest}`}`;
  return parseAmount(amount) === undefined ? undefined : amount;
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
