import { promisify } from 'node:util';
import { brotliCompressSync, brotliDecompress, constants as zlib } from 'node:zlib';

const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float32Array, Float64Array } as const;

/** Where an array is in the bytes of a file. */
interface ArrayReference {
  array: keyof typeof ARRAYS;
  start: number;
  length: number;
}

/** Above it the build takes half a minute for a twentieth. */
const QUALITY = 6;
/** Every array begins at a multiple of its largest element. */
const ALIGNMENT = 8;
/** Length of the two numbers before the compressed content: its size, and the size of the JSON in it. */
const HEAD = 8;

const padded = (length: number) => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

/** Packs plain data with typed arrays: JSON that refers to the arrays, and the arrays. @param quality of Brotli */
export function packParts(parts: object, quality = QUALITY): Buffer {
  const arrays: { start: number; bytes: Uint8Array }[] = [];
  let end = 0;
  const text = JSON.stringify(parts, (_, value: unknown) => {
    if (!ArrayBuffer.isView(value)) return value;
    const start = end;
    const own = isDifferenced(value) ? value.map((number, index) => number - (value[index - 1] ?? 0)) : value;
    arrays.push({ start, bytes: new Uint8Array(own.buffer, own.byteOffset, own.byteLength) });
    end += padded(value.byteLength);
    return { array: value.constructor.name, start, length: (value as Uint8Array).length };
  });
  const json = Buffer.from(text);
  const all = Buffer.alloc(padded(json.length) + end);
  json.copy(all);
  for (const { start, bytes } of arrays) all.set(bytes, padded(json.length) + start);
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(all.length, 0);
  head.writeUInt32LE(json.length, 4);
  const params = { [zlib.BROTLI_PARAM_QUALITY]: quality, [zlib.BROTLI_PARAM_LGWIN]: zlib.BROTLI_MAX_WINDOW_BITS };
  return Buffer.concat([head, brotliCompressSync(all, { params })]);
}

/** Reads packed data. All arrays share the memory that is read into. */
export async function readParts<Parts>(packed: Buffer): Promise<Parts> {
  const [size, jsonSize] = [packed.readUInt32LE(0), packed.readUInt32LE(4)];
  // One chunk: several would be joined in as much memory again.
  const all = await promisify(brotliDecompress)(packed.subarray(HEAD), { chunkSize: size + 1 });
  const begin = all.byteOffset + padded(jsonSize);
  return JSON.parse(all.toString('utf8', 0, jsonSize), (_, value) => {
    if (typeof value?.array !== 'string') return value;
    const { array, start, length } = value as ArrayReference;
    const own = new ARRAYS[array](all.buffer as ArrayBuffer, begin + start, length);
    if (isDifferenced(own))
      for (let index = 1; index < length; index++) own[index] = (own[index] ?? 0) + (own[index - 1] ?? 0);
    return own;
  }) as Parts;
}

/** Whether an array is written as the differences of its numbers: most ascend, and small numbers take half the room. */
function isDifferenced(array: ArrayBufferView): array is Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer> {
  return array instanceof Uint32Array || array instanceof Int32Array;
}
