/** Encodings that spreadsheets write where a file is not Unicode, the most usual one first; by their labels in the Encoding standard. */
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
  /** The encoding that was assumed, as the bytes are not Unicode; undefined where they are. */
  assumed?: LegacyEncoding;
}

/** Decodes a file: UTF-16 by its mark, UTF-8 where all of it is, else as `legacy` says. */
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
