import { migrate } from '../db/migrator.ts';
import { ImportError } from '../import/import-error.ts';
import { type ImportProgress, importFolder } from '../import/import-folder.ts';
import { openProblemReport } from '../import/problem-report.ts';
import type { Command } from './command.ts';

export const importCommand: Command = {
  name: 'import',
  parameters: ['FOLDER'],
  options: [
    { name: 'dry-run', summary: 'check all, say what would be added and changed, and change nothing' },
    { name: 'report', value: 'FILE', summary: 'write what is wrong with the files to a CSV file' },
  ],
  summary: 'migrate, then load companies and people from the CSV files of a folder: all of it, or nothing',
  needsDatabase: (options) => options['dry-run'] === true,
  async act({ db }, [folder = ''], { print, progress }, options) {
    const dryRun = options['dry-run'] === true;
    const onProgress = ({ file, step, done, total }: ImportProgress) =>
      progress({ step: `${step} ${file}`, done, total, unit: step === 'reading' ? 'bytes' : 'rows' });
    await using report =
      typeof options.report === 'string' ? await openProblemReport(options.report, folder) : undefined;
    try {
      if (!dryRun) await migrate(db);
      const { files } = await importFolder(db, folder, { dryRun, onProgress });
      for (const { file, rows, added, changed, unchanged } of files) {
        print(`${file}: ${rows} rows, ${added} added, ${changed} changed, ${unchanged} unchanged`);
      }
      if (dryRun) print('A dry run: nothing has been changed.');
      await report?.write(undefined);
    } catch (error) {
      if (error instanceof ImportError) await report?.write(error);
      throw error;
    }
  },
};
