import { readConfig } from '../config/config.ts';
import { exportGeography } from '../features/geography/export-geography.ts';
import { readGeography } from '../features/geography/open-geography.ts';
import type { PlainCommand } from './command.ts';

export const geographyCommand: PlainCommand = {
  name: 'geography',
  parameters: ['export', 'FOLDER'],
  summary: 'write the countries, states and cities that are served into CSV files',
  details: 'With the places of GEOGRAPHY_EXTRA. docs/geography.md shows how to join them in SQL.',
  async run([, folder = ''], { print }) {
    const geography = await readGeography(readConfig(process.env));
    for (const { file, rows } of await exportGeography(geography, folder)) print(`${file}: ${rows} rows`);
  },
};
