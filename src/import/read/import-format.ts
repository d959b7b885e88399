import { type Entity, type Field, fieldOf, type Key } from '../../entities/entity.ts';
import { boolean, text, type ValueKind } from '../../entities/values.ts';

/** Parsed value of a cell. */
export type CellValue = string | number | boolean | null;

/** A column of a file. */
export interface Column {
  /** Name in the header, case-insensitive. */
  name: string;
  /** Column of the staging table, in SQL. */
  column: string;
  kind: ValueKind;
  /** Value of an empty cell. Undefined: cells must not be empty. */
  whenEmpty: CellValue | undefined;
  /** Value of a new row where the column is absent. Undefined: new rows require the column. */
  whenAbsent: CellValue | undefined;
  /** Field that the column sets, by value or by reference. Absent: it is no field of the row. */
  field?: string;
  /** For a column that gives a reference by key instead of id: the fields of the target, one of which it holds. */
  keyFields?: readonly string[];
  /** Whether it takes the id that another system has for the row, too. */
  takesExternalId?: boolean;
  /** Takes what begins with `externalId:` from the cells of the column of this name, which has the ids. */
  isExternal?: true;
  /** Whether its cells are lists of ids; what {@link isExternal} takes of them has an item a line. */
  isList?: boolean;
  /** Key of the value that the column sets, where the field is an object. */
  part?: string;
  /** In the file of an HR system, a value that cannot be read is left out. */
  describes?: boolean;
  /** Not a column of the file: each row has the value for an absent column. */
  isFixed?: true;
}

/** Format of a file. */
export interface FileFormat {
  entity: Entity;
  /** All entities of the import, among them those to which its rows refer. */
  entities: readonly Entity[];
  /** Name of the file in messages. */
  name: string;
  /** Columns of the staging table, and of the file except fixed ones. */
  columns: readonly Column[];
  /** Company of all rows of a file sent by a request, which must not learn of other companies. */
  companyId?: string;
  /** Another key than the natural one by which rows may be known, and which comes first. */
  otherKey?: Key;
  /** Whether it is a file of an HR system, whose values are tidied. */
  isForeign?: boolean;
  /** Maximum number of rows; absent: unlimited. */
  maxRows?: number;
}

/** Returns the format of an entity's file in a folder. */
export function folderFormat(entity: Entity, entities: readonly Entity[]): FileFormat {
  return { entity, entities, name: entity.file, columns: columnsOf(entity, entities) };
}

/** Returns the entity of that name. */
export function entityOf(entities: readonly Entity[], name: string): Entity {
  const found = entities.find((entity) => entity.name === name);
  if (found === undefined) throw new TypeError(`${name} is no entity of the import`);
  return found;
}

/** Column of the staging table that is false for rows to delete. */
export const KEEP = 'keep';

/** Returns all columns of an entity's file: its fields in order, then references by key, then the one that deletes rows. */
export function columnsOf(entity: Entity, entities: readonly Entity[]): Column[] {
  const names = Object.keys(entity.fields);
  return [
    ...names.map((name): Column => {
      const { column, kind, ...field } = fieldOf(entity, name);
      const isList = field.lists !== undefined;
      const emptyId = entity.naturalKey === undefined ? undefined : null;
      const whenEmpty = name === entity.id ? emptyId : emptyField(field);
      return { name, field: name, column, kind, whenEmpty, whenAbsent: whenEmpty, isList };
    }),
    ...names.flatMap((name) => referenceColumn(entity, name, entities) ?? []),
    ...names.flatMap((name) => externalColumn(entity, name, entities) ?? []),
    ...(entity.deleteFlag
      ? [{ name: entity.deleteFlag, column: KEEP, kind: boolean, whenEmpty: true, whenAbsent: true }]
      : []),
  ];
}

function emptyField(field: Omit<Field, 'column' | 'kind'>): CellValue | undefined {
  if (field.inFiles === 'required') return undefined;
  return field.default ?? (field.nullable || field.sqlDefault ? null : undefined);
}

/** Returns the column that gives a reference by key; undefined where there is none. @param name the referring field */
function referenceColumn(entity: Entity, name: string, entities: readonly Entity[]): Column | undefined {
  const { namedBy, namedByOneOf, references, column, nullable } = fieldOf(entity, name);
  if (namedBy === undefined || references === undefined) return undefined;
  const { target, last } = referenceKey(entityOf(entities, references));
  return {
    name: namedBy,
    field: name,
    column: `${column}_key`,
    kind: namedByOneOf === undefined ? fieldOf(target, last).kind : text(254),
    whenEmpty: nullable ? null : undefined,
    whenAbsent: undefined,
    keyFields: namedByOneOf ?? [last],
    takesExternalId: target.fields.externalId !== undefined,
  };
}

