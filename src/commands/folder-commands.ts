import { exportChanges } from '../audit/export-changes.ts';
import { readConfig } from '../config/config.ts';
import { isCalendarDate, midnightUtc, parseInstant } from '../entities/dates.ts';
import { exportGeography } from '../features/geography/export-geography.ts';
import { readGeography } from '../features/geography/geography-file.ts';
import { writeTemplate } from '../import/write/csv-folder.ts';
import { exportFolder } from '../import/write/export-folder.ts';
import { UserError } from '../lib/errors.ts';
import type { Command, PlainCommand } from './command.ts';

export const exportCommand: Command = {
  name: 'export',
  parameters: ['FOLDER'],
  summary: 'write all companies and people into CSV files that can be imported again',
  async act({ db }, [folder = ''], { print, progress }) {
    const files = await exportFolder(db, folder, ({ file, done, total }) =>
      progress({ step: `writing ${file}`, done, total, unit: 'rows' }),
    );
    for (const { file, rows } of files) print(`${file}: ${rows} rows`);
  },
};

export const templateCommand: PlainCommand = {
  name: 'template',
  parameters: ['FOLDER'],
  summary: 'write CSV files to fill in and import: the header of each, and an example row',
  details: 'The rows belong together and can be imported as they are. docs/import.md describes the columns.',
  async run([folder = ''], { print }) {
    for (const file of await writeTemplate(folder)) print(`${file}: its header and an example`);
  },
};

export const geographyCommand: PlainCommand = {
  name: 'geography',
  parameters: ['export', 'FOLDER'],
  summary: 'write the countries, states and cities into CSV files',
  details: 'Includes GEOGRAPHY_EXTRA. docs/geography.md shows how to join them in SQL.',
  async run([, folder = ''], { print }) {
    const geography = await readGeography(readConfig(process.env));
    for (const { file, rows } of await exportGeography(geography, folder)) print(`${file}: ${rows} rows`);
  },
};

export const auditCommand: Command = {
  name: 'audit',
  parameters: ['export'],
  options: [
    {
      name: 'from',
      value: 'TIME',
      summary: 'inclusive start: a date (YYYY-MM-DD, UTC) or a date-time with its offset; omitted: the oldest change',
    },
    {
      name: 'to',
      value: 'TIME',
      summary: 'exclusive end; omitted: up to the newest change',
    },
  ],
  summary: 'write the audit trail to standard output, a line of JSON for each change, oldest first',
  details:
    'The last line is {"end":{"changes":…,"sha256":…}}: a file without it is truncated. It contains personal data. Works while ' +
    'the service runs.',
  async act({ db }, _values, { print, flushed }, { from, to }) {
    const times = { ...momentOf('from', from), ...momentOf('to', to) };
    await exportChanges(db, times, async (line) => {
      print(line.slice(0, -1));
      await flushed();
    });
  },
};

/** Parses a time option. @throws UserError if it is neither a date nor a date-time */
function momentOf<Name extends 'from' | 'to'>(name: Name, given: unknown): { [Key in Name]?: string } {
  if (typeof given !== 'string') return {};
  const moment = isCalendarDate(given) ? midnightUtc(given) : parseInstant(given);
  if (moment === undefined) {
    throw new UserError(`--${name} must be a date such as 2026-01-31, or a date-time such as 2026-01-31T09:30:00Z.`);
  }
  return { [name]: moment } as { [Key in Name]?: string };
}
