import type { Column, FileFormat } from './import-format.ts';

/** A column present in a file. */
export interface HeaderColumn extends Column {
  /** Index of its cell in a record. */
  index: number;
}

export interface HeaderFault {
  column?: string;
  reason: string;
}

/** Maximum columns of a header: a longer one is reported as a single fault, not one per column. */
export const MAX_COLUMNS = 1000;

/** Returns the columns of a header in the order of the format, or all its faults. Names are case-insensitive. */
export function readHeader(
  format: FileFormat,
  cells: readonly string[],
): { columns: readonly HeaderColumn[]; faults: readonly HeaderFault[] } {
  const unreadable = headerFormatError(format, cells);
  if (unreadable !== undefined) return { columns: [], faults: [{ reason: unreadable }] };
  const taken = columnsTaken(format);
  const known = new Map(taken.map((column) => [column.name.toLowerCase(), column]));
  const [indexes, doubled, unknown] = [new Map<Column, number>(), new Set<string>(), new Set<string>()];
  for (const [index, cell] of cells.entries()) {
    const column = known.get(cell.trim().toLowerCase());
    if (column === undefined) unknown.add(cell);
    else if (indexes.has(column)) doubled.add(cell);
    else indexes.set(column, index);
  }
  const columns = taken.flatMap((column) => {
    const index = indexes.get(column);
    return index === undefined ? [] : [{ ...column, index }];
  });
  const unknownReason = `unknown column: the columns of ${format.name} are ${columnNames(format)}`;
  return {
    columns,
    faults: [
      ...Array.from(unknown, (column) => ({ column, reason: unknownReason })),
      ...Array.from(doubled, (column) => ({ column, reason: 'the column stands more than once in the header' })),
      ...missingKey(format, columns),
    ],
  };
}

/** Returns the names of all columns that a file may have, for messages. */
export function columnNames(format: FileFormat): string {
  return columnsTaken(format)
    .map(({ name }) => name)
    .join(', ');
}

/** Returns the columns that a file may have. */
function columnsTaken({ columns }: FileFormat): Column[] {
  return columns.filter(({ isFixed }) => !isFixed);
}

function headerFormatError(format: FileFormat, cells: readonly string[]): string | undefined {
  if (cells.some((cell) => cell.includes('\r'))) {
    return 'a carriage return stands without a line feed: save the file with LF or CRLF at the end of lines';
  }
  if (cells.length === 1 && /[;\t]/.test(cells.join())) {
    return 'the cells are not separated by commas: save the file with commas';
  }
  if (cells.length > MAX_COLUMNS) {
    return `the header has ${cells.length} columns: the columns of ${format.name} are ${columnNames(format)}`;
  }
  return undefined;
}

/** Returns a fault if the file has neither the id nor the natural key to identify rows by. */
function missingKey({ entity: { id, naturalKey } }: FileFormat, columns: readonly Column[]): HeaderFault[] {
  const isGiven = (name: string) => columns.some(({ field }) => field === name);
  if (isGiven(id)) return [];
  if (naturalKey === undefined) return [{ column: id, reason: 'the column is missing from the header' }];
  const missing = naturalKey.fields.filter((name) => !isGiven(name));
  if (missing.length === 0) return [];
  const reason = `the column is missing from the header, and so is ${missing.join(' and ')}: rows are known by ${naturalKey.fields.join(' and ')} where they have no id`;
  return [{ column: id, reason }];
}
