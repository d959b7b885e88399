import { migrate } from '../db/migrator.ts';
import { loadGeography } from '../features/geography/load/load-geography.ts';
import type { Command } from './command.ts';

export const geographyCommand: Command = {
  name: 'geography',
  parameters: [],
  summary: 'load the countries, states and cities that this version comes with; running services take them up at once',
  async act({ db }, _values, { print, progress }) {
    await migrate(db, { announce: print });
    const { countries, states, cities } = await loadGeography(db, (done, total) =>
      progress({ step: 'Loading geography', done, total, unit: 'rows' }),
    );
    print(`${countries} countries, ${states} states and ${cities} cities are in the database.`);
  },
};
