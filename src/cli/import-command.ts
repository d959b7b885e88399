import { migrate } from '../db/migrator.ts';
import { importFolder } from '../import/import-folder.ts';
import type { Command } from './command.ts';

export const importCommand: Command = {
  name: 'import',
  parameters: ['FOLDER'],
  summary: 'migrate, then load companies and people from the CSV files of a folder: all of it, or nothing',
  async act({ db }, [folder = ''], { print, progress }) {
    await migrate(db);
    const report = await importFolder(db, folder, ({ file, step, done, total }) =>
      progress(`${step} ${file}`, done, total),
    );
    for (const { file, rows, added, changed, unchanged } of report.files) {
      print(`${file}: ${rows} rows, ${added} added, ${changed} changed, ${unchanged} unchanged`);
    }
  },
};
