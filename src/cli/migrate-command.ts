import { migrate } from '../db/migrator.ts';
import type { Command } from './command.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  parameters: [],
  summary: "bring the database's schema up to date",
  async act({ db }, _values, { print }) {
    const applied = await migrate(db);
    print(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`);
  },
};
