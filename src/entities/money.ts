/** Money as a decimal string with two fraction digits, such as `75000.00`: never a JavaScript number on the way. */
export type DecimalString = string;

/** An amount as it may be given. */
export const AMOUNT = /^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$/;

/**
 * Reads a plain decimal amount, not negative, below 10^13, with up to two fraction digits: `75000` gives `75000.00`.
 *
 * @returns undefined for anything else: signs, exponents, NaN, separators, a third fraction digit (nothing is rounded)
 */
export function parseAmount(text: string): DecimalString | undefined {
  const match = AMOUNT.exec(text);
  return match ? `${match[1]}.${(match[2] ?? '').padEnd(2, '0')}` : undefined;
}

/** Hundredths of the unit, by which amounts compare. */
export function cents(amount: DecimalString): bigint {
  return BigInt(amount.replace('.', ''));
}
