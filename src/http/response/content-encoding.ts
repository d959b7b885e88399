/** Supported content codings, in order of preference: the smaller result first (RFC 9110, section 8.4.1). */
export const CONTENT_ENCODINGS = ['br', 'gzip'] as const;
export type ContentEncoding = (typeof CONTENT_ENCODINGS)[number];

const NAMED: Record<ContentEncoding, RegExp> = {
  br: /(?:^|[,\s])br\s*(?:,|;|$)/i,
  gzip: /(?:^|[,\s])(?:x-)?gzip\s*(?:,|;|$)/i,
};
const REFUSED: Record<ContentEncoding, RegExp> = {
  br: /(?:^|[,\s])br\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/i,
  gzip: /(?:^|[,\s])(?:x-)?gzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/i,
};

/** Returns whether `Accept-Encoding` names the coding with a weight above 0 (RFC 9110, section 12.5.3). */
export function acceptsEncoding(acceptEncoding: string | undefined, coding: ContentEncoding): boolean {
  return acceptEncoding !== undefined && NAMED[coding].test(acceptEncoding) && !REFUSED[coding].test(acceptEncoding);
}
