import { ENTITIES, entityOf } from '../../entities/entities.ts';
import { type Entity, type Field, fieldOf } from '../../entities/entity.ts';
import { boolean, type ValueKind } from '../../entities/values.ts';

/** The files of the import format, in the order of writing: what is referred to comes first. */
export const FILE_NAMES: readonly string[] = ENTITIES.map(({ file }) => file);

/** A cell's value as JSON carries it to the database. */
export type CellValue = string | number | boolean | null;

/** A column of a file. */
export interface Column {
  /** As the header names it, in either case of letters. */
  name: string;
  /** Of the staging table, as SQL writes it. */
  column: string;
  kind: ValueKind;
  /** What an empty cell stands for. Undefined: a cell has to say something. */
  whenEmpty: CellValue | undefined;
  /** What a new row has where the column is absent. Undefined: it has to be there. */
  whenAbsent: CellValue | undefined;
  /** The field that it gives, or whose reference it gives. Absent: it is no field of the row. */
  field?: string;
  /** Of a column that tells a reference in other words than by the id: the fields of the row referred to, one of which it has. */
  toldBy?: readonly string[];
  /** It is no column of the file: each row has what stands for an absent one. */
  isFixed?: true;
}

/** What a file may hold. */
export interface FileFormat {
  entity: Entity;
  /** What the file is called, for people. */
  name: string;
  /** Those of the staging table, and of the file but for fixed ones. */
  columns: readonly Column[];
  /** The company that all rows are of, where a request brings the file; it knows of no other one. */
  companyId?: string;
  /** How many rows it may have; any number unless it is named. */
  maxRows?: number;
}

/** The format of the file of an entity in a folder. */
export function folderFormat(entity: Entity): FileFormat {
  return { entity, name: entity.file, columns: columnsOf(entity) };
}

/** Of the column that takes rows away, in the staging table. */
export const KEEP = 'keep';

/** All columns of an entity's file: those of its fields, in their order, then those in the place of references, then the one that takes rows away. */
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

/** The column that tells the row referred to by its key. @param name of the field that refers */
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

/** The natural key of a row that is referred to: the field that the reference tells, and those of the same name in the row that refers. */
export function referenceKey(target: Entity): { target: Entity; last: string; shared: readonly string[] } {
  const [last, ...shared] = target.naturalKey?.fields.toReversed() ?? [];
  if (last === undefined) throw new TypeError(`${target.name} has no natural key`);
  return { target, last, shared };
}
