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
