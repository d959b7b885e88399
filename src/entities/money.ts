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

/** Returns the amount in hundredths of the unit, for comparison. */
export function cents(amount: DecimalString): bigint {
  return BigInt(amount.replace('.', ''));
}
