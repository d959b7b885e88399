import type { Column, FileFormat } from './import-format.ts';

/** A column that a file has. */
export interface HeaderColumn extends Column {
  /** Where in a record. */
  index: number;
}

export interface HeaderFault {
  column?: string;
  reason: string;
}

/** A header with more of them is none, and each would be told as a fault of its own. */
export const MAX_COLUMNS = 1000;

/** The columns that a header names, in the order of the format; or all that is wrong with it. Names count in either case of letters. */
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

/** The names of all columns of a file, for people. */
export function columnNames(format: FileFormat): string {
  return columnsTaken(format)
    .map(({ name }) => name)
    .join(', ');
}

/** The columns that a file may have. */
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

/** A fault where no row of the file can say which one it is. */
function missingKey({ entity: { id, naturalKey } }: FileFormat, columns: readonly Column[]): HeaderFault[] {
  const isGiven = (name: string) => columns.some(({ field }) => field === name);
  if (isGiven(id)) return [];
  if (naturalKey === undefined) return [{ column: id, reason: 'the column is missing from the header' }];
  const missing = naturalKey.fields.filter((name) => !isGiven(name));
  if (missing.length === 0) return [];
  const reason = `the column is missing from the header, and so is ${missing.join(' and ')}: rows are known by ${naturalKey.fields.join(' and ')} where they have no id`;
  return [{ column: id, reason }];
}
