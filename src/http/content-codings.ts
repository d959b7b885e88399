/** The codings that bodies are kept in, the smaller first (RFC 9110, section 8.4.1). */
export const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

const NAMED: Record<Coding, RegExp> = {
  br: /(?:^|[,\s])br\s*(?:,|;|$)/i,
  gzip: /(?:^|[,\s])(?:x-)?gzip\s*(?:,|;|$)/i,
};
const REFUSED: Record<Coding, RegExp> = {
  br: /(?:^|[,\s])br\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/i,
  gzip: /(?:^|[,\s])(?:x-)?gzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/i,
};

/** Whether `Accept-Encoding` names the coding, with a weight above 0 (RFC 9110, section 12.5.3). */
export function acceptsCoding(acceptEncoding: string | undefined, coding: Coding): boolean {
  return acceptEncoding !== undefined && NAMED[coding].test(acceptEncoding) && !REFUSED[coding].test(acceptEncoding);
}
