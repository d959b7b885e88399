import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomicFile } from '../../lib/atomic-file.ts';
import { csvLine } from '../../lib/csv.ts';
import { isFileFault, UserError } from '../../lib/errors.ts';
import { type GeographyRecords, type LocationKind, NAME_SEPARATOR } from './records.ts';

const DEGREE = 1e7;

/**
 * Writes the geography into `countries.csv`, `states.csv` and `cities.csv` of a folder, and replaces such files there.
 *
 * @returns the files with their number of rows
 * @throws UserError if the folder cannot be written to
 */
export async function exportGeography(
  { countries, states, cities, alternateNames }: GeographyRecords,
  folder: string,
): Promise<{ file: string; rows: number }[]> {
  const names = new Map(alternateNames.map(({ kind, id, names }) => [`${kind} ${id}`, names]));
  const namesOf = (kind: LocationKind, id: number) =>
    (names.get(`${kind} ${id}`) ?? '').replaceAll(NAME_SEPARATOR, ';');
  const tables = {
    countries: countries.map((row) => ({ ...degreesOf(row), alternateNames: namesOf('country', row.id) })),
    states: states.map((row) => ({ ...row, alternateNames: namesOf('state', row.id) })),
    cities: cities.map((row) => ({ ...degreesOf(row), alternateNames: namesOf('city', row.id) })),
  };
  try {
    await mkdir(folder, { recursive: true });
    const written: { file: string; rows: number }[] = [];
    for (const [name, rows] of Object.entries(tables)) {
      const file = `${name}.csv`;
      const columns = Object.keys(rows[0] ?? {});
      const lines = rows.map((row) => csvLine(columns.map((column) => cellOf(row[column as keyof typeof row]))));
      await writeAtomicFile(join(folder, file), csvLine(columns) + lines.join(''));
      written.push({ file, rows: rows.length });
    }
    return written;
  } catch (error) {
    throw isFileFault(error)
      ? new UserError(`The geography was not written to ${folder}: ${error.message}`, { cause: error })
      : error;
  }
}

function cellOf(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}

function degreesOf<Row extends { latitude: number | null; longitude: number | null }>(row: Row): Row {
  const degrees = (value: number | null) => (value === null ? null : value / DEGREE);
  return { ...row, latitude: degrees(row.latitude), longitude: degrees(row.longitude) };
}
