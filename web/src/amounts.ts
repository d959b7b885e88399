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

/**
 * What somebody types as an amount, as decimal text: spaces and the sign of the currency do not matter, thousands may be parted as the
 * reader's language or India does it. Undefined where that could mean something else, such as `1,50` where a comma parts thousands.
 */
export function readAmount(typed: string, { group, decimal }: Separators): string | undefined {
  const [whole = '', fraction = '', ...more] = typed.replace(/[₹\s]/g, '').split(decimal);
  if (more.length > 0) return undefined;
  const digits = withoutGroups(whole, group.trim());
  const amount = fraction === '' ? digits : `${digits}.${fraction}`;
  return amount !== undefined && paiseOf(amount) !== undefined ? amount : undefined;
}

function withoutGroups(whole: string, group: string): string | undefined {
  const groups = group === '' ? [whole] : whole.split(group);
  if (groups.length === 1) return whole;
  const fits = groups.every((digits, at) => {
    if (at === groups.length - 1) return /^\d{3}$/.test(digits);
    return at === 0 ? /^\d{1,3}$/.test(digits) : /^\d{2,3}$/.test(digits);
  });
  return fits ? groups.join('') : undefined;
}
