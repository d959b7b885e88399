import { exportFolder } from '../import/write/export-folder.ts';
import type { Command } from './command.ts';

export const exportCommand: Command = {
  name: 'export',
  parameters: ['FOLDER'],
  summary: 'write all companies and people into CSV files that can be imported again',
  needsDatabase: () => true,
  async act({ db }, [folder = ''], { print, progress }) {
    const files = await exportFolder(db, folder, ({ file, done, total }) =>
      progress({ step: `writing ${file}`, done, total, unit: 'rows' }),
    );
    for (const { file, rows } of files) print(`${file}: ${rows} rows`);
  },
};
