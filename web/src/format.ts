const locale = navigator.languages;

/** Amounts come without a currency: companies have a GSTIN, which is Indian, and so are their rupees. */
const money = new Intl.NumberFormat([...locale], {
  style: 'currency',
  currency: 'INR',
  currencyDisplay: 'narrowSymbol',
  trailingZeroDisplay: 'stripIfInteger',
});
const whole = new Intl.NumberFormat([...locale]);
const moment = new Intl.DateTimeFormat([...locale], { dateStyle: 'medium', timeStyle: 'short' });

/** A decimal text as an amount, exactly: it is never made a floating-point number. */
export function formatMoney(amount: string): string {
  return money.format(amount as Intl.StringNumericLiteral);
}

export function formatCount(count: number): string {
  return whole.format(count);
}

/** A date-time in the reader's time zone. */
export function formatMoment(iso: string): string {
  return moment.format(new Date(iso));
}

/** Paise of a decimal text of up to two fraction digits, for exact comparison; undefined for another text. */
export function paiseOf(amount: string): bigint | undefined {
  const match = /^(\d{1,15})(?:\.(\d{1,2}))?$/.exec(amount);
  return match ? BigInt(match[1] ?? '') * 100n + BigInt((match[2] ?? '').padEnd(2, '0')) : undefined;
}

/** What somebody types as an amount, as decimal text: grouping, spaces and the sign of the currency do not matter. */
export function readAmount(typed: string): string | undefined {
  const plain = typed.replace(/[₹,\s\u00a0\u202f]/g, '');
  return paiseOf(plain) === undefined ? undefined : plain;
}
