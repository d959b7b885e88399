import { isUtf8 } from 'node:buffer';
import { UserError } from '../lib/errors.ts';

/*
 * A backup file: a line that names the format, a line of JSON (BackupHeader), then, compressed by gzip, the rows of all tables in
 * the order of the header, each a line in the text format of PostgreSQL's COPY; last the SHA-256 of all these bytes, in
 * hexadecimal, and a line feed. It knows nothing of the driver that the rows came from.
 */
export interface BackupHeader {
  /** The last migration of the schema that the rows are of. */
  schemaVersion: number;
  /** ISO 8601 in UTC: every write that was acknowledged before is in the backup. */
  takenAt: string;
  tables: readonly BackupTable[];
}

/** A table, parents before their children. */
export interface BackupTable {
  name: string;
  columns: readonly string[];
  rows: number;
}

export const FIRST_LINE = 'orgdesk backup, format 1\n';
/** Bytes of the last line. */
export const LAST_LINE = 65;

const LINE_FEED = 0x0a;
/** What {@link FIRST_LINE} has in common with those of any other format. */
const ANY_FIRST_LINE = /^orgdesk backup, format (\d{1,9})\n/;
/** Bytes that hold the first line of any format. */
const MAX_FIRST_LINE = 40;
const TAKEN_AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * The bytes of the second line, without its line feed, from the beginning of a file.
 *
 * @throws UserError where the file is none of this format
 */
export function headerLineOf(file: string, beginning: Buffer): Buffer {
  const [first, format] = ANY_FIRST_LINE.exec(beginning.toString('latin1', 0, MAX_FIRST_LINE)) ?? [];
  if (first === undefined) throw new UserError(`${file} is no backup of orgdesk.`);
  if (first !== FIRST_LINE) {
    throw new UserError(
      `${file} is a backup in format ${format}, which this version cannot read: use a newer orgdesk.`,
    );
  }
  const end = beginning.indexOf(LINE_FEED, first.length);
  if (end < 0) throw corrupt(file);
  return beginning.subarray(first.length, end);
}

/** @throws UserError where the line is not that of a backup */
export function parseHeader(file: string, line: Buffer): BackupHeader {
  try {
    const header: unknown = isUtf8(line) ? JSON.parse(line.toString()) : undefined;
    if (isHeader(header)) return header;
  } catch {
    // not JSON: the same fault as JSON of another form
  }
  throw corrupt(file);
}

/** The error for a file that is not as a backup is written. */
export function corrupt(file: string, cause?: unknown): UserError {
  return new UserError(
    `${file} is not as it was written: it was cut off or has changed. Nothing was restored. Use another copy of it.`,
    { cause },
  );
}

function isHeader(value: unknown): value is BackupHeader {
  if (typeof value !== 'object' || value === null) return false;
  const { schemaVersion, takenAt, tables } = value as Partial<BackupHeader>;
  return (
    isCount(schemaVersion) &&
    schemaVersion > 0 &&
    typeof takenAt === 'string' &&
    TAKEN_AT.test(takenAt) &&
    Array.isArray(tables) &&
    tables.every(isTable)
  );
}

function isTable(value: unknown): value is BackupTable {
  if (typeof value !== 'object' || value === null) return false;
  const { name, columns, rows } = value as Partial<BackupTable>;
  return (
    typeof name === 'string' &&
    Array.isArray(columns) &&
    columns.every((column) => typeof column === 'string') &&
    isCount(rows)
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
