import { migrate } from '../db/migrator.ts';
import { ImportError } from '../import/check/import-error.ts';
import { type ImportProgress, type ImportReport, importFolder } from '../import/import-folder.ts';
import { openProblemReport } from '../import/report/problem-report.ts';
import { openReportFile } from '../import/report/report-file.ts';
import { UserError } from '../lib/errors.ts';
import type { Command } from './command.ts';

export const importCommand: Command = {
  name: 'import',
  parameters: ['FOLDER'],
  options: [
    { name: 'dry-run', summary: 'check all, say what would be added and changed, and change nothing' },
    { name: 'changes', value: 'FILE', summary: 'with --dry-run: write each field that would change to a CSV file' },
    { name: 'report', value: 'FILE', summary: 'write what is wrong with the files to a CSV file' },
  ],
  summary: 'migrate, then load companies and people from the CSV files of a folder: all of it, or nothing',
  details:
    'docs/import.md describes the files; the folder demo is an example. Where anything is wrong, all of it is named.',
  needsDatabase: (options) => options['dry-run'] === true,
  async act({ db }, [folder = ''], { print, progress }, options) {
    const dryRun = options['dry-run'] === true;
    if (!dryRun && options.changes !== undefined) throw new UserError('--changes goes with --dry-run alone.');
    const onProgress = ({ file, step, done, total }: ImportProgress) =>
      progress({ step: `${step} ${file}`, done, total, unit: step === 'reading' ? 'bytes' : 'rows' });
    await using report =
      typeof options.report === 'string' ? await openProblemReport(options.report, folder) : undefined;
    await using changes =
      typeof options.changes === 'string' ? await openReportFile(options.changes, folder) : undefined;
    try {
      if (!dryRun) await migrate(db, { announce: print });
      const result = await importFolder(db, folder, { dryRun, ...(changes && { changes }), onProgress });
      await changes?.publish();
      for (const line of linesOf(result)) print(line);
      if (dryRun) print('A dry run: nothing has been changed.');
      await report?.write(undefined);
    } catch (error) {
      if (error instanceof ImportError) await report?.write(error);
      throw error;
    }
  },
};

function linesOf({ files, overwritten }: ImportReport): string[] {
  const lines = files.map(({ file, rows, added, changed, removed, unchanged }) => {
    const counts = [`${added} added`, `${changed} changed`, ...(removed > 0 ? [`${removed} removed`] : [])];
    return `${file}: ${rows} rows, ${counts.join(', ')}, ${unchanged} unchanged`;
  });
  if (overwritten !== undefined) {
    lines.push(`Changes that would undo what people changed themselves since the last import: ${overwritten}`);
  }
  return lines;
}
