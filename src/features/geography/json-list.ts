import { envelope } from '../../api/output.ts';
import { startsOf } from './number-lists.ts';

/** Ends a response that has nothing after its list. */
export const LIST_END = ']}';

const COMMA = ','.charCodeAt(0);
export const SEPARATOR = Buffer.from(',');
/** Bytes of memory that a processor reads at once. */
const CACHE_LINE = 64;

/** A serialised list. */
export type WrittenList = ReturnType<typeof writeJsonList>;

/**
 * Serialises a list once, in memory outside of the JavaScript heap.
 *
 * @param message the message of the responses
 * @param json the JSON text of each item
 */
export function writeJsonList(message: string, json: readonly string[]) {
  const head = JSON.stringify(envelope(message, [])).slice(0, -LIST_END.length);
  const starts = startsOf(json.map((item) => Buffer.byteLength(item) + 1));
  return {
    all: new Uint8Array(Buffer.from(`${head}${json.join(',')}${LIST_END}`)),
    headLength: Buffer.byteLength(head),
    /** Start of each item in `all`; the previous one ends a byte earlier, before the comma, and the last one before the bracket. */
    starts: starts.map((start) => Buffer.byteLength(head) + start),
  };
}

/** Opens a list as JSON text ready to be sent: as a whole, or some of its items (numbered from 0) in a separate response. */
export function openJsonList({ all: bytes, headLength, starts }: WrittenList) {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const startOf = (row: number): number => starts[row] ?? 0;

  function pickWith(more: (row: number) => string, rows: Iterable<number>, before: Buffer, after: string): Buffer {
    const parts = [before];
    for (const row of rows) {
      if (parts.length > 1) parts.push(SEPARATOR);
      // Without the closing brace.
      parts.push(all.subarray(startOf(row), startOf(row + 1) - 2), Buffer.from(`,${more(row)}}`));
    }
    return Buffer.concat([...parts, Buffer.from(after)]);
  }

  return {
    length: starts.length - 1,
    /** The response with all items. A shared buffer: read-only. */
    all,
    /** The start of every response, up to the bracket before the first item. */
    head: all.subarray(0, headLength),
    /** Copies the items from one number to before another into a new buffer, as `pick` does. */
    between: (from: number, to: number, before: Buffer, after: string): Buffer =>
      Buffer.concat([before, all.subarray(startOf(from), startOf(to) - 1), Buffer.from(after)]),
    /**
     * Copies the items with these numbers into a new buffer, between `before` and `after` (ASCII).
     *
     * @param more returns more fields of a row, without the braces of the object
     */
    pick(rows: Uint32Array, before: Buffer, after: string, more?: (row: number) => string): Buffer {
      if (more !== undefined) return pickWith(more, rows, before, after);
      let [size, read] = [before.length + after.length, 0];
      for (let index = 0; index < rows.length; index++) {
        const [start, end] = [startOf(rows[index] ?? 0), startOf((rows[index] ?? 0) + 1)];
        size += end - start;
        // Reads of many items go on at once, unlike copies: with these in front a page of 1,000 takes half as long.
        for (let at = start; at < end; at += CACHE_LINE) read |= all[at] ?? 0;
      }
      const answer = Buffer.allocUnsafe(rows.length > 0 && read > 0 ? size - 1 : size);
      let at = before.copy(answer);
      for (let index = 0; index < rows.length; ) {
        const first = rows[index] ?? 0;
        let end = first + 1;
        // One copy of all that are adjacent: a page of 1,000 of a country takes half as long.
        while (rows[++index] === end) end++;
        at += all.copy(answer, at, startOf(first), startOf(end) - 1);
        if (index < rows.length) answer[at++] = COMMA;
      }
      answer.write(after, at, 'latin1');
      return answer;
    },
  };
}
