import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomicFile } from '../../lib/atomic-file.ts';
import { csvLine } from '../../lib/csv.ts';
import { isFileFault, UserError } from '../../lib/errors.ts';
import { type GeographyRecords, KINDS, NAME_SEPARATOR } from './records.ts';

/** The columns of each list. */
const LISTS = {
  countries: ['id', 'name', 'iso2', 'iso3', 'phoneCode', 'currency', 'flag', 'nativeName', 'latitude', 'longitude'],
  states: ['id', 'countryId', 'name', 'stateCode', 'type', 'parentId'],
  cities: ['id', 'stateId', 'countryId', 'name', 'latitude', 'longitude', 'timezone', 'population'],
} as const;

/**
 * Writes the geography into `countries.csv`, `states.csv` and `cities.csv` of a folder, and replaces such files there.
 *
 * @returns the files with their number of rows
 * @throws UserError if the folder cannot be written to
 */
export async function exportGeography(
  { alternateNames, ...lists }: GeographyRecords,
  folder: string,
): Promise<{ file: string; rows: number }[]> {
  const names = new Map(alternateNames.map(({ kind, id, names }) => [`${kind} ${id}`, names]));
  const written: { file: string; rows: number }[] = [];
  try {
    await mkdir(folder, { recursive: true });
    for (const list of ['countries', 'states', 'cities'] as const) {
      const file = `${list}.csv`;
      const lines = Array.from<object, string>(lists[list], (row) => {
        const values: Readonly<Record<string, unknown>> = { ...row };
        const others = names.get(`${KINDS[list]} ${values.id}`) ?? '';
        return csvLine([
          ...LISTS[list].map((column) => cellOf(column, values[column])),
          others.replaceAll(NAME_SEPARATOR, ';'),
        ]);
      });
      await writeAtomicFile(join(folder, file), csvLine([...LISTS[list], 'alternateNames']) + lines.join(''));
      written.push({ file, rows: lines.length });
    }
    return written;
  } catch (error) {
    throw isFileFault(error)
      ? new UserError(`The geography was not written to ${folder}: ${error.message}`, { cause: error })
      : error;
  }
}

function cellOf(column: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  return String(column === 'latitude' || column === 'longitude' ? Number(value) / 1e7 : value);
}
