import { isUtf8 } from 'node:buffer';
import { UserError } from '../lib/errors.ts';

/*
 * A backup file: a line with the format, a line of JSON (BackupHeader), then a gzip stream of all rows. These are in the order of the
 * header, one per line in the text format of PostgreSQL's COPY. Last come the SHA-256 of all these bytes in hexadecimal and a line feed.
 * The format is independent of the driver that read the rows.
 */
export interface BackupHeader {
  /** Version of the schema: its last migration. */
  schemaVersion: number;
  /** ISO 8601 in UTC. Every write acknowledged before this time is in the backup. */
  takenAt: string;
  tables: readonly BackupTable[];
}

/** A table of the backup; parents come before their children. */
export interface BackupTable {
  name: string;
  columns: readonly string[];
  rows: number;
}

export const FIRST_LINE = 'orgdesk backup, format 1\n';
/** Length of the last line, in bytes. */
export const LAST_LINE = 65;

const LINE_FEED = 0x0a;
/** First line of any format, see {@link FIRST_LINE}. */
const ANY_FIRST_LINE = /^orgdesk backup, format (\d{1,9})\n/;
/** Maximum length of the first line of any format, in bytes. */
const MAX_FIRST_LINE = 40;
const TAKEN_AT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns the second line without its line feed, from the start of a file. @throws UserError if the file has another format */
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

/** Parses the header line. @throws UserError if it is not that of a backup */
export function parseHeader(file: string, line: Buffer): BackupHeader {
  try {
    const header: unknown = isUtf8(line) ? JSON.parse(line.toString()) : undefined;
    if (isHeader(header)) return header;
  } catch {
    // Malformed JSON is the same fault as JSON of another form.
  }
  throw corrupt(file);
}

/** Returns the error for a truncated or modified file. */
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
