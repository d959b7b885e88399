import { NAME_SEPARATOR } from '../records.ts';

/** Names of many rows as UTF-8, those of one row joined by {@link NAME_SEPARATOR}; can be transferred between threads. */
export interface WrittenNames {
  bytes: Uint8Array<ArrayBuffer>;
  /** Start of each row's names, and the end of the last row. */
  starts: Uint32Array<ArrayBuffer>;
}

/** @param names one text per row */
export function writeNames(names: readonly string[]): WrittenNames {
  const starts = new Uint32Array(names.length + 1);
  let size = 0;
  for (let row = 0; row < names.length; row++) {
    size += Buffer.byteLength(names[row] ?? '');
    starts[row + 1] = size;
  }
  const memory = new ArrayBuffer(size);
  const all = Buffer.from(memory);
  for (let row = 0; row < names.length; row++) all.write(names[row] ?? '', starts[row] ?? 0);
  return { bytes: new Uint8Array(memory), starts };
}

/** @returns a function that returns the names of a row as a JSON array */
export function namesReader({ bytes, starts }: WrittenNames): (row: number) => string {
  const decoder = new TextDecoder();
  return (row) => {
    const names = decoder.decode(bytes.subarray(starts[row], starts[row + 1]));
    return names === '' ? '[]' : JSON.stringify(names.split(NAME_SEPARATOR));
  };
}
