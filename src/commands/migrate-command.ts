import { migrate } from '../db/migrator.ts';
import { geographyState, upgradeGeography } from '../features/geography/load/upgrade-geography.ts';
import type { Command } from './command.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  parameters: [],
  summary: "bring the database's schema up to date",
  async act({ db }, _values, { print, progress }) {
    const applied = await migrate(db, { announce: print });
    if ((await geographyState(db)) === 'earlier') {
      await upgradeGeography(db, (done, total) => progress({ step: 'Loading geography', done, total, unit: 'rows' }));
    }
    print(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`);
  },
};