/** Returns the column with what a column of ids names by the ids of another system; undefined where the target has none. */
function externalColumn(entity: Entity, name: string, entities: readonly Entity[]): Column | undefined {
  const { references, lists, column, kind } = fieldOf(entity, name);
  const target = entities.find((each) => each.name === (references ?? lists));
  const isList = lists !== undefined;
  if (target?.fields.externalId === undefined) return undefined;
  return {
    ...{ name, field: name, column: `${column}_external`, whenEmpty: null, whenAbsent: null },
    ...{ kind: isList ? kind : text(300), isList, keyFields: [], takesExternalId: true, isExternal: true },
  };
}

/** Returns the natural key of a target: the field that the reference gives, and the fields shared with the referring row by name. */
export function referenceKey(target: Entity): { target: Entity; last: string; shared: readonly string[] } {
  const [last, ...shared] = target.naturalKey?.fields.toReversed() ?? [];
  if (last === undefined) throw new TypeError(`${target.name} has no natural key`);
  return { target, last, shared };
}

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
    const column = known.get(cell.toLowerCase());
    if (column === undefined) unknown.add(cell);
    else if (indexes.has(column)) doubled.add(cell);
    else indexes.set(column, index);
  }
  const columns = format.columns.flatMap((column) => {
    const index = indexes.get(column.isExternal ? (known.get(column.name.toLowerCase()) ?? column) : column);
    return index === undefined ? [] : [{ ...column, index }];
  });
  const unknownReason = `unknown column: the columns of ${format.name} are ${columnNames(format)}`;
  return {
    columns,
    faults: [
      // The list of columns once: a header may have a thousand that are unknown.
      ...Array.from(unknown, (column, index) => ({ column, reason: index === 0 ? unknownReason : 'unknown column' })),
      ...Array.from(doubled, (column) => ({ column, reason: 'the column stands more than once in the header' })),
      ...missingKey(format, columns),
    ],
  };
}

/** Returns whether a header has none but names of the format. */
export function isHeaderOf(format: FileFormat, cells: readonly (string | null)[]): boolean {
  const known = new Set(columnsTaken(format).map(({ name }) => name.toLowerCase()));
  return cells.every((cell) => known.has((cell ?? '').toLowerCase()));
}

/** Returns the names of all columns that a file may have, for messages. */
export function columnNames(format: FileFormat): string {
  return columnsTaken(format)
    .map(({ name }) => name)
    .join(', ');
}

/** Returns the columns that a file may have. */
function columnsTaken({ columns }: FileFormat): Column[] {
  return columns.filter(({ isFixed, isExternal }) => !isFixed && !isExternal);
}

function headerFormatError(format: FileFormat, cells: readonly string[]): string | undefined {
  if (cells.some((cell) => cell.includes('\r'))) {
    return 'a carriage return stands without a line feed: save the file with LF or CRLF at the end of lines';
  }
  if (cells.length === 1 && /[;\t|]/.test(cells.join())) {
    return 'the cells are not separated by commas: save the file with commas';
  }
  if (cells.length > MAX_COLUMNS) {
    return `the header has ${cells.length} columns: the columns of ${format.name} are ${columnNames(format)}`;
  }
  return undefined;
}

/** Returns a fault if the file has neither the id nor the natural key to identify rows by. */
function missingKey({ entity: { id, naturalKey }, otherKey }: FileFormat, columns: readonly Column[]): HeaderFault[] {
  const isGiven = (name: string) => columns.some(({ field }) => field === name);
  if (isGiven(id) || (otherKey && isGiven(otherKey.fields.at(-1) ?? ''))) return [];
  if (naturalKey === undefined) return [{ column: id, reason: 'the column is missing from the header' }];
  const missing = naturalKey.fields.filter((name) => !isGiven(name));
  if (missing.length === 0) return [];
  const reason = `the column is missing from the header, and so is ${missing.join(' and ')}: rows are known by ${naturalKey.fields.join(' and ')} where they have no id`;
  return [{ column: id, reason }];
}
