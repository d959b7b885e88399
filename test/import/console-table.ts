import type { LegacyEncoding } from '../../src/import/tables/csv-text.ts';
import {
  csvToSend,
  formatOf,
  type ImportDraft,
  type ImportRow,
  obstacleOf,
  openTable,
  rowsOf,
} from '../../src/import/tables/draft.ts';
import { USUAL_YEARS } from '../../src/import/tables/values.ts';

/** What somebody chooses on the page, where a file does not tell by itself. */
export interface Choices extends Partial<Pick<ImportDraft, 'targets' | 'order' | 'serials' | 'decimal' | 'leftOut'>> {
  legacy?: LegacyEncoding;
}

/** A line and a column that are told; undefined: the file as a whole, or the whole line. */
export type Place = readonly [line: number | undefined, column: string | undefined];

/** What the console makes of a file. */
export interface ConsoleTable {
  draft: ImportDraft;
  rows: readonly ImportRow[];
  /** What it tells by itself. */
  reported: readonly Place[];
  /** What it sends; undefined where nothing can be sent. */
  csv: string | undefined;
}

/** Reads a file as the console's page does. */
export async function consoleTable(bytes: Uint8Array, { legacy, ...choices }: Choices = {}): Promise<ConsoleTable> {
  const read = await openTable(bytes, { years: USUAL_YEARS, ...(legacy !== undefined && { encoding: legacy }) });
  if (read === undefined) throw new TypeError('There is no header');
  const draft = { ...read, ...choices };
  const rows = rowsOf(draft, formatOf(draft));
  const obstacle = obstacleOf(draft);
  if (obstacle !== undefined) {
    const { header, targets } = draft;
    const second = targets.findIndex((target, at) => target !== '' && targets.indexOf(target) < at);
    return { draft, rows, reported: [[header.line, header.cells[second]]], csv: undefined };
  }
  const reported = rows.flatMap(({ line, fault, faults }): Place[] =>
    fault === undefined ? Object.keys(faults).map((field) => [line, field]) : [[line, undefined]],
  );
  return { draft, rows, reported, csv: csvToSend(draft, rows) };
}
