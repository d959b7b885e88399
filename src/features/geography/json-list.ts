import { envelope } from '../../http/envelope.ts';

/** A list as JSON text that is ready to be sent: whole, or some of its items (numbered from 0) in an answer of their own. */
export interface JsonList {
  readonly length: number;
  /** The answer with all items. One buffer for everybody: to be read, not written. */
  readonly all: Buffer;
  /** How every answer begins, up to the bracket before the first item. */
  readonly head: Buffer;
  /** Copies the items `from` to `to - 1` into a new buffer, between `before` and `after` (ASCII). */
  range(from: number, to: number, before: Buffer, after: string): Buffer;
  /** Copies the items that `rows` names at `from` to `to - 1`; the rows ascend. */
  pick(rows: Uint32Array, from: number, to: number, before: Buffer, after: string): Buffer;
}

/** Ends an answer that has nothing after its list. */
export const LIST_END = ']}';

const COMMA = ','.charCodeAt(0);

/**
 * Writes a list down once, in a buffer outside of the JavaScript heap.
 *
 * @param message the answers' message
 * @param own a row's JSON text, or the beginning of it; asked for twice
 * @param ending the rest of it, for rows that share it
 */
export function buildJsonList<Row>(
  message: string,
  rows: readonly Row[],
  own: (row: Row) => string,
  ending: (row: Row) => Buffer | undefined = () => undefined,
): JsonList {
  const { length } = rows;
  const head = Buffer.from(JSON.stringify(envelope(message, [])).slice(0, -LIST_END.length));
  let bytes = head.length + LIST_END.length + Math.max(length - 1, 0);
  for (const row of rows) bytes += Buffer.byteLength(own(row)) + (ending(row)?.length ?? 0);

  const all = Buffer.allocUnsafeSlow(bytes);
  // Where each item begins; the one before ends a byte earlier, with the comma or, the last one, the bracket.
  const starts = new Uint32Array(length + 1);
  let end = head.copy(all);
  let number = 0;
  for (const row of rows) {
    if (number > 0) all[end++] = COMMA;
    starts[number++] = end;
    end += all.write(own(row), end);
    end += ending(row)?.copy(all, end) ?? 0;
  }
  starts[length] = end + 1;
  all.write(LIST_END, end);
  const startOf = (row: number): number => starts[row] ?? 0;

  return {
    length,
    all,
    head,
    range(from, to, before, after) {
      const [start, stop] = from < to ? [startOf(from), startOf(to) - 1] : [0, 0];
      const answer = Buffer.allocUnsafe(before.length + stop - start + after.length);
      before.copy(answer);
      all.copy(answer, before.length, start, stop);
      answer.write(after, before.length + stop - start, 'latin1');
      return answer;
    },
    pick(rows, from, to, before, after) {
      let size = before.length + after.length;
      for (let index = from; index < to; index++) {
        const row = rows[index] ?? 0;
        size += startOf(row + 1) - startOf(row);
      }
      const answer = Buffer.allocUnsafe(from < to ? size - 1 : size);
      let at = before.copy(answer);
      for (let index = from; index < to; index++) {
        const row = rows[index] ?? 0;
        // With the comma behind it, but for the last.
        at += all.copy(answer, at, startOf(row), startOf(row + 1) - (index + 1 < to ? 0 : 1));
      }
      answer.write(after, at, 'latin1');
      return answer;
    },
  };
}
