/** Encodings that spreadsheets write other than Unicode, the most usual first, by their labels in the Encoding standard. */
export const LEGACY_ENCODINGS = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1254',
  'macintosh',
  'shift_jis',
] as const;
export type LegacyEncoding = (typeof LEGACY_ENCODINGS)[number];

export interface DecodedText {
  text: string;
  /** The encoding that was assumed because the bytes are not Unicode; otherwise undefined. */
  assumed?: LegacyEncoding;
}

/** Decodes a file: UTF-16 by its byte order mark, UTF-8 if it is valid, otherwise as `legacy`. */
export function decode(bytes: Uint8Array, legacy: LegacyEncoding = 'windows-1252'): DecodedText {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
  } catch {
    return { text: new TextDecoder(legacy).decode(bytes), assumed: legacy };
  }
}
