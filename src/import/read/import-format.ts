import { ENTITIES, entityOf } from '../../entities/entities.ts';
import { type Entity, type Field, fieldOf } from '../../entities/entity.ts';
import { boolean, type ValueKind } from '../../entities/values.ts';

/** Files of the import format, in the order of writing: targets of references come first. */
export const FILE_NAMES: readonly string[] = ENTITIES.map(({ file }) => file);

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
  toldBy?: readonly string[];
  /** Not a column of the file: each row has the value for an absent column. */
  isFixed?: true;
}

/** Format of a file. */
export interface FileFormat {
  entity: Entity;
  /** Name of the file in messages. */
  name: string;
  /** Columns of the staging table, and of the file except fixed ones. */
  columns: readonly Column[];
  /** Company of all rows of a file sent by a request, which must not learn of other companies. */
  companyId?: string;
  /** Maximum number of rows; absent: unlimited. */
  maxRows?: number;
}

/** Returns the format of an entity's file in a folder. */
export function folderFormat(entity: Entity): FileFormat {
  return { entity, name: entity.file, columns: columnsOf(entity) };
}

/** Column of the staging table that is false for rows to delete. */
export const KEEP = 'keep';

/** Returns all columns of an entity's file: its fields in order, then references by key, then the one that deletes rows. */
export function columnsOf(entity: Entity): Column[] {
  const names = Object.keys(entity.fields);
  return [
    ...names.map((name) => fieldColumn(entity, name)),
    ...names.flatMap((name) => referenceColumn(entity, name) ?? []),
    ...(entity.deleteFlag
      ? [{ name: entity.deleteFlag, column: KEEP, kind: boolean, whenEmpty: true, whenAbsent: true }]
      : []),
  ];
}

function fieldColumn(entity: Entity, name: string): Column {
  const { column, kind, ...field } = fieldOf(entity, name);
  const whenEmpty = name === entity.id ? emptyId(entity) : emptyField(field);
  return { name, field: name, column, kind, whenEmpty, whenAbsent: whenEmpty };
}

function emptyId({ naturalKey }: Entity): CellValue | undefined {
  return naturalKey === undefined ? undefined : null;
}

function emptyField(field: Omit<Field, 'column' | 'kind'>): CellValue | undefined {
  if (field.inFiles === 'required') return undefined;
  return field.default ?? (field.nullable || field.sqlDefault ? null : undefined);
}

/** Returns the column that gives a reference by key; undefined where there is none. @param name the referring field */
export function referenceColumn(entity: Entity, name: string): Column | undefined {
  const { namedBy, references, column } = fieldOf(entity, name);
  if (namedBy === undefined || references === undefined) return undefined;
  const { target, last } = referenceKey(entityOf(references));
  return {
    name: namedBy,
    field: name,
    column: `${column}_key`,
    kind: fieldOf(target, last).kind,
    whenEmpty: undefined,
    whenAbsent: undefined,
    toldBy: [last],
  };
}

/** Returns the natural key of a target: the field that the reference gives, and the fields shared with the referring row by name. */
export function referenceKey(target: Entity): { target: Entity; last: string; shared: readonly string[] } {
  const [last, ...shared] = target.naturalKey?.fields.toReversed() ?? [];
  if (last === undefined) throw new TypeError(`${target.name} has no natural key`);
  return { target, last, shared };
}
